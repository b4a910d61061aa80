/**
 * What git ignored by the rules of an earlier tree.
 * Rule: a file that was ignored is not taken for new because the rules are others now.
 */
import { dirname, join } from "@std/path";
import { decodeLatin1 } from "../../platform/text.ts";
import { textOf } from "./classify.ts";
import type { ByteName } from "./index_file.ts";
import { nulEnded, type OwnFiles } from "./own_files.ts";
import type { TakenTree } from "./work_tree.ts";

/** Those of `names` that the `.gitignore` files of `then` would ignore. */
export async function ignoredByThen(
  own: OwnFiles,
  then: Pick<TakenTree, "entries">,
  names: readonly ByteName[],
): Promise<Set<ByteName>> {
  if (names.length === 0) return new Set();
  return await own.withFolder(async (folder) => {
    for (const [name, { mode, blob }] of then.entries) {
      const path = textOf(name);
      const isRules = /(?:^|\/)\.gitignore$/.test(name) && mode !== "120000";
      if (!isRules || path === undefined) continue;
      const { stdout } = await own.run(["cat-file", "blob", blob]);
      Deno.mkdirSync(dirname(join(folder, path)), { recursive: true });
      Deno.writeFileSync(join(folder, path), stdout);
    }
    // `./` keeps a name that begins with `:` from being read as magic.
    const output = await own.git.read(
      [
        ...["-C", folder, `--git-dir=${own.gitDirectory}`, "--work-tree=."],
        ...["check-ignore", "-z", "--stdin"],
      ],
      { stdin: nulEnded(names.map((name) => `./${name}`)), okCodes: [0, 1], pathspecs: "magic" },
    );
    return new Set(decodeLatin1(output).split("\0").map((name) => name.replace(/^\.\//, "")));
  });
}

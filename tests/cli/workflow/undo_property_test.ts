/** Whatever the user has lying about in the tree, an undo and a rollback leave it as it was, byte for byte. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { type GitFolder, withGitFolder } from "../../support/git_folder.ts";
import { runM31a } from "../../support/source.ts";
import { says } from "../../support/conversations.ts";
import { FINISH, run, submits, task } from "../../workflow/runs.ts";

const PATHS = ["a", "dir/b c", "dir/ü", 'q"uo\te', "-n"];
/** How each file is before the session: as the user left it. */
const CONDITIONS = [
  "committed",
  "modified",
  "staged",
  "staged, then modified",
  "deleted",
  "removed from the index",
  "untracked",
  "ignored",
  "absent",
] as const;

const content = fc.constantFrom(
  "",
  "1\n",
  "no newline",
  "\r\nCRLF\r\n",
  "\u{1f600}\n",
  "x\n".repeat(50),
);
const file = fc.record({
  condition: fc.constantFrom(...CONDITIONS),
  texts: fc.tuple(content, content, content),
});
/** What the two tasks make of each file: a text, nothing (deleted), or they leave it alone. */
const work = fc.option(fc.oneof(content, fc.constant("(delete)")), { freq: 1 });

function lay(
  folder: GitFolder,
  path: string,
  { condition, texts }: { condition: string; texts: string[] },
) {
  const [first = "", second = "", third = ""] = texts;
  if (condition === "absent") return;
  folder.write(path, `${first}one`);
  if (condition === "untracked") return;
  if (condition === "ignored") {
    return folder.write(".git/info/exclude", `${folder.read(".git/info/exclude")}/${path}\n`);
  }
  folder.run("add", "-f", "--", path);
  folder.run("commit", "-q", "-m", "a file", "--", path);
  if (condition === "modified") folder.write(path, `${second}two`);
  if (condition.startsWith("staged")) {
    folder.write(path, `${second}two`);
    folder.run("add", "--", path);
  }
  if (condition === "staged, then modified") folder.write(path, `${third}three`);
  if (condition === "deleted") Deno.removeSync(`${folder.root}/${path}`);
  if (condition === "removed from the index") folder.run("rm", "-q", "--cached", "--", path);
}

/** Every file but m31a's own, and the repository's branch, index and stash. */
function everything(folder: GitFolder): Record<string, string> {
  const found: Record<string, string> = {
    refs: folder.run("for-each-ref", "refs/heads", "refs/stash", "refs/tags"),
    head: folder.read(".git/HEAD"),
    index: [...Deno.readFileSync(`${folder.root}/.git/index`)].join(" "),
  };
  const walk = (prefix: string) => {
    for (const { name, isDirectory } of Deno.readDirSync(`${folder.root}/${prefix}`)) {
      if (prefix === "" && [".git", "planning", "sessions"].includes(name)) continue;
      if (isDirectory) walk(`${prefix}${name}/`);
      if (!isDirectory) found[`${prefix}${name}`] = folder.read(`${prefix}${name}`);
    }
  };
  walk("");
  return found;
}

function exists(folder: GitFolder, path: string): boolean {
  try {
    return Deno.statSync(`${folder.root}/${path}`).isFile;
  } catch {
    return false;
  }
}

/** A turn that makes of the files what `works` says, as far as it can. */
function turn(folder: GitFolder, works: readonly (string | null)[]) {
  return says("", [
    ...PATHS.map((path) => ({ tool: "read_file", input: { path } })),
    ...PATHS.flatMap((path, index) => {
      const wanted = works[index] ?? null;
      if (wanted === null) return [];
      if (wanted !== "(delete)") return [{ tool: "write_file", input: { path, content: wanted } }];
      return exists(folder, path) ? [{ tool: "delete_file", input: { path } }] : [];
    }),
    FINISH,
  ]);
}

Deno.test("m31a undo and m31a rollback leave branch, index, stash and every earlier change byte-identical", async () => {
  const trees = fc.tuple(...PATHS.map(() => file));
  const works = fc.tuple(...PATHS.map(() => work));
  await fc.assert(
    fc.asyncProperty(trees, works, works, async (files, first, second) => {
      await withGitFolder(async (folder) => {
        folder.write("kept", "stashed\n");
        folder.commitAll();
        folder.write("kept", "in the stash\n");
        folder.run("stash", "-q");
        PATHS.forEach((path, index) => {
          const laid = files[index];
          if (laid !== undefined) lay(folder, path, laid);
        });
        const before = everything(folder);
        const answers = [says("Looked."), submits(task("1"), task("2", "1"))];
        await run(folder, {
          goal: "Go",
          checks: { test: "true" },
          answers: [
            ...answers,
            turn(folder, first),
            (call, options) => turn(folder, second)(call, options),
          ],
          onEvent: (event) => {
            if (event.type === "checkpoint" && event.number === 1) afterFirst = everything(folder);
          },
        });
        const undone = await runM31a(["undo", "--yes"], { cwd: folder.root });
        assert.equal(undone.code, 0, undone.stderr);
        assert.deepEqual(everything(folder), afterFirst);
        const back = await runM31a(["rollback", "0", "--yes"], { cwd: folder.root });
        assert.equal(back.code, 0, back.stderr);
        assert.deepEqual(everything(folder), before);
      });
    }),
    { numRuns: 5 },
  );
});

let afterFirst: Record<string, string> = {};

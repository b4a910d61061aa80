/**
 * What is at paths that git named: so that git is given only what it can take.
 * Rule: nothing is followed or opened; a name may be any bytes.
 */
import { Buffer } from "node:buffer";
import { lstatOrUndefined } from "../../platform/files.ts";
import { runProcess } from "../../platform/processes.ts";
import { decodeLossy, decodeStrict } from "../../platform/text.ts";
import type { Git } from "../run.ts";
import type { ByteName } from "./index_file.ts";

/** What is at a path: nothing, a file with its size, a link, a folder, or something else, as a pipe. */
export type Kind =
  | { kind: "missing" | "link" | "folder" | "other" }
  | { kind: "file"; sizeBytes: number };

/** How many names a shell is given at once: a command line has a limit. */
const NAMES_A_SHELL = 500;

/** Looks at each of `names` below the root of `git`. */
export async function classify(
  git: Git,
  names: readonly ByteName[],
): Promise<Map<ByteName, Kind>> {
  const kinds = new Map<ByteName, Kind>();
  const odd: ByteName[] = [];
  for (const name of names) {
    const text = textOf(name);
    if (text === undefined) odd.push(name);
    else kinds.set(name, kindOf(lstatOrUndefined(`${git.root}/${text}`)));
  }
  for (let start = 0; start < odd.length; start += NAMES_A_SHELL) {
    await classifyOdd(git, odd.slice(start, start + NAMES_A_SHELL), kinds);
  }
  return kinds;
}

/** The name as text; undefined where its bytes are not UTF-8. */
export function textOf(name: ByteName): string | undefined {
  return decodeStrict(Buffer.from(name, "latin1"));
}

function kindOf(info: Deno.FileInfo | undefined): Kind {
  if (info === undefined) return { kind: "missing" };
  if (info.isFile) return { kind: "file", sizeBytes: info.size };
  return { kind: info.isSymlink ? "link" : info.isDirectory ? "folder" : "other" };
}

// Deno names files by text, so `sh` looks at what is not text: each argument is a name in octal escapes. The first
// line of `ls -dln` has mode, links, user, group and size before the name.
const LOOK = `
set -f
for escaped; do
  name=$(printf '%b.' "$escaped"); name=./\${name%.}
  set -- $(LC_ALL=C ls -dln "$name" 2>/dev/null | head -n 1 | cut -c 1-200)
  printf '%s %s\\n' "\${1:-missing}" "\${5:-0}"
done
`;

async function classifyOdd(
  git: Git,
  names: readonly ByteName[],
  kinds: Map<ByteName, Kind>,
): Promise<void> {
  const escaped = names.map((name) =>
    Array.from(name, (byte) => `\\0${byte.charCodeAt(0).toString(8).padStart(3, "0")}`).join("")
  );
  const { stdout } = await runProcess({
    script: LOOK,
    env: { PATH: (await git.programs()).searchPath },
    args: escaped,
    cwd: git.root,
  });
  const lines = decodeLossy(stdout).split("\n");
  for (const [index, name] of names.entries()) {
    const [mode = "missing", size = "0"] = (lines[index] ?? "").split(" ");
    const letter = mode.charAt(0);
    const simple = { m: "missing", l: "link", d: "folder" } as const;
    const known = Object.entries(simple).find(([first]) => first === letter)?.[1];
    kinds.set(
      name,
      letter === "-" ? { kind: "file", sizeBytes: Number(size) } : { kind: known ?? "other" },
    );
  }
}

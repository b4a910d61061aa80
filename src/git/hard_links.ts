/**
 * Files with more than one name: hard links.
 * Rule: such a file is written in place, so that its other names go on naming it; git would write a new one.
 */
import { join } from "@std/path";
import { WorkFailed } from "../platform/errors.ts";
import { lstatOrUndefined } from "../platform/files.ts";
import { runProcess } from "../platform/processes.ts";
import { decodeLossy } from "../platform/text.ts";
import type { Git } from "./run.ts";
import type { FileChange } from "./file_state.ts";

/** Whether the change is one of a file that has other names. */
export function changesHardLink(root: string, change: FileChange): boolean {
  const { path, before, after, renamedFrom } = change;
  if (before === undefined || after === undefined || renamedFrom !== undefined) return false;
  if (before.mode === "120000" || after.mode === "120000") return false;
  const info = lstatOrUndefined(join(root, path));
  return info?.isFile === true && (info.nlink ?? 1) > 1;
}

/**
 * Writes the new content into the file.
 *
 * @throws {WorkFailed} with what the system said
 */
export async function writeInPlace(
  git: Git,
  { path, before, after }: FileChange,
): Promise<void> {
  if (after === undefined) return;
  const mode = before?.mode === after.mode ? "" : after.mode === "100755" ? "+x" : "-x";
  const { code, stderr } = await runProcess({
    script: 'cat > "./$1" && { test -z "$2" || chmod "$2" "./$1"; }',
    args: [path, mode],
    env: { PATH: (await git.programs()).searchPath },
    cwd: git.root,
    stdin: after.bytes,
  });
  if (code !== 0) throw new WorkFailed(`${path}: cannot be written: ${decodeLossy(stderr).trim()}`);
}

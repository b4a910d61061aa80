/**
 * The two files of an epoch, opened and read.
 * Rule: never through a symbolic link; a log is opened for writing under its lock alone.
 */
import { join } from "@std/path";
import { sha256Hex } from "../platform/canonical_json.ts";
import { messageOf } from "../platform/errors.ts";
import { refuseForeign, refuseSymlinks } from "../platform/files.ts";
import { tryLock } from "../platform/lock.ts";
import { decodeBaseline, type EncodedBaseline } from "./baseline.ts";
import { BaselineInvalid, SessionInUse, SessionIo } from "./errors.ts";
import { baselinePath } from "./layout.ts";

/** Opens a log for appending and takes its lock. */
export async function openLocked(root: string, path: string, id: string): Promise<Deno.FsFile> {
  refuseSymlinks(root, path);
  refuseForeign(root, path);
  let file: Deno.FsFile;
  try {
    file = Deno.openSync(join(root, path), { read: true, append: true });
  } catch (error) {
    throw new SessionIo(path, `cannot open for writing: ${messageOf(error)}`, { cause: error });
  }
  if (!await tryLock(file)) throw new SessionInUse(id);
  return file;
}

/**
 * Reads the baseline of an epoch.
 *
 * @throws {BaselineInvalid} naming the file, when it is missing or not what was written
 */
export function readBaseline(
  root: string,
  id: string,
  epoch: number,
): EncodedBaseline {
  const path = baselinePath(id, epoch);
  refuseSymlinks(root, path);
  let bytes: Uint8Array;
  try {
    bytes = Deno.readFileSync(join(root, path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) throw new BaselineInvalid(path, "is missing");
    throw new SessionIo(path, `cannot read: ${messageOf(error)}`, { cause: error });
  }
  const baseline = decodeBaseline(bytes, path);
  if (baseline.session !== id || baseline.epoch !== epoch) {
    throw new BaselineInvalid(
      path,
      `belongs to session ${baseline.session}, epoch ${baseline.epoch}: the file was moved here`,
    );
  }
  return { baseline, bytes, hash: sha256Hex(bytes) };
}

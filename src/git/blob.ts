/**
 * Contents in git's object store, byte for byte: what a file was can be had back.
 * Rule: no filter, no conversion of line ends, in either direction.
 */
import { NotARepository } from "./errors.ts";
import { blobId } from "./file_state.ts";
import type { Git } from "./run.ts";

/**
 * Keeps `bytes` in the object store and resolves to their id. Outside a repository nothing is kept,
 * and the id is the one that git would give.
 */
export async function keepBlob(git: Git, bytes: Uint8Array): Promise<string> {
  try {
    const args = ["hash-object", "-w", "--no-filters", "--stdin"];
    return (await git.writeText(args, { stdin: bytes })).trim();
  } catch (error) {
    if (error instanceof NotARepository) return blobId(bytes);
    throw error;
  }
}

/**
 * The bytes of the blob `id`.
 *
 * @throws {GitError} when there is no such blob (any more)
 */
export function readBlob(git: Git, id: string): Promise<Uint8Array> {
  return git.read(["cat-file", "blob", id]);
}

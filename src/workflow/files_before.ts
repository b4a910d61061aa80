/**
 * The files that a session has changed: as they were when it first touched them, and as they are.
 * Rule: what the log keeps is the only source; of a content that is kept nowhere nothing is said.
 */
import { loadState } from "../agent/kept_change.ts";
import { sessionGit } from "../agent/session_tree.ts";
import { readFileState } from "../git/file_state.ts";
import { readTree } from "../git/tree.ts";
import { decodeLossy } from "../platform/text.ts";
import type { FileState } from "../session/outcome.ts";
import { readAccount } from "../ship/read_account.ts";
import type { Touched } from "../ship/touched_files.ts";
import { diagnose } from "./outline.ts";
import type { Work } from "./work.ts";

/** A file that the session has made another of. */
export interface ChangedFile {
  path: string;
  /** As git has it; null where there was none. */
  kept: FileState;
  /** The text then and now; null where there is no file. */
  before: string | null;
  now: string | null;
}

/** What the session has made another of, in the order of its first touches. */
export async function changedFiles(work: Work): Promise<ChangedFile[]> {
  const { session } = work.parts.conversation;
  const { touched } = await readAccount(work.root, session.id, diagnose);
  if (touched.files.length === 0) return [];
  const git = await sessionGit(work.place);
  const changed: ChangedFile[] = [];
  for (const file of touched.files) {
    const { path } = file;
    const kept = await keptBefore(work, file);
    if (kept?.kept === false) continue;
    const before = textOf(await loadState(git, kept));
    const now = textOf(readFileState(work.root, path));
    if (before !== now) changed.push({ path, kept, before, now });
  }
  return changed;
}

/** What was there before the first touch. */
async function keptBefore(
  { git }: Pick<Work, "git">,
  { path, before }: Touched,
): Promise<FileState> {
  if ("kept" in before) return before.kept;
  return (await readTree(git, before.checkpoint)).get(path) ?? null;
}

function textOf(state: { bytes: Uint8Array } | undefined): string | null {
  return state === undefined ? null : decodeLossy(state.bytes);
}

/**
 * The files that a session has changed, as they were when it first touched them.
 * Rule: what the log keeps is the only source; a content that is kept nowhere is left out, and so taken as it is now.
 */
import { loadState } from "../agent/kept_change.ts";
import { sessionGit } from "../agent/session_tree.ts";
import { readTree } from "../git/tree.ts";
import type { FileState } from "../session/outcome.ts";
import { readAccount } from "../ship/read_account.ts";
import type { Touched } from "../ship/touched_files.ts";
import { decodeLossy } from "../platform/text.ts";
import { diagnose } from "./outline.ts";
import type { Work } from "./work.ts";

/** The text of each by its path; null for a file that was not there. */
export async function filesBefore(work: Work): Promise<Map<string, string | null>> {
  const { session } = work.parts.conversation;
  const { touched } = await readAccount(work.root, session.id, diagnose);
  const texts = new Map<string, string | null>();
  if (touched.files.length === 0) return texts;
  const git = await sessionGit(work.place);
  for (const file of touched.files) {
    const kept = await keptBefore(work, file);
    if (kept?.kept === false) continue;
    const state = await loadState(git, kept);
    texts.set(file.path, state === undefined ? null : decodeLossy(state.bytes));
  }
  return texts;
}

/** What was there before the first touch. */
async function keptBefore(
  { git }: Pick<Work, "git">,
  { path, before }: Touched,
): Promise<FileState> {
  if ("kept" in before) return before.kept;
  return (await readTree(git, before.checkpoint)).get(path) ?? null;
}

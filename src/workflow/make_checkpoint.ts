/**
 * The checkpoint of an attempt.
 * Rule: its number and time come from the log, so one that was made but not recorded is made again, the same.
 */
import { createCheckpoint } from "../git/checkpoint.ts";
import { sessionStore } from "../agent/session_tree.ts";
import type { RecordDraft } from "../session/records.ts";
import { checkpointFiles } from "../agent/checkpoint_files.ts";
import type { Work } from "./work.ts";

/**
 * Makes the attempt's checkpoint of the files touched since the last one.
 *
 * @returns the record of it, to be appended; none when it is recorded already
 */
export async function makeCheckpoint(work: Work, subject: string): Promise<RecordDraft[]> {
  const { state, attempt } = work;
  if (attempt.checkpoint !== null) return [];
  const session = work.parts.conversation.session.id;
  const number = Math.max(0, ...state.checkpoints.map((checkpoint) => checkpoint.number)) + 1;
  const { files, unkept } = checkpointFiles(state);
  const { commit } = await createCheckpoint(work.git, {
    session,
    number,
    files,
    store: await sessionStore(work.place),
    message: subject,
    atMs: Date.parse(state.at),
  });
  const { task } = attempt.about;
  const paths = files.map(({ path }) => path);
  return [{ type: "checkpoint", number, commit, task, files: paths, unkept, kind: "task" }];
}

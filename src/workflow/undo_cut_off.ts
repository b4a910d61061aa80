/**
 * What a task had changed when it was cut off, as a checkpoint that an undo can take back.
 * Rule: it holds what m31a made of the files; what anyone else made of them since is not taken for its work.
 */
import type { PendingCall } from "../agent/pending_calls.ts";
import { statesByPath } from "../agent/kept_change.ts";
import { isHalfWritten } from "../agent/settle_change.ts";
import { isSameKept, keepTreeFiles } from "../git/blob.ts";
import { createCheckpoint } from "../git/checkpoint.ts";
import type { ContentStore } from "../git/content_store.ts";
import type { Git } from "../git/run.ts";
import type { RecordDraft } from "../session/records.ts";
import { checkpointFiles } from "./checkpoint_files.ts";
import { approvedPlan, type WorkflowState } from "./state.ts";
import { lastNumber } from "./undo_record.ts";

type TouchedState = WorkflowState["touched"][number];

/**
 * Makes the checkpoint of an attempt that did not end, with the number that comes next. Made again, it is the same.
 *
 * @param pending calls without a result; what they had begun to write counts
 * @returns its record, to be appended along with the undo's; undefined when nothing was changed
 */
export async function keepCutOff(
  git: Git,
  store: ContentStore,
  session: string,
  state: WorkflowState,
  pending: readonly PendingCall[],
): Promise<Extract<RecordDraft, { type: "checkpoint" }> | undefined> {
  const begun = await withBegun(store.git, state.touched, pending);
  const touched = begun.filter(({ before, after }) =>
    after === undefined || !isSameKept(before, after)
  );
  const { files, unkept } = checkpointFiles({ touched, unknown: state.unknown });
  if (files.length + unkept.length === 0) return undefined;
  const number = lastNumber(state) + 1;
  const task = state.attempt?.about.task ?? null;
  const title = approvedPlan(state)?.tasks.find(({ id }) => id === task)?.title ?? "";
  const { commit } = await createCheckpoint(git, {
    session,
    number,
    files,
    store,
    message: task === null ? "cut off" : `task ${task}, cut off: ${title}`,
    atMs: Date.parse(state.at),
  });
  const paths = files.map(({ path }) => path);
  return { type: "checkpoint", number, commit, task, files: paths, unkept, kind: "task" };
}

async function withBegun(
  git: Git,
  touched: readonly TouchedState[],
  pending: readonly PendingCall[],
): Promise<TouchedState[]> {
  const files = new Map(touched.map((file) => [file.path, file]));
  for (const { intent } of pending) {
    const states = statesByPath(intent?.changes ?? []);
    const current = await keepTreeFiles(git, [...states.keys()]);
    for (const [path, { before, after }] of states) {
      const now = current.get(path) ?? null;
      const isBegun = !isSameKept(now, before);
      const left = isBegun && await isHalfWritten(git, now, after) ? now : after;
      const first = files.get(path) ?? { path, before };
      files.set(path, { ...first, after: isBegun ? left : before });
    }
  }
  return [...files.values()];
}

/**
 * What a turn has changed, or a task had when it was cut off, as a checkpoint that an undo can take back.
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
import { checkpointFiles } from "../agent/checkpoint_files.ts";
import { approvedPlan, type WorkflowState } from "./state.ts";
import { lastNumber } from "./undo_record.ts";

type TouchedState = WorkflowState["touched"][number];

/** What was changed, and by whom. */
export interface Unkept {
  session: string;
  state: WorkflowState;
  /** Calls without a result; what they had begun to write counts. */
  pending: readonly PendingCall[];
  /** The turn that is the last one. */
  turn: number;
  /** What the checkpoint is called; by default that a task, or the turn, was cut off. */
  subject?: string;
  /** When its files were changed, in milliseconds since 1970. */
  atMs: number;
}

/**
 * Makes the checkpoint of what was changed since the last one, with the number that comes next.
 *
 * @returns its record, to be appended; undefined when nothing was changed
 */
export async function keepChanged(
  git: Git,
  store: ContentStore,
  { session, state, pending, turn, subject, atMs }: Unkept,
): Promise<Extract<RecordDraft, { type: "checkpoint" }> | undefined> {
  const begun = await withBegun(store.git, state.touched, pending);
  const touched = begun.filter(({ before, after }) =>
    after === undefined || !isSameKept(before, after)
  );
  const { files, unkept } = checkpointFiles({ touched, unknown: state.unknown });
  if (files.length + unkept.length === 0) return undefined;
  const number = lastNumber(state) + 1;
  const task = state.attempt?.about.task ?? null;
  const message = subject ?? subjectOf(state, turn);
  const { commit } = await createCheckpoint(git, { session, number, files, store, message, atMs });
  const paths = files.map(({ path }) => path);
  const kind = kindOfCutOff(state);
  return { type: "checkpoint", number, commit, task, files: paths, unkept, kind, turn };
}

/** Whose work it is that no checkpoint was made of: an attempt's of the workflow, or a turn's. */
export function kindOfCutOff({ attempt }: Pick<WorkflowState, "attempt">): "task" | "turn" {
  return attempt === null || attempt.turn.status === "none" ? "turn" : "task";
}

function subjectOf(state: WorkflowState, turn: number): string {
  if (kindOfCutOff(state) === "turn") return `turn ${turn}, cut off`;
  const task = state.attempt?.about.task ?? null;
  const title = approvedPlan(state)?.tasks.find(({ id }) => id === task)?.title ?? "";
  return task === null ? "cut off" : `task ${task}, cut off: ${title}`;
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

/**
 * Taking a conversation back to the end of a turn, with what the workflow was then.
 * Rule: the files are taken back and recorded first, the conversation follows; what was cut off in between is finished by
 * the next process.
 */
import { UsageError } from "../platform/errors.ts";
import type { Baseline } from "../session/baseline.ts";
import { readBaseline } from "../session/epoch_files.ts";
import { rewindSession } from "../session/rewind.ts";
import type { Session } from "../session/session.ts";
import { scanEpoch } from "../session/session_reader.ts";
import { endOfTurn, type TurnPlace } from "../session/turns.ts";
import { isSameKept } from "../git/blob.ts";
import { carriedState, WorkflowFold } from "./fold.ts";
import type { WorkflowState } from "./state.ts";
import { lastNumber } from "./undo_record.ts";

/** Where a conversation goes back to. */
export interface RewindPlace {
  place: TurnPlace;
  /** The workflow as it was then. */
  state: WorkflowState;
  /** The checkpoint that has the files as they were then; 0 for before the first. */
  to: number;
}

/**
 * Finds the end of turn `turn`, or with 0 the time before the first.
 *
 * @throws {UsageError} when there is no such turn, or no checkpoint has its files
 */
export async function findRewind(root: string, id: string, turn: number): Promise<RewindPlace> {
  const place = await endOfTurn(root, id, turn);
  const fold = new WorkflowFold(readBaseline(root, id, place.epoch).baseline);
  scanEpoch(root, id, place.epoch, (record) => {
    if (record.seq <= place.seq) fold.apply(record);
  });
  const { state } = fold;
  const isBetween = state.touched.some(({ before, after }) =>
    after === undefined || !isSameKept(before, after)
  );
  if (isBetween) {
    throw new UsageError(
      `no checkpoint has the files as they were at the end of turn ${turn}: it was one of several that were kept ` +
        "together; take an earlier or a later one",
    );
  }
  return { place, state, to: lastNumber(state) };
}

/** Begins the epoch in which the conversation goes on from `found`. */
export async function rewindConversation(
  root: string,
  session: Session,
  found: RewindPlace,
  now: WorkflowState,
): Promise<void> {
  await rewindSession(root, session, found.place, workflowAfter(found.state, now));
}

/** What the workflow was, but for what git and planning/ have of later: their numbers are not given again. */
function workflowAfter(then: WorkflowState, now: WorkflowState): Baseline["carried"]["workflow"] {
  const { checkpoints, looks } = now;
  const known = new Set(then.plans.map(({ version }) => version));
  const later = now.plans.filter(({ version }) => !known.has(version))
    .map((plan) => ({ ...plan, approved: false }));
  const plans = [...then.plans, ...later];
  // A later plan is none that waits for its review.
  const isWaiting = then.plans.some(({ version }) => version >= then.planFrom);
  const planFrom = isWaiting ? then.planFrom : (plans.at(-1)?.version ?? 0) + 1;
  const state = { ...then, checkpoints, looks, plans, planFrom, touched: [], untold: [] };
  return carriedState({ ...state, undo: null, rewind: null });
}

/**
 * Lets the conversation follow its files, where the process ended in between.
 *
 * @returns what there is to say of it; undefined when there was nothing to do
 */
export async function settleRewind(
  root: string,
  session: Session,
  now: WorkflowState,
): Promise<string | undefined> {
  const { rewind: turn } = now;
  if (turn === null) return undefined;
  await rewindConversation(root, session, await findRewind(root, session.id, turn), now);
  return `An earlier rewind was cut off; it is done now: ${whereRewindLeads(turn)}.`;
}

/** In words, where a rewind leads. */
export function whereRewindLeads(turn: number): string {
  return turn === 0 ? "back to before the first turn" : `back to the end of turn ${turn}`;
}

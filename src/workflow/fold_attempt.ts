/**
 * The part of the fold that follows the attempt under way: its turn, its checks, the files it touches.
 * Rule: only a message that names the attempt's subject belongs to it; anything else said in between interrupts it.
 */
import { isSameKept, type KeptFile } from "../git/blob.ts";
import {
  endsTurn,
  touchedBy,
  type TouchedFile,
  type UnknownFile,
  unknownTo,
} from "../session/outcome.ts";
import { ownTouches, type RecordOf, type SessionRecord } from "../session/records.ts";
import { afterCheck, failedChecks, failureOfChecks, resultOf } from "./fold_checks.ts";
import {
  type Attempt,
  type AttemptTurn,
  isSameSubject,
  planSchema,
  type WorkflowState,
} from "./state.ts";

/** The state with its attempt as it is after `record`. */
export function afterAttemptRecord(before: WorkflowState, record: SessionRecord): WorkflowState {
  const state = afterChange(before, record);
  if (record.type === "phase") return { ...state, attempt: attemptOfPhase(record) };
  if (record.type === "task") return afterTask(state, record);
  if (record.type === "check") return afterCheckOf(state, record);
  if (record.type === "candidate") return afterCandidate(state, record);
  const { attempt } = state;
  if (attempt === null) return state;
  switch (record.type) {
    case "user":
      return afterMessage(state, attempt, record);
    case "assistant":
      return record.parts.some(({ kind }) => kind === "call")
        ? state
        : { ...state, attempt: withTurn(attempt, { status: "ended", gaveUp: null }) };
    case "tool_result":
      return afterResult(state, attempt, record);
    case "aborted":
      return { ...state, attempt: withTurn(attempt, turnAbortedBy(record)) };
    case "checkpoint":
      return record.kind === "task"
        ? { ...state, attempt: { ...attempt, checkpoint: record.number } }
        : state;
    default:
      return state;
  }
}

/**
 * A check of a checkout, or of a candidate that was taken back, says nothing of the tree as it stands; one of the
 * baseline belongs to no attempt.
 */
function afterCheckOf(state: WorkflowState, record: RecordOf<"check">): WorkflowState {
  if (record.purpose === "proof" || record.purpose === "old_tests") return state;
  if (record.purpose === "candidate") return changedBy(state, ownTouches(record), record.unknown);
  const { attempt } = state;
  const changed = changedBy(afterCheck(state, record), ownTouches(record), record.unknown);
  const isOurs = record.purpose === "attempt" && record.task === attempt?.about.task;
  if (attempt === null || !isOurs) return changed;
  const checks = [...attempt.checks, resultOf(state, record)];
  return { ...changed, attempt: { ...attempt, checks } };
}

function afterCandidate(state: WorkflowState, record: RecordOf<"candidate">): WorkflowState {
  const { number, status, path, before, after } = record;
  const touched = status === "undone"
    ? withUndone(state.touched, path, before)
    : withTouched(state.touched, [{ path, before, after }]);
  if (state.attempt === null) return { ...state, touched };
  const open = status === "begun" ? { number, path, before, after } : null;
  return {
    ...state,
    touched,
    attempt: { ...state.attempt, candidates: { tried: number, open } },
  };
}

/** The files touched, once one holds again what it held before a candidate. */
function withUndone(
  touched: WorkflowState["touched"],
  path: string,
  before: KeptFile | null,
): WorkflowState["touched"] {
  return touched.flatMap((file) => {
    if (file.path !== path) return [file];
    return isSameKept(file.before, before) ? [] : [{ ...file, after: before }];
  });
}

/** What is changed is followed whether something is being attempted or not. */
function afterChange(state: WorkflowState, record: SessionRecord): WorkflowState {
  if (record.type === "intent") {
    return { ...state, touched: withTouched(state.touched, beforeOf(record)) };
  }
  if (record.type === "tool_result") {
    return changedBy(state, touchedBy(record.outcome), unknownTo(record.outcome));
  }
  return state;
}

function changedBy(
  state: WorkflowState,
  touched: readonly TouchedFile[],
  unknown: readonly UnknownFile[],
): WorkflowState {
  return {
    ...state,
    touched: withTouched(state.touched, touched),
    unknown: [...state.unknown, ...unknown],
  };
}

/** The first attempt at `about`. */
function newAttempt(about: Attempt["about"]): Attempt {
  return {
    about,
    number: 0,
    turn: { status: "none" },
    checks: [],
    failure: null,
    checkpoint: null,
    candidates: { tried: 0, open: null },
  };
}

function attemptOfPhase({ phase, status }: RecordOf<"phase">): Attempt | null {
  return status === "entered" ? newAttempt({ phase, task: null }) : null;
}

function afterTask(state: WorkflowState, record: RecordOf<"task">): WorkflowState {
  const about = { phase: "execute", task: record.task } as const;
  if (record.status !== "running") {
    const isOurs = state.attempt !== null && isSameSubject(state.attempt.about, about);
    return isOurs
      ? {
        ...state,
        attempt: newAttempt({ phase: "execute", task: null }),
        touched: [],
        unknown: [],
      }
      : state;
  }
  const { cause, detail = "" } = record;
  const checks = failedChecks(state.attempt);
  const failure = cause === undefined ? null : { cause, detail, checks };
  return {
    ...state,
    attempt: { ...newAttempt(about), number: record.heals, failure },
  };
}

function afterMessage(
  state: WorkflowState,
  attempt: Attempt,
  { about, source }: RecordOf<"user">,
): WorkflowState {
  if (about === undefined || !isSameSubject(about, attempt.about)) {
    return { ...state, attempt: withTurn(attempt, { status: "interrupted" }) };
  }
  const open: AttemptTurn = { status: "open" };
  // What the user wants otherwise in a plan is planned with a new count of tries.
  const refusedPlans = source === "user" ? 0 : state.refusedPlans;
  // A heal of a task has its own record; elsewhere the message is what begins it.
  const isHeal = source === "heal" && about.phase !== "execute";
  const next = isHeal ? nextAttempt(attempt, open) : { ...attempt, turn: open };
  return { ...state, refusedPlans, attempt: next };
}

function nextAttempt(attempt: Attempt, turn: AttemptTurn): Attempt {
  return {
    ...attempt,
    number: attempt.number + 1,
    turn,
    checks: [],
    failure: failureOfChecks(attempt) ?? attempt.failure,
  };
}

/** A turn that is open gets another status; one that is not stays as it is. */
function withTurn(attempt: Attempt, turn: AttemptTurn): Attempt {
  return attempt.turn.status === "open" ? { ...attempt, turn } : attempt;
}

function turnAbortedBy({ reason, detail, cause }: RecordOf<"aborted">): AttemptTurn {
  if (reason === "interrupted") return { status: "interrupted" };
  const usual = reason === "limit" ? "limit_reached" : "model_error";
  return { status: "failed", cause: cause ?? usual, detail };
}

function afterResult(
  state: WorkflowState,
  attempt: Attempt,
  record: RecordOf<"tool_result">,
): WorkflowState {
  const { outcome, tool, isError, interrupted } = record;
  const plan = outcome?.kind === "plan" ? planSchema.safeParse(outcome.plan).data : undefined;
  const wasRefused = tool === "submit_plan" && isError && interrupted === undefined;
  const gaveUp = outcome?.kind === "task_finished" ? outcome.gaveUp : undefined;
  return {
    ...state,
    submitted: plan ?? state.submitted,
    refusedPlans: state.refusedPlans + (wasRefused ? 1 : 0),
    attempt: endsTurn(outcome)
      ? withTurn(attempt, { status: "ended", gaveUp: gaveUp ?? null })
      : attempt,
  };
}

/** Whether a call that was cut off has changed anything is not known; that it may have is. */
function beforeOf({ changes }: RecordOf<"intent">): Pick<TouchedFile, "path" | "before">[] {
  return changes.flatMap(({ path, renamedFrom, before }) =>
    renamedFrom === undefined
      ? [{ path, before }]
      : [{ path: renamedFrom, before }, { path, before: null }]
  );
}

/** Of each file, what was there before the first change since the last checkpoint, and what the last one left. */
function withTouched(
  touched: WorkflowState["touched"],
  changes: readonly (Pick<TouchedFile, "path" | "before"> & Partial<TouchedFile>)[],
): WorkflowState["touched"] {
  const files = new Map(touched.map((file) => [file.path, file]));
  for (const { path, before, after } of changes) {
    const first = files.get(path) ?? { path, before };
    files.set(path, after === undefined ? first : { ...first, after });
  }
  return [...files.values()];
}

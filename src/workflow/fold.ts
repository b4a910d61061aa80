/**
 * From records to the workflow's state.
 * Rule: pure, one function a record type; a record that means nothing to the workflow changes nothing.
 */
import type { JsonValue } from "../platform/canonical_json.ts";
import type { Baseline } from "../session/baseline.ts";
import {
  type Fold,
  isTakingBack,
  type RecordOf,
  type RecordType,
  type SessionRecord,
} from "../session/records.ts";
import { isCarried } from "../session/taken_over.ts";
import { PHASE_TABLE } from "./phase_table.ts";
import { afterAttemptRecord } from "./fold_attempt.ts";
import { mergeEdit } from "./merge_edit.ts";
import { approve } from "./plan_tasks.ts";
import {
  approvedVersion,
  NO_WORKFLOW,
  planSchema,
  readCarriedState,
  type WorkflowState,
} from "./state.ts";
import { movesTasks, tasksAfterUndo, whereUndoLeads } from "./undo_fold.ts";

type Step<T extends RecordType> = (state: WorkflowState, record: RecordOf<T>) => WorkflowState;

/** The state after `record`. */
export function nextState(state: WorkflowState, record: SessionRecord): WorkflowState {
  const next = apply(afterAttemptRecord(state, record), record);
  const action = actionOf(record);
  return action === undefined ? next : { ...next, lastAction: action, at: record.at };
}

function apply(state: WorkflowState, record: SessionRecord): WorkflowState {
  switch (record.type) {
    case "goal":
      return begin(state, record);
    case "project":
      return takeProject(state, record);
    case "question":
      return ask(state, record);
    case "answer":
      return answer(state, record);
    case "phase":
      return movePhase(state, record);
    case "plan":
      return takePlan(state, record);
    case "task":
      return moveTask(state, record);
    case "checkpoint":
      return takeCheckpoint(state, record);
    case "undo":
      return takeUndo(state, record);
    case "user":
      return takeMessage(state, record);
    case "edited":
      return mergeEdit(state, record.document, record.text);
    case "shipped":
      return takeStep(state, record);
    case "caveats":
      return { ...state, caveats: record.items };
    default:
      return state;
  }
}

/** A goal begins anew; the numbers of checkpoints go on, and those of plans that are not put away. */
const begin: Step<"goal"> = (state, { text, mode }) => ({
  ...NO_WORKFLOW,
  goal: { text, mode },
  plans: state.isShipped ? [] : state.plans.map((version) => ({ ...version, approved: false })),
  // Their tasks are none of the new goal's, whatever they are called.
  checkpoints: state.checkpoints.map((checkpoint) => ({ ...checkpoint, plan: null })),
  touched: state.touched,
  unknown: state.unknown,
  untold: state.untold,
  looks: state.isShipped ? {} : state.looks,
});

const takeProject: Step<"project"> = (
  state,
  { projectType, framework, packageManager, checks },
) => ({
  ...state,
  project: { projectType, framework, packageManager, checks },
});

const ask: Step<"question"> = (state, { question, text, options }) => ({
  ...state,
  questions: [...state.questions, { question, text, options, answer: null }],
});

const answer: Step<"answer"> = (state, { question, text, by }) => ({
  ...state,
  questions: state.questions.map((asked) =>
    asked.question === question ? { ...asked, answer: { text, by } } : asked
  ),
});

const movePhase: Step<"phase"> = (state, { phase, status, detail }) => {
  const moved: WorkflowState = { ...state, phase: { phase, status, detail } };
  return status === "entered" ? { ...moved, ...PHASE_TABLE[phase].begin(state) } : moved;
};

const takePlan: Step<"plan"> = (state, { version, approved, plan: given }) => {
  const plan = planSchema.parse(given);
  const others = state.plans.filter((other) => other.version !== version);
  const next = { ...state, plans: [...others, { version, approved, plan }], submitted: null };
  return approved ? approve(next, plan, "same content") : next;
};

const moveTask: Step<"task"> = (state, record) => ({
  ...state,
  tasks: state.tasks.map((task) =>
    task.id !== record.task ? task : {
      ...task,
      status: record.status,
      heals: record.heals,
      cause: record.cause ?? null,
      detail: record.detail ?? null,
      checkpoint: record.status === "pending" ? null : task.checkpoint,
    }
  ),
  checkpoints: checkpointsAfterTask(state, record),
});

/** A checkpoint keeps how its task ended, for a rollback that leads to it. */
function checkpointsAfterTask(
  { tasks, checkpoints }: WorkflowState,
  { task, status, heals, cause, detail }: RecordOf<"task">,
): WorkflowState["checkpoints"] {
  const number = tasks.find(({ id }) => id === task)?.checkpoint ?? null;
  if (number === null || status !== "done" && status !== "failed") return checkpoints;
  return checkpoints.map((checkpoint) =>
    checkpoint.number === number && checkpoint.end === null
      ? { ...checkpoint, end: { status, heals, cause: cause ?? null, detail: detail ?? null } }
      : checkpoint
  );
}

const takeCheckpoint: Step<"checkpoint"> = (state, record) => {
  const { number, commit, task, files, unkept, kind, to = null, turn = null } = record;
  const plan = kind === "task" ? approvedVersion(state)?.version ?? null : null;
  const made = { number, commit, task, files, unkept, kind, to, turn, plan, end: null };
  const undo = state.undo?.number === number ? null : state.undo;
  const checkpoints = [...state.checkpoints, made];
  const next = { ...state, checkpoints, touched: [], unknown: [], undo };
  if (isTakingBack(record)) return afterTakingBack(state, next, record);
  const tasks = state.tasks.map((other) =>
    task !== null && other.id === task ? { ...other, checkpoint: number } : other
  );
  return { ...next, tasks };
};

/** What is taken back of a shipped session's tasks is its work again, and its documents come back. */
function afterTakingBack(
  before: WorkflowState,
  next: WorkflowState,
  { to = 0, turn, files }: RecordOf<"checkpoint">,
): WorkflowState {
  const untold = [...new Set([...before.untold, ...files])];
  const told = { ...next, rewind: turn ?? null, untold };
  if (!movesTasks(before.checkpoints, to)) return told;
  return { ...told, isShipped: false, tasks: tasksAfterUndo(next) };
}

const takeUndo: Step<"undo"> = (state, { status, kind, to, number, commit, turn = null }) => ({
  ...state,
  undo: status === "begun" ? { kind, to, number, commit, turn } : null,
});

/** Whoever goes on talking has left it at that. */
const takeMessage: Step<"user"> = (state) => ({ ...state, rewind: null, untold: [] });

const takeStep: Step<"shipped"> = (state, { step }) => {
  if (step === "done") return { ...state, isShipped: true };
  return step === "undone" ? { ...state, isShipped: false } : state;
};

/** What STATE.md says was last done; undefined for records that say nothing to people. */
function actionOf(record: SessionRecord): string | undefined {
  switch (record.type) {
    case "goal":
      return "goal set";
    case "project":
      return "project looked at";
    case "question":
      return `question ${record.question} asked`;
    case "answer":
      return `question ${record.question} answered`;
    case "phase":
      return `${record.phase} ${record.status}${record.detail === "" ? "" : `: ${record.detail}`}`;
    case "plan":
      return `plan v${record.version} ${record.approved ? "approved" : "submitted"}`;
    case "task":
      return `task ${record.task} ${record.status}`;
    case "checkpoint":
      return !isTakingBack(record)
        ? `checkpoint ${record.number} made`
        : `${record.kind}: ${whereUndoLeads(record.to ?? 0)}`;
    case "check":
      return `check ${record.name} ${record.passed ? "passed" : "failed"}`;
    case "edited":
      return `edit of ${record.document} taken over`;
    default:
      return undefined;
  }
}

/** Whether the documents can be others after such a record. */
export function changesDocuments(record: SessionRecord): boolean {
  return actionOf(record) !== undefined;
}

/** The workflow of an epoch, growing with its log. */
export class WorkflowFold implements Fold {
  readonly #baseline: Baseline;
  #state: WorkflowState;

  /** @throws {DamagedData} when the baseline carries what is no state */
  constructor(baseline: Baseline) {
    this.#baseline = baseline;
    this.#state = readCarriedState(baseline.carried.workflow);
  }

  get state(): WorkflowState {
    return this.#state;
  }

  /** The state as the next epoch's baseline carries it. */
  carried(): JsonValue {
    return carriedState(this.#state);
  }

  apply(record: SessionRecord): void {
    if (!isCarried(record, this.#baseline)) this.#state = nextState(this.#state, record);
  }
}

/** A state as a baseline carries it: null where there is neither a goal nor anything to take back. */
export function carriedState(state: WorkflowState): JsonValue {
  const { goal, checkpoints, touched, undo } = state;
  const isEmpty = goal === null && checkpoints.length + touched.length === 0 && undo === null;
  return isEmpty ? null : state;
}

/**
 * The state of a workflow: what its log says, as one JSON value.
 * Rule: nothing is here that is not in the log; a later epoch's baseline carries it and the fold goes on from it.
 */
import { z } from "zod";
import type { JsonValue } from "../platform/canonical_json.ts";
import { DamagedData } from "../platform/errors.ts";
import { fileState, keptFile, unknownFile } from "../session/outcome.ts";
import { commandLine, objectId, projectPath } from "../session/patterns.ts";
import { failureCause, phaseName, type TurnSubject, turnSubject } from "../session/records.ts";
import { caveat, projectCheck, testCount } from "../session/verification.ts";

const count = z.int().nonnegative();

/** A plan as it was submitted or edited. */
export const planSchema = z.strictObject({
  summary: z.string(),
  tasks: z.array(z.strictObject({
    id: z.string(),
    title: z.string(),
    detail: z.string(),
    files: z.array(z.string()),
    dependsOn: z.array(z.string()),
    acceptance: z.string(),
  })),
  risks: z.array(z.string()),
  verification: z.array(z.string()),
  /** Checks that failed before any change, and that the plan leaves so. */
  leavesFailing: z.array(z.string()).default([]),
});
export type Plan = z.infer<typeof planSchema>;

/** How a check ended. */
const checkResult = z.strictObject({
  name: z.string(),
  command: commandLine,
  passed: z.boolean(),
  exitCode: z.int().nullable(),
  output: z.string(),
  /** How many tests it ran, where its output told. */
  tests: testCount.nullable().default(null),
  /** How long it took. */
  durationMs: z.number().nonnegative().default(0),
  /** How its failing counts; of one that passed it says nothing. */
  standing: z.enum(["counts", "excused", "machine"]).default("counts"),
});
export type CheckResult = z.infer<typeof checkResult>;

/** How a check ended last, whatever it was run for before anything is shipped. */
const lastCheck = checkResult.pick({ name: true, command: true, passed: true, tests: true }).extend(
  {
    /** The git tree that it ran on; null when that is not known. */
    tree: z.string().nullable(),
  },
);

/** Why an attempt failed; `checks` are the evidence where checks failed. */
const failure = z.strictObject({
  cause: failureCause,
  detail: z.string(),
  checks: z.array(checkResult),
});
export type Failure = z.infer<typeof failure>;

/** The turn of an attempt: not begun, under way, ended by the model, interrupted by the user, failed. */
const attemptTurn = z.discriminatedUnion("status", [
  z.strictObject({ status: z.literal("none") }),
  z.strictObject({ status: z.literal("open") }),
  /** `gaveUp` is why the model says that the task cannot be done. */
  z.strictObject({ status: z.literal("ended"), gaveUp: z.string().nullable() }),
  z.strictObject({ status: z.literal("interrupted") }),
  z.strictObject({ status: z.literal("failed"), cause: failureCause, detail: z.string() }),
]);
export type AttemptTurn = z.infer<typeof attemptTurn>;

/** A proposal of a model's that is being tried in the tree. */
const openCandidate = z.strictObject({
  number: count,
  path: projectPath,
  before: keptFile,
  after: keptFile,
});

/** What is being done now: a phase, or in `execute` a task; one turn and its checks. */
const attempt = z.strictObject({
  about: turnSubject,
  /** 0 for the first, then one more a heal. */
  number: count,
  turn: attemptTurn,
  /** Those that have ended in this attempt, in their order. */
  checks: z.array(checkResult),
  /** What the attempt before this one ended in. */
  failure: failure.nullable(),
  /** The number of the checkpoint that was made of it. */
  checkpoint: count.nullable(),
  /** How many proposals were tried, and the one that stands in the tree and is not judged yet. */
  candidates: z.strictObject({ tried: count, open: openCandidate.nullable() })
    .default({ tried: 0, open: null }),
});
export type Attempt = z.infer<typeof attempt>;

const task = z.strictObject({
  id: z.string(),
  status: z.enum(["pending", "running", "done", "failed", "skipped"]),
  heals: count,
  cause: failureCause.nullable(),
  detail: z.string().nullable(),
  checkpoint: count.nullable(),
});
export type TaskState = z.infer<typeof task>;

/** A file that m31a changed; `after` is what it made of it, where the log says so. */
const touchedFile = z.strictObject({
  path: projectPath,
  before: fileState,
  after: fileState.exactOptional(),
});

const checkpoint = z.strictObject({
  number: count,
  commit: objectId,
  task: z.string().nullable(),
  files: z.array(projectPath),
  /** What was changed and is in no checkpoint, and why. */
  unkept: z.array(unknownFile).default([]),
  kind: z.enum(["task", "turn", "undo", "rollback"]),
  /** Of an undo or a rollback: the checkpoint whose state came back. */
  to: count.nullable(),
  /** The turn that was the last one when it was made; earlier versions did not say. */
  turn: count.nullable().default(null),
  /** The version of the plan that the task was of. */
  plan: count.nullable(),
  /** How the task ended whose checkpoint this is. */
  end: task.omit({ id: true, checkpoint: true }).nullable(),
});
export type CheckpointState = z.infer<typeof checkpoint>;

const workflowState = z.strictObject({
  goal: z.strictObject({ text: z.string(), mode: z.enum(["run", "chat"]) }).nullable(),
  project: z.strictObject({
    projectType: z.string(),
    framework: z.string(),
    packageManager: z.string(),
    checks: z.array(projectCheck),
  }).nullable(),
  questions: z.array(z.strictObject({
    question: count,
    text: z.string(),
    options: z.array(z.string()),
    answer: z.strictObject({ text: z.string(), by: z.enum(["user", "recommended"]) }).nullable(),
  })),
  /** All versions, the newest last. */
  plans: z.array(z.strictObject({ version: count, approved: z.boolean(), plan: planSchema })),
  /** Versions from here on belong to the planning that is going on, or was last. */
  planFrom: count,
  /** A plan that the model has submitted and that is not a version yet. */
  submitted: planSchema.nullable(),
  /** Plans that were handed back in this planning. */
  refusedPlans: count,
  /** The tasks of the approved plan, in its order. */
  tasks: z.array(task),
  phase: z.strictObject({
    phase: phaseName,
    status: z.enum(["entered", "done", "failed"]),
    detail: z.string(),
  }).nullable(),
  attempt: attempt.nullable(),
  /** How each check ended before anything was changed. */
  baseline: z.array(checkResult).default([]),
  lastChecks: z.array(lastCheck).default([]),
  /** What is to be known of the last verification besides that the checks passed. */
  caveats: z.array(caveat).default([]),
  /** Files changed since the last checkpoint, with what was there before. */
  touched: z.array(touchedFile),
  /** What may have been changed since then, and of which it cannot be told. */
  unknown: z.array(unknownFile).default([]),
  checkpoints: z.array(checkpoint),
  /** An undo that has begun to change files and is not recorded as done. Format 1 had no such. */
  undo: z.strictObject({
    kind: z.enum(["undo", "rollback"]),
    to: count,
    number: count,
    commit: objectId,
    turn: count.nullable().default(null),
  }).nullable().default(null),
  /** Files were taken back, and the conversation is to follow: to the end of this turn. */
  rewind: count.nullable().default(null),
  /** Files that were taken back and of which the model has not been told. */
  untold: z.array(projectPath).default([]),
  /** The text of each document as a person last edited it: the look that rendering keeps. */
  looks: z.record(z.string(), z.string()),
  /** It was shipped and its documents are put away; nothing was begun since. */
  isShipped: z.boolean(),
  lastAction: z.string(),
  /** When that was; empty before anything was done. */
  at: z.string(),
});

/** What a log says of its workflow. */
export type WorkflowState = z.infer<typeof workflowState>;

/** The state of a session without a workflow. */
export const NO_WORKFLOW: WorkflowState = {
  goal: null,
  project: null,
  questions: [],
  plans: [],
  planFrom: 1,
  submitted: null,
  refusedPlans: 0,
  tasks: [],
  phase: null,
  attempt: null,
  baseline: [],
  lastChecks: [],
  caveats: [],
  touched: [],
  unknown: [],
  checkpoints: [],
  undo: null,
  rewind: null,
  untold: [],
  looks: {},
  isShipped: false,
  lastAction: "",
  at: "",
};

/**
 * Reads the state that a baseline carries; null is that of no workflow.
 *
 * @throws {DamagedData} when it is not one
 */
export function readCarriedState(carried: JsonValue): WorkflowState {
  if (carried === null) return NO_WORKFLOW;
  const parsed = workflowState.safeParse(carried);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new DamagedData(
    `the baseline's carried.workflow is not a workflow's state: ${
      issue?.path.join(".")
    }: ${issue?.message}`,
  );
}

/** The newest version of the plan. */
export function latestPlan(state: WorkflowState): WorkflowState["plans"][number] | undefined {
  return state.plans.at(-1);
}

/** The plan that is carried out. */
export function approvedPlan(state: WorkflowState): Plan | undefined {
  return approvedVersion(state)?.plan;
}

/** The version of the plan that is carried out. */
export function approvedVersion(state: WorkflowState): WorkflowState["plans"][number] | undefined {
  return state.plans.findLast(({ approved }) => approved);
}

/** Whether two subjects are the same. */
export function isSameSubject(a: TurnSubject, b: TurnSubject): boolean {
  return a.phase === b.phase && a.task === b.task;
}

/** Whether a task is done and its checkpoint holds no file: it has changed nothing. */
export function changedNothing(
  { checkpoints }: Pick<WorkflowState, "checkpoints">,
  { status, checkpoint }: TaskState,
): boolean {
  if (status !== "done") return false;
  return checkpoints.find(({ number }) => number === checkpoint)?.files.length === 0;
}

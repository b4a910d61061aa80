/**
 * The part of the fold that follows checks: how each ended last, how it was before anything was changed, and how a
 * failure counts.
 * Rule: pure; what the machine is the cause of, and what failed before and is left so, is nobody's to heal.
 */
import type { RecordOf } from "../session/records.ts";
import { causeOf, failureDetail } from "./causes.ts";
import { isEnvironmentCause } from "./checks/environment.ts";
import type { Attempt, CheckResult, Failure, WorkflowState } from "./state.ts";
import { approvedPlan } from "./state.ts";

/** A check by its name and its command: one with another command is another check. */
type Check = Pick<CheckResult, "name" | "command">;

/** Whether two are the same check. */
export function isSameCheck(a: Check, b: Check): boolean {
  return a.name === b.name && a.command === b.command;
}

/** The check that ended, as the state has it. */
export function resultOf(
  state: WorkflowState,
  record: Pick<RecordOf<"check">, Exclude<keyof CheckResult, "standing">>,
): CheckResult {
  const { name, command, passed, exitCode, output, tests, durationMs } = record;
  const result = { name, command, passed, exitCode, output, tests, durationMs };
  return { ...result, standing: standingOf(state, result) };
}

function standingOf(
  state: WorkflowState,
  check: Omit<CheckResult, "standing">,
): CheckResult["standing"] {
  if (check.passed) return "counts";
  const before = state.baseline.find((known) => isSameCheck(known, check));
  const hasFailed = before?.passed === false;
  if (hasFailed && (isLeftFailing(state, check) || isGoneOnWithout(state, before))) {
    return "excused";
  }
  // What passed here before cannot run for what the session did, and that can be mended.
  return before?.passed !== true && isEnvironmentCause(causeOf(check)) ? "machine" : "counts";
}

function isLeftFailing(state: WorkflowState, { name }: Check): boolean {
  return approvedPlan(state)?.leavesFailing.includes(name) ?? false;
}

/** The answer that goes on. */
export const GO_ON_WITHOUT = "go on without it";

/** What the user of a chat is asked about a check that cannot run here. */
export function withoutQuestion(check: CheckResult): string {
  return `Before any change, ${failureDetail(check)} Go on without this check?`;
}

/** Whether the user has said to go on without a check that cannot run here. */
export function isGoneOnWithout({ questions }: WorkflowState, check: CheckResult): boolean {
  const question = withoutQuestion(check);
  return questions.some(({ text, answer }) => text === question && answer?.text === GO_ON_WITHOUT);
}

/** The state once a check has ended that is about the working tree. */
export function afterCheck(state: WorkflowState, record: RecordOf<"check">): WorkflowState {
  const { name, command, passed, tests, purpose } = record;
  const last = { name, command, passed, tests, tree: treeOf(record) };
  const lastChecks = [...state.lastChecks.filter((known) => !isSameCheck(known, last)), last];
  if (purpose !== "baseline") return { ...state, lastChecks };
  const others = state.baseline.filter((known) => !isSameCheck(known, record));
  return { ...state, lastChecks, baseline: [...others, resultOf(state, record)] };
}

/** The tree that a check has run on; null when it is not known, or the check itself has made another of it. */
function treeOf({ tree, touched, unknown }: RecordOf<"check">): string | null {
  return "id" in tree && touched.length + unknown.length === 0 ? tree.id : null;
}

/** The checks that failed in an attempt and count. */
export function failedChecks(attempt: Attempt | null): Failure["checks"] {
  const failed =
    attempt?.checks.filter(({ passed, standing }) => !passed && standing !== "excused") ?? [];
  // The model is shown what it can mend, as long as there is any.
  const own = failed.filter(({ standing }) => standing === "counts");
  return own.length > 0 ? own : failed;
}

/** Why an attempt failed whose checks did, the first of them deciding; null when none has. */
export function failureOfChecks(attempt: Attempt | null): Failure | null {
  const checks = failedChecks(attempt);
  const [first] = checks;
  if (first === undefined) return null;
  return { cause: causeOf(first), detail: checks.map(failureDetail).join("; "), checks };
}

/** Whether nothing but the machine is the cause of a failure: no change of the code mends it. */
export function isOfMachine({ checks }: Failure): boolean {
  return checks.length > 0 && checks.every(({ standing }) => standing === "machine");
}

/** Those of the project's checks that failed before any change. */
export function failedBefore({ project, baseline }: WorkflowState): CheckResult[] {
  return baseline.filter((check) =>
    !check.passed && project?.checks.some((known) => isSameCheck(known, check))
  );
}

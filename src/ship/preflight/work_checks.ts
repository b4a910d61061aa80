/**
 * Whether the work is what it is said to be: something changed, checked, and complete.
 * Rule: pure; what is committed without proof needs a flag, and the flag is recorded.
 */
import { counted } from "../../platform/text.ts";
import { found, overridable, passed, type PreflightCheck } from "./check.ts";
import type { ChangeFacts, WorkFacts } from "./facts.ts";

/** Is there anything to commit? */
export function judgeChanges({ changedFiles, metrics }: ChangeFacts): PreflightCheck {
  if (changedFiles === 0) {
    return found(
      "changes",
      "block",
      "nothing to ship: the session's files are as the last commit has them",
      "Let the session change something first, or end it: m31a session close",
    );
  }
  const { insertions, deletions } = metrics;
  return passed("changes", `${counted(changedFiles, "file")}, +${insertions} -${deletions}`);
}

/** Did the project's checks pass on what is there now? */
export function judgeVerification(
  { isVerified, checks, overrides }: WorkFacts,
  { changedSince }: ChangeFacts,
): PreflightCheck {
  const failed = checks.filter((check) => !check.passed).map(({ name }) => name);
  if (isVerified && changedSince.length === 0) {
    return passed("verification", checks.map(({ name }) => name).join(", ") || "verified");
  }
  const check = !isVerified && failed.length > 0
    ? found(
      "verification",
      "block",
      `checks do not pass: ${failed.join(", ")}`,
      "Let the session go on until they do.",
    )
    : !isVerified
    ? found(
      "verification",
      "block",
      "the checks were not run on this state of the project",
      "Let the session verify it.",
    )
    : found(
      "verification",
      "block",
      "files have changed since the checks passed",
      "Let the session verify it again.",
      changedSince,
    );
  return overridable(check, "--unverified", overrides);
}

/** Are all tasks done? */
export function judgeTasks({ tasks, overrides }: WorkFacts): PreflightCheck {
  const open = tasks.filter(({ status }) => status !== "done");
  const missed = tasks.filter(({ changedNothing, files }) => changedNothing && files.length > 0);
  if (open.length === 0 && missed.length > 0) {
    return found(
      "tasks",
      "warn",
      `${
        counted(missed.length, "task")
      } of ${tasks.length} changed nothing, though the plan named files`,
      "See whether that is what you want before you let it be committed.",
      missed.map(({ id, files }) => `${id} (${files.join(", ")})`),
    );
  }
  if (open.length === 0) {
    return passed(
      "tasks",
      tasks.length === 0 ? "no plan" : `${counted(tasks.length, "task")} done`,
    );
  }
  const check = found(
    "tasks",
    "block",
    `${counted(open.length, "task")} of ${tasks.length} not done`,
    "Let the session go on.",
    open.map(({ id, status }) => `${id} (${status})`),
  );
  return overridable(check, "--partial", overrides);
}

/**
 * What the checks say of a candidate that stands in the tree.
 * Rule: they run in their order until one fails; nothing is recorded before the verdict is there.
 */
import type { RecordDraft, RecordOf } from "../../session/records.ts";
import { failureDetail } from "../causes.ts";
import { isSameCheck, resultOf } from "../fold_checks.ts";
import { runOne } from "../run_checks.ts";
import type { CheckResult, WorkflowState } from "../state.ts";
import type { Work } from "../work.ts";

/** How a candidate did. */
export interface Verdict {
  hasPassed: boolean;
  /** The checks that were run, to be recorded. */
  drafts: Extract<RecordDraft, { type: "check" }>[];
  /** The first that failed and counts. */
  failed: CheckResult | undefined;
  /** How far it is from passing; less is nearer. */
  distance: number;
}

/** A candidate's check may take so much longer than the same before any change. */
const PATIENCE = { factor: 3, seconds: 15 };

/** What stands for the number of failed tests where nobody can tell it. */
const UNTOLD = 100_000;

/**
 * Runs the checks.
 *
 * @throws the signal's reason when it is aborted
 */
export async function judge(work: Work): Promise<Verdict> {
  const checks = work.state.project?.checks ?? [];
  const drafts: Verdict["drafts"] = [];
  for (const [index, check] of checks.entries()) {
    const draft = await runOne(work, check, {
      purpose: "candidate",
      task: work.attempt.about.task,
      signal: work.signal,
      onOutput: () => {},
      maxSeconds: patienceWith(work.state, check),
    });
    if (draft?.type !== "check") continue;
    drafts.push(draft);
    const result = resultOf(work.state, draft);
    if (result.passed || result.standing === "excused") continue;
    const distance = distanceOf(checks.length - index, result);
    return { hasPassed: false, drafts, failed: result, distance };
  }
  return { hasPassed: true, drafts, failed: undefined, distance: 0 };
}

/** How far the project was from passing before any change; nothing where all checks passed. */
export function distanceBefore({ project, baseline }: WorkflowState): number {
  const checks = project?.checks ?? [];
  for (const [index, check] of checks.entries()) {
    const before = baseline.find((known) => isSameCheck(known, check));
    if (before !== undefined && !before.passed) return distanceOf(checks.length - index, before);
  }
  return 0;
}

function distanceOf(checksLeft: number, { tests }: Pick<CheckResult, "tests">): number {
  return checksLeft * 2 * UNTOLD + Math.min(tests?.failed || UNTOLD, UNTOLD);
}

/** A candidate that never ends is not waited for as long as a check may take. */
function patienceWith({ baseline }: WorkflowState, check: { name: string; command: string }) {
  const before = baseline.find((known) => isSameCheck(known, check));
  if (before === undefined) return undefined;
  return Math.ceil(before.durationMs / 1000) * PATIENCE.factor + PATIENCE.seconds;
}

/** The checks of a verdict as they are recorded: those of a candidate that is kept are the attempt's own. */
export function checksFor(
  { drafts }: Verdict,
  purpose: Extract<RecordOf<"check">["purpose"], "attempt" | "candidate">,
): RecordDraft[] {
  return drafts.map((draft) => ({ ...draft, purpose }));
}

/** A failed verdict in a line. */
export function verdictText({ failed }: Verdict): string {
  if (failed === undefined) return "passed";
  const tests = failed.tests;
  return tests !== null && tests.failed > 0
    ? `${tests.failed} of ${tests.ran} ${tests.unit} failed`
    : failureDetail(failed);
}

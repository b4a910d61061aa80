/**
 * What the checks say before anything is changed, told before the plan.
 * Rule: what only the user can mend is the user's to mend: alone, the workflow ends with what helps; a user at the gates
 * is asked whether to go on without.
 */
import { Interrupted } from "../platform/errors.ts";
import { failureDetail } from "./causes.ts";
import { failedBefore, GO_ON_WITHOUT, isGoneOnWithout, withoutQuestion } from "./fold_checks.ts";
import type { CheckResult } from "./state.ts";
import type { Work } from "./work.ts";

const STOP = "stop here, and mend it first";

/**
 * Waits for the checks that run before any change, and settles what they found.
 *
 * @param atMostMs how long; without it until they have ended
 * @returns why the workflow cannot go on
 * @throws {Interrupted} when the user wants to mend it first
 */
export async function settleBaseline(work: Work, atMostMs?: number): Promise<string | undefined> {
  work.baseline.start();
  if (!await work.baseline.settle(atMostMs)) {
    work.parts.onEvent({
      type: "notice",
      text: "The checks are still running as they were before any change. " +
        "The plan is made meanwhile; the first task waits for them.",
    });
  }
  const missing = failedBefore(work.state).filter((check) =>
    check.standing === "machine" && !isGoneOnWithout(work.state, check)
  );
  if (missing.length === 0) return undefined;
  const { gates } = work.parts.link;
  if (gates === undefined) {
    return `before any change, ${missing.map(failureDetail).join("; ")}`;
  }
  for (const check of missing) await askToGoOn(work, check, gates);
  await work.project();
  return undefined;
}

async function askToGoOn(
  work: Work,
  check: CheckResult,
  gates: NonNullable<Work["parts"]["link"]["gates"]>,
): Promise<void> {
  const text = withoutQuestion(check);
  const options = [STOP, GO_ON_WITHOUT];
  const answer = await gates.ask({ question: text, options });
  if (answer !== GO_ON_WITHOUT) {
    throw new Interrupted(`the check "${check.name}" is to be mended first`);
  }
  const number = Math.max(0, ...work.state.questions.map(({ question }) => question)) + 1;
  work.append(
    { type: "question", question: number, text, options },
    { type: "answer", question: number, text: answer, by: "user" },
  );
}

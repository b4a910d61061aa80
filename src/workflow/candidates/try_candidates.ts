/**
 * A task by candidates: a proposal for a file, tried in the tree, judged by the checks, kept or taken away.
 * Rule: the checks are the judge; what does not pass is taken away again, and a test is never proposed anew.
 */
import { changeablePath, textOf } from "../../agent/change.ts";
import { callContext } from "../../agent/call_context.ts";
import { LimitReached, outOfTime, TurnBudget } from "../../agent/limits.ts";
import { ContextOverflow, ModelError } from "../../model/errors.ts";
import { Interrupted, UsageError, WorkFailed } from "../../platform/errors.ts";
import { counted } from "../../platform/text.ts";
import { SessionError } from "../../session/errors.ts";
import { isTestFile } from "../../ship/checks/test_files.ts";
import { causeOf, failureDetail } from "../causes.ts";
import type { Failure, Plan } from "../state.ts";
import type { Work } from "../work.ts";
import { place, recordOf, settleCandidate, stateAt, takeAway } from "./candidate_file.ts";
import { checksFor, distanceBefore, judge, type Verdict, verdictText } from "./judge.ts";
import { evidenceOf } from "./own_plan.ts";
import { askForProposal } from "./request.ts";

/** How many proposals there are for a task. */
const MAX_CANDIDATES = 8;

/** The first proposal for a file is the likeliest; the others are to differ. */
const OTHERS_TEMPERATURE = 0.8;

/**
 * Works on the running task.
 *
 * @returns why it failed; undefined when the checks pass with what stands in the tree
 * @throws {Interrupted} when the user interrupts {@linkcode SessionError} when the log cannot be written
 */
export async function tryCandidates(
  work: Work,
  { title, files }: Plan["tasks"][number],
): Promise<Failure | undefined> {
  try {
    await settleCandidate(work);
    const paths = changeable(work, files);
    await expectAllowed(work, paths, title);
    return await new Trial(work, paths).run();
  } catch (error) {
    if (work.signal.aborted) throw new Interrupted();
    if (error instanceof SessionError || error instanceof Interrupted) throw error;
    if (error instanceof LimitReached) return failureOf("limit_reached", error);
    if (error instanceof ContextOverflow) return failureOf("context_overflow", error);
    if (error instanceof ModelError) return failureOf("model_error", error);
    if (error instanceof WorkFailed || error instanceof UsageError) {
      return failureOf("edit_conflict", error);
    }
    throw error;
  }
}

function failureOf(cause: Failure["cause"], { message }: Error): Failure {
  return { cause, detail: message, checks: [] };
}

/** @throws {UsageError} for a test, and for what m31a's tools do not change */
function changeable(work: Work, files: readonly string[]): string[] {
  const context = callContext(work.parts.conversation, work.signal);
  const [test] = files.filter(isTestFile);
  if (test !== undefined) {
    throw new UsageError(`${test}: is a test, and no candidate is made of one`);
  }
  if (files.length === 0) throw new UsageError("the task names no file; name it in the plan");
  return files.map((path) => changeablePath(context, path));
}

async function expectAllowed(work: Work, paths: readonly string[], title: string): Promise<void> {
  const names = paths.join(", ");
  const { isAllowed, reason } = await work.parts.conversation.world.approve({
    tool: "write_file",
    summary: `try up to ${MAX_CANDIDATES} proposals for ${names}, and keep the one that passes`,
    detail: title,
    scope: { keys: paths.map((path) => `change ${path}`), words: `every change to ${names}` },
    id: crypto.randomUUID(),
    signal: work.signal,
  });
  if (isAllowed) return;
  throw new WorkFailed(
    `no proposal was tried for ${names}: ${reason ?? "the user did not allow it"}`,
  );
}

/** The proposals of one task. */
class Trial {
  readonly #work: Work;
  readonly #paths: readonly string[];
  readonly #budget: TurnBudget;
  readonly #startedMs: number;
  /** Texts that were proposed already, with their paths. */
  readonly #known = new Set<string>();
  /** Those that bring the project nearer to passing, where several files are changed. */
  readonly #kept: Awaited<ReturnType<typeof place>>[] = [];
  #distance: number;
  #last: Verdict | undefined;

  constructor(work: Work, paths: readonly string[]) {
    const { limits, clock } = work.parts.conversation.world;
    this.#work = work;
    this.#paths = paths;
    this.#budget = new TurnBudget(limits);
    this.#startedMs = clock.monotonicMs();
    this.#distance = distanceBefore(work.state);
  }

  async run(): Promise<Failure | undefined> {
    const first = this.#work.attempt.candidates.tried;
    for (let index = first; index < MAX_CANDIDATES; index++) {
      this.#work.throwIfInterrupted();
      this.#expectTime();
      const path = this.#paths[index % this.#paths.length] ?? "";
      const temperature = index < this.#paths.length ? 0 : OTHERS_TEMPERATURE;
      const said = await this.#try(path, temperature);
      const text = `proposal ${index + 1} of ${MAX_CANDIDATES} for ${path}: ${said ?? "passed"}`;
      this.#work.parts.onEvent({ type: "notice", text });
      if (said === undefined) return undefined;
    }
    for (const candidate of this.#kept.toReversed()) await takeAway(this.#work, candidate);
    return this.#failure();
  }

  #expectTime(): void {
    const { limits, clock } = this.#work.parts.conversation.world;
    const elapsedMs = clock.monotonicMs() - this.#startedMs;
    const { secondsPerTurn } = limits;
    if (secondsPerTurn > 0 && elapsedMs > secondsPerTurn * 1000) throw outOfTime(limits);
  }

  /** One proposal; resolves to what is wrong with it, undefined when it has passed and is kept. */
  async #try(path: string, temperature: number): Promise<string | undefined> {
    const work = this.#work;
    const before = stateAt(work, path);
    const text = before === undefined ? "" : textOf(path, before);
    const wanted = { path, text, evidence: evidenceOf(work), temperature };
    const proposed = await askForProposal(work, wanted, this.#budget);
    if (proposed === undefined) return "the answer holds no whole content";
    if (proposed === text) return "it changes nothing";
    const key = `${path}\0${proposed}`;
    if (this.#known.has(key)) return "it was proposed before";
    this.#known.add(key);
    const candidate = await place(work, path, before, proposed);
    const verdict = await judge(work);
    if (verdict.hasPassed) {
      work.append(...checksFor(verdict, "attempt"), recordOf(work, candidate, "kept"));
      return undefined;
    }
    this.#last = verdict;
    const checks = checksFor(verdict, "candidate");
    const isNearer = this.#paths.length > 1 && verdict.distance < this.#distance;
    if (!isNearer) {
      await takeAway(work, candidate, ...checks);
      return verdictText(verdict);
    }
    work.append(...checks, recordOf(work, candidate, "kept"));
    this.#kept.push(candidate);
    this.#distance = verdict.distance;
    return `${verdictText(verdict)}; it stays, being nearer`;
  }

  #failure(): Failure {
    const what = `none of ${counted(MAX_CANDIDATES, "proposal")} passed`;
    const failed = this.#last?.failed;
    if (failed === undefined) {
      const detail = `${what}: the model's answers hold no other text of the file`;
      return { cause: "model_error", detail, checks: [] };
    }
    const detail = `${what}; the last: ${failureDetail(failed)}`;
    return { cause: causeOf(failed), detail, checks: [failed] };
  }
}

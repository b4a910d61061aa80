/**
 * What a session's log says that its ledger entry, its commit and its demonstration are made of.
 * Rule: a fold over the records of all epochs; what counts once an attempt begins anew after each entry.
 */
import type { Cause } from "../ledger/names.ts";
import type { RequestUsage } from "../ledger/usage.ts";
import type { Baseline } from "../session/baseline.ts";
import { unknownTo } from "../session/outcome.ts";
import { isTakingBack, ownTouches, type RecordOf, type SessionRecord } from "../session/records.ts";
import { FailureTally } from "./failure_tally.ts";
import { MakingTimes } from "./making_times.ts";
import { RecordedSteps } from "./steps.ts";
import { changesFiles, TouchedFiles } from "./touched_files.ts";
import { phaseOf, WorkClock } from "./work_clock.ts";

/** Tells why a check failed, from what it left. */
export type Diagnose = (
  evidence: Pick<RecordOf<"check">, "name" | "command" | "exitCode" | "output">,
) => { cause: Cause; detail: string };

/** A session that a fork comes from: its records are those up to `lastSeq`, oldest first. */
export interface Ancestor {
  session: string;
  lastSeq: number;
}

/** How a check ended. */
export type CheckOutcome = Pick<
  RecordOf<"check">,
  | "name"
  | "command"
  | "task"
  | "passed"
  | "output"
  | "durationMs"
  | "tree"
  | "touched"
  | "unknown"
  | "tests"
>;

/** Follows all records of a session. */
export class SessionAccount {
  readonly touched = new TouchedFiles();
  readonly steps = new RecordedSteps();
  readonly clock = new WorkClock();
  readonly makingTimes = new MakingTimes();
  failures = new FailureTally();
  /** When the attempt began. */
  startedAt: string;
  /** The time of the last record. */
  lastAt: string;
  /** Whether the session has a workflow's goal that no entry tells the end of. */
  hasOpenGoal = false;
  /** Whether the verify phase ended well and nothing was changed or begun since. */
  isVerified = false;
  /** The first thing that was said. */
  firstMessage = "";
  /** Files that checks have changed since the last entry, each with the check that did so last. */
  readonly changedByChecks = new Map<string, string>();
  readonly #ancestors: readonly Ancestor[];
  readonly #diagnose: Diagnose;
  readonly #baseline: Baseline;
  #requests: RequestUsage[] = [];
  #untold = new Map<string, string>();
  #checks = new Map<string, CheckOutcome>();
  #abortCause: Cause | undefined;
  #isNewAttempt = false;
  /** Whether a check has failed since the verify phase was entered, or healed: the first one decides. */
  #hasFailedVerifying = false;

  /**
   * @param baseline of the session's first epoch
   * @param ancestors where the session is a fork: whose records it begins with
   */
  constructor(baseline: Baseline, ancestors: readonly Ancestor[], diagnose: Diagnose) {
    this.#baseline = baseline;
    this.#ancestors = ancestors;
    this.#diagnose = diagnose;
    this.startedAt = baseline.createdAt;
    this.lastAt = baseline.createdAt;
  }

  get session(): string {
    return this.#baseline.session;
  }

  /** What the session began with. */
  get baseline(): Baseline {
    return this.#baseline;
  }

  /** The requests since the last entry, those of ancestors among them. */
  get requests(): readonly RequestUsage[] {
    return this.#requests;
  }

  /** What of the changes since the last commit could not be told, and why. */
  get untold(): readonly { path: string; why: string }[] {
    return [...this.#untold].map(([path, why]) => ({ path, why }));
  }

  /** How each check ended last, on the whole tree where it was run on it. */
  get checks(): readonly CheckOutcome[] {
    return [...this.#checks.values()];
  }

  /** Takes the next record of epoch `epoch`. */
  apply(record: SessionRecord, epoch: number): void {
    const owner = this.#ownerOf(record, epoch);
    const isOwn = owner === this.session;
    if (this.#isNewAttempt && record.type !== "shipped") {
      this.startedAt = record.at;
      this.#isNewAttempt = false;
    }
    this.lastAt = record.at;
    if (isOwn) this.steps.apply(record);
    this.clock.apply(record);
    if (isOwn) this.makingTimes.apply(record);
    this.touched.apply(record);
    this.#noteUntold(record);
    if (changesFiles(record)) this.isVerified = false;
    this.#follow(record, owner);
    if (isOwn && record.type === "shipped") this.#takeStep(record.step);
  }

  #noteUntold(record: SessionRecord): void {
    const unknown = record.type === "tool_result"
      ? unknownTo(record.outcome)
      : record.type === "check"
      ? record.unknown
      : [];
    for (const { path, why } of unknown) this.#untold.set(path, why);
  }

  #ownerOf({ seq }: SessionRecord, epoch: number): string {
    if (epoch > 0) return this.session;
    return this.#ancestors.find(({ lastSeq }) => seq <= lastSeq)?.session ?? this.session;
  }

  #follow(record: SessionRecord, owner: string): void {
    switch (record.type) {
      case "goal":
        this.hasOpenGoal = true;
        this.isVerified = false;
        this.#checks.clear();
        break;
      case "phase":
        this.#followPhase(record);
        break;
      case "checkpoint":
        if (isTakingBack(record)) this.isVerified = false;
        break;
      case "user":
        if (this.firstMessage === "") this.firstMessage = record.text;
        if (record.source === "heal" && record.about?.phase === "verify") {
          this.failures.heal("verify");
          this.#hasFailedVerifying = false;
        }
        break;
      case "task":
        this.#followTask(record);
        break;
      case "check":
        this.#followCheck(record);
        break;
      case "aborted":
        this.#abortCause = record.cause ?? ABORT_CAUSES[record.reason];
        break;
      case "usage":
        this.#requests.push(this.#requestOf(record, owner));
        break;
      default:
        break;
    }
  }

  #followPhase({ phase, status, detail }: RecordOf<"phase">): void {
    if (phase !== "ship") this.isVerified = phase === "verify" && status === "done";
    if (status === "entered") {
      this.#abortCause = undefined;
      this.#hasFailedVerifying = false;
      this.hasOpenGoal ||= phase !== "ship";
    }
    // What is taken back of tasks that were shipped is open again.
    if (phase === "execute" && status === "failed") this.hasOpenGoal = true;
    if (status === "done") this.failures.pass(phase);
    if (status !== "failed" || phase === "ship" || this.failures.isFailing(phase)) return;
    // What a task failed with is told by the task.
    if (phase === "execute") return;
    this.failures.fail(phase, this.#abortCause ?? "unknown", detail);
  }

  #followTask({ task, status, heals, cause, detail }: RecordOf<"task">): void {
    if (status === "done") return this.failures.pass(task);
    if (cause === undefined || status === "pending" || status === "skipped") return;
    this.failures.fail(task, cause, detail ?? "");
    if (status === "running" && heals > 0) this.failures.heal(task);
  }

  #followCheck(record: RecordOf<"check">): void {
    for (const { path } of ownTouches(record)) this.changedByChecks.set(path, record.name);
    if (record.purpose !== "attempt") return;
    const known = this.#checks.get(record.name);
    // What was checked on the whole tree says more than what was checked after a task.
    if (record.task === null || known === undefined || known.task !== null) {
      this.#checks.set(record.name, record);
    }
    if (record.task !== null || record.passed || this.clock.phase !== "verify") return;
    if (this.#hasFailedVerifying) return;
    this.#hasFailedVerifying = true;
    const { cause, detail } = this.#diagnose(record);
    this.failures.fail("verify", cause, detail);
  }

  #requestOf(record: RecordOf<"usage">, owner: string): RequestUsage {
    const { requestId, input, output, cacheRead, cacheWrite, cost, costSource } = record;
    return {
      id: requestId,
      session: owner,
      phase: phaseOf(record, this.clock.phase),
      input,
      output,
      cacheRead,
      cacheWrite,
      cost: cost ?? 0,
      source: costSource === "unknown" ? "none" : costSource,
    };
  }

  #takeStep(step: string): void {
    if (step === "commit") {
      this.touched.commit();
      this.#untold.clear();
    }
    if (step === "undone") {
      this.touched.takeBackCommit();
      this.hasOpenGoal = true;
    }
    if (step !== "entry") return;
    this.hasOpenGoal = false;
    this.#requests = [];
    this.changedByChecks.clear();
    this.failures = new FailureTally();
    this.clock.reset();
    this.#isNewAttempt = true;
  }
}

const ABORT_CAUSES = {
  interrupted: undefined,
  limit: "limit_reached",
  error: "model_error",
} as const;

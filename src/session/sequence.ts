/**
 * The order that the records of a log must have, and what counts with it: turns, calls, tokens, cost, how the model is asked.
 * Rule: reading and appending go through the same check, so what can be written can be read.
 */
import type { Baseline } from "./baseline.ts";
import { LineInvalid } from "./line.ts";
import type { Fold, SessionRecord } from "./records.ts";
import type { ActionWay } from "./side_records.ts";

/** A tool call that has no result yet. */
export interface OpenCall {
  call: number;
  tool: string;
}

/** What a conversation adds up to, all its epochs together. */
export interface Totals {
  /** User messages. */
  turns: number;
  /** Tool calls. */
  calls: number;
  /** Requests that a model answered. */
  requests: number;
  /** In and out. */
  tokens: number;
  /** Of these, what was read from a provider's cache. */
  cacheRead: number;
  /** US dollars, of the requests whose cost is known. */
  cost: number;
  /** Requests whose cost is not known. */
  unpriced: number;
  /** Requests whose cost is an estimate. */
  estimated: number;
}

/** What the epochs before that of `baseline` add up to. */
export function carriedTotals({ carried }: Baseline): Totals {
  const { workflow: _workflow, ...totals } = carried;
  return { cacheRead: 0, unpriced: 0, estimated: 0, ...totals };
}

/** Follows a log from its baseline on. */
export class Sequence implements Fold {
  readonly #baseline: Baseline;
  readonly #baselineHash: string;
  #openCalls: OpenCall[] = [];
  #hasStarted = false;
  #totals: Totals;
  #actions: ActionWay | undefined;

  constructor(baseline: Baseline, baselineHash: string) {
    this.#baseline = baseline;
    this.#baselineHash = baselineHash;
    this.#totals = carriedTotals(baseline);
    this.#actions = baseline.model.actions;
  }

  /** A copy that goes on from here by itself. */
  clone(): Sequence {
    const copy = new Sequence(this.#baseline, this.#baselineHash);
    copy.#openCalls = this.#openCalls;
    copy.#hasStarted = this.#hasStarted;
    copy.#totals = { ...this.#totals };
    copy.#actions = this.#actions;
    return copy;
  }

  /** Calls without a result, in call order. */
  get openCalls(): readonly OpenCall[] {
    return this.#openCalls;
  }

  /** What the conversation adds up to so far. */
  get totals(): Readonly<Totals> {
    return this.#totals;
  }

  /** How the model is asked to act, as a baseline has it; nothing where it has not been decided. */
  get asked(): { actions?: ActionWay } {
    return this.#actions === undefined ? {} : { actions: this.#actions };
  }

  /**
   * Takes the next record.
   *
   * @throws {LineInvalid} when it may not stand here; nothing has changed then
   */
  apply(record: SessionRecord): void {
    this.#checkStart(record);
    if (record.type === "user") {
      this.#refuseOpenCalls("a user message");
      this.#totals.turns += 1;
    }
    if (record.type === "assistant") {
      this.#refuseOpenCalls("a reply");
      this.#takeCalls(record.parts);
    }
    if (record.type === "actions") this.#actions = record.way;
    if (record.type === "aborted") this.#refuseOpenCalls("the turn was aborted");
    if (record.type === "tool_result") this.#takeResult(record);
    if (record.type === "usage") {
      this.#totals.requests += 1;
      this.#totals.tokens += record.input + record.output;
      this.#totals.cacheRead += record.cacheRead;
      this.#totals.cost += record.cost ?? 0;
      if (record.cost === null) this.#totals.unpriced += 1;
      if (record.cost !== null && record.costSource !== "reported") this.#totals.estimated += 1;
    }
  }

  #checkStart(record: SessionRecord): void {
    const isStart = record.type === "session_start";
    if (isStart === this.#hasStarted) {
      throw new LineInvalid(
        isStart ? "a second session_start" : "the first record is not session_start",
      );
    }
    if (!isStart) return;
    if (record.baseline !== this.#baselineHash) {
      throw new LineInvalid("checksum mismatch: the baseline is not the one this log began with");
    }
    if (record.epoch !== this.#baseline.epoch) {
      throw new LineInvalid(
        `epoch ${record.epoch}, but the baseline is of epoch ${this.#baseline.epoch}`,
      );
    }
    this.#hasStarted = true;
  }

  /** The provider wants the results of a reply's calls right behind it. */
  #refuseOpenCalls(what: string): void {
    const [open] = this.#openCalls;
    if (open === undefined) return;
    throw new LineInvalid(`${what}, but call ${open.call} (${open.tool}) has no result`);
  }

  #takeCalls(parts: Extract<SessionRecord, { type: "assistant" }>["parts"]): void {
    const opened: OpenCall[] = [];
    for (const part of parts) {
      if (part.kind !== "call") continue;
      const expected = this.#totals.calls + opened.length + 1;
      if (part.call !== expected) {
        throw new LineInvalid(`call ${part.call} where call ${expected} comes next`);
      }
      opened.push({ call: part.call, tool: part.tool });
    }
    this.#openCalls = opened;
    this.#totals.calls += opened.length;
  }

  #takeResult(record: Extract<SessionRecord, { type: "tool_result" }>): void {
    const [next, ...rest] = this.#openCalls;
    if (next === undefined || next.call !== record.call || next.tool !== record.tool) {
      throw new LineInvalid(`a result for call ${record.call}, which is not the next open call`);
    }
    this.#openCalls = rest;
  }
}

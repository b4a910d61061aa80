/**
 * The limits that end a turn.
 * Rule: reaching one ends the turn with a sentence that names the limit and its key; the session goes on.
 */
import { canonicalJson, type JsonValue } from "../platform/canonical_json.ts";
import { costText } from "../platform/cost_text.ts";
import type { Totals } from "../session/sequence.ts";

/** The limits of a session, frozen in its baseline. 0 means none. */
export interface Limits {
  requestsPerTurn: number;
  tokensPerSession: number;
  /** US dollars. */
  costPerSession: number;
  secondsPerTurn: number;
  /** How long a model may send nothing. */
  silenceSeconds: number;
  /** How often the same call, with the same input, may follow itself. */
  repeatedCalls: number;
}

/** A limit was reached; the message says which and how to raise it. */
export class LimitReached extends Error {}

/** What one turn has used so far. */
export class TurnBudget {
  readonly #limits: Limits;
  #requests = 0;
  #lastCall = "";
  #repetitions = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get requests(): number {
    return this.#requests;
  }

  /**
   * Counts a request that is about to be sent.
   *
   * @throws {LimitReached}
   */
  countRequest(totals: Readonly<Totals>): void {
    const { requestsPerTurn, tokensPerSession, costPerSession } = this.#limits;
    if (isOver(this.#requests + 1, requestsPerTurn)) {
      throw reached(`${requestsPerTurn} requests a turn`, "requests_per_turn");
    }
    const { cacheRead } = totals;
    const newTokens = totals.tokens - cacheRead;
    if (tokensPerSession > 0 && newTokens >= tokensPerSession) {
      const more = cacheRead > 0 ? `, and ${cacheRead} read from a cache` : "";
      throw reached(
        `${tokensPerSession} tokens a session (${newTokens} used${more})`,
        "tokens_per_session",
      );
    }
    if (costPerSession > 0 && totals.cost >= costPerSession) {
      throw reached(
        `$${costPerSession} a session (${costText(totals)} used)`,
        "cost_per_session",
      );
    }
    this.#requests += 1;
  }

  /**
   * Counts a call that is about to be run.
   *
   * @throws {LimitReached} when the model goes in circles
   */
  countCall(tool: string, input: JsonValue): void {
    const call = canonicalJson([tool, input]);
    this.#repetitions = call === this.#lastCall ? this.#repetitions + 1 : 1;
    this.#lastCall = call;
    const { repeatedCalls } = this.#limits;
    if (isOver(this.#repetitions, repeatedCalls)) {
      throw reached(`the same call (${tool}) ${repeatedCalls} times in a row`, "repeated_calls");
    }
  }
}

function isOver(value: number, limit: number): boolean {
  return limit > 0 && value > limit;
}

function reached(what: string, key: string): LimitReached {
  return new LimitReached(
    `limit reached: ${what}; the session can go on. To raise it: [limits] ${key} in planning/config.toml`,
  );
}

/** What the turn is ended with when it takes too long. */
export function outOfTime(limits: Limits): LimitReached {
  return reached(`${limits.secondsPerTurn} seconds a turn`, "seconds_per_turn");
}

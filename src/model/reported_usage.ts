/**
 * The numbers of a provider's usage, read one by one.
 * Rule: a number that cannot be is left out or rounded, and said; it never costs the answer that it belongs to.
 */

/** Tokens as a provider reported them, in the sense of ModelUsage. */
export interface ReportedTokens {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  reasoning?: number;
  /** US dollars. */
  cost?: number;
}

/** No request has more tokens than this. */
export const MOST_TOKENS = 1_000_000_000;

/** No request costs more US dollars than this. */
const MOST_DOLLARS = 1_000_000;

/** The usage of one answer, as its events tell it; a later event takes the place of an earlier one. */
export class ReportedUsage {
  /** Undefined while nothing was reported. */
  tokens: ReportedTokens | undefined;
  readonly #corrections = new Set<string>();
  #isUnusable = false;

  /** What was wrong with the numbers, and what became of each, in words. */
  get corrections(): readonly string[] {
    return [...this.#corrections];
  }

  /** Whether a number of tokens could not be used, so that the whole is to be estimated. */
  get isUnusable(): boolean {
    return this.#isUnusable;
  }

  /** A number of tokens; 0 where there is none. `name` is the provider's word for it. */
  count(name: string, value: unknown): number {
    if (value === undefined || value === null) return 0;
    const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    if (typeof number !== "number" || !(number >= 0 && number <= MOST_TOKENS)) {
      this.#isUnusable = true;
      this.#corrections.add(`${name} ${shown(value)} (estimated instead)`);
      return 0;
    }
    const rounded = Math.round(number);
    if (rounded !== number) this.#corrections.add(`${name} ${shown(value)} (rounded)`);
    return rounded;
  }

  /** A cost in US dollars; undefined where there is none. */
  dollars(name: string, value: unknown): number | undefined {
    if (value === undefined || value === null) return undefined;
    const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    if (typeof number === "number" && number >= 0 && number <= MOST_DOLLARS) return number;
    this.#corrections.add(`${name} ${shown(value)} (left out)`);
    return undefined;
  }

  /** Takes `tokens` for the answer's so far, the parts of the input made to fit it. */
  report(tokens: ReportedTokens): void {
    const cacheRead = Math.min(tokens.cacheRead, tokens.input);
    const cacheWrite = Math.min(tokens.cacheWrite, tokens.input - cacheRead);
    if (cacheRead !== tokens.cacheRead || cacheWrite !== tokens.cacheWrite) {
      const cached = tokens.cacheRead + tokens.cacheWrite;
      this.#corrections.add(
        `${cached} cached of ${tokens.input} input tokens (no more than all of them counted)`,
      );
    }
    this.tokens = { ...tokens, cacheRead, cacheWrite };
  }
}

function shown(value: unknown): string {
  const text = typeof value === "number" ? String(value) : JSON.stringify(value) ?? "";
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`;
}

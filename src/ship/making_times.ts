/**
 * When commands and checks of a session ran: by its time it is known of a file that git ignores who has made it.
 * Rule: a fold over the log; what was changed at another time is the user's, and is part of what the project has around it.
 */
import type { SessionRecord } from "../session/records.ts";

/** What was running: a command or another tool that can write anywhere, or a check. */
export type Maker = "command" | "check";

interface Running {
  fromMs: number;
  toMs: number;
  maker: Maker;
}

/** How far the time of a file can be behind the clock: file systems take it from the last tick. */
const TICK_MS = 20;

/** Follows a log. */
export class MakingTimes {
  readonly #running: Running[] = [];
  #lastMs = 0;

  apply(record: SessionRecord): void {
    const atMs = Date.parse(record.at);
    const maker = makerOf(record);
    if (maker !== undefined) this.#running.push({ fromMs: this.#lastMs, toMs: atMs, maker });
    this.#lastMs = atMs;
  }

  /** Since when something ran; undefined when nothing did. */
  get sinceMs(): number | undefined {
    return this.#running[0]?.fromMs;
  }

  /** What ran at a time that is known to lie between two others; undefined for nothing. */
  makerBetween(earliestMs: number, latestMs: number): Maker | undefined {
    const ran = this.#running.filter(({ fromMs, toMs }) =>
      fromMs - TICK_MS <= latestMs && earliestMs <= toMs
    );
    return ran.find(({ maker }) => maker === "command")?.maker ?? ran[0]?.maker;
  }
}

function makerOf(record: SessionRecord): Maker | undefined {
  // Of a check that ran before any change the record comes later; what it makes, it makes in a clone, too.
  if (record.type === "check") return record.purpose === "attempt" ? "check" : undefined;
  if (record.type !== "tool_result") return undefined;
  const kind = record.outcome?.kind;
  return kind === undefined || kind === "command" || kind === "cut_off" ? "command" : undefined;
}

/**
 * A conversation for a program that wants what came of it: one JSON object a turn, when the turn has ended.
 * Rule: an object says how the turn ended and what it used; what happened on the way is said on stderr, as in plain text.
 */
import type { AgentEvent, TurnEnd, UsageFacts } from "../../agent/events.ts";
import { jsonLine } from "../../platform/json_line.ts";
import { printLine } from "../../platform/output.ts";
import { PlainView } from "./plain_view.ts";

/** What came of a turn. */
export interface TurnResult {
  type: "result";
  session: string;
  /** `provider:name`. */
  model: string;
  /** Of the conversation, from 1. */
  turn: number;
  end: TurnEnd;
  /** The last reply; empty where there was none. */
  text: string;
  /** Tool calls of the turn, and those of them that failed or were refused. */
  calls: number;
  failedCalls: number;
  /** Of the turn's requests together; `cost` is null when one of them is unknown. */
  usage: Pick<UsageFacts, "input" | "output" | "cacheRead" | "cacheWrite" | "cost">;
}

function nothingYet(): Omit<TurnResult, "type" | "session" | "model" | "turn" | "end"> {
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0 };
  return { text: "", calls: 0, failedCalls: 0, usage };
}

/** Prints a {@linkcode TurnResult} at the end of each turn. */
export class ResultView {
  readonly #aside = new PlainView();
  #conversation = { session: "", model: "" };
  #turn = 0;
  #sofar = nothingYet();

  show(event: AgentEvent): void {
    switch (event.type) {
      case "session":
        this.#conversation = {
          session: event.session,
          model: `${event.provider}:${event.model}`,
        };
        return;
      case "turn_started":
        this.#turn = event.turn;
        this.#sofar = nothingYet();
        return;
      case "reply":
        this.#sofar.text = event.text;
        return;
      case "usage":
        this.#sofar.usage = sum(this.#sofar.usage, event.usage);
        return;
      case "turn_ended":
        this.#aside.show(event);
        return printLine(jsonLine({
          type: "result",
          ...this.#conversation,
          turn: this.#turn,
          end: event.end,
          ...this.#sofar,
        }));
      case "tool_finished":
        this.#sofar.calls++;
        if (event.isError) this.#sofar.failedCalls++;
        return this.#aside.show(event);
      default:
        this.#aside.show(event);
    }
  }
}

function sum(a: TurnResult["usage"], b: TurnResult["usage"]): TurnResult["usage"] {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    cost: a.cost === null || b.cost === null ? null : a.cost + b.cost,
  };
}

/**
 * What happens in a conversation, as it happens: for the terminal and for `--json`.
 * Rule: an event tells; it decides nothing, and nothing is lost when nobody listens.
 */
import type { JsonValue } from "../platform/canonical_json.ts";
import type { CallOutcome } from "../session/outcome.ts";
import type { Totals } from "../session/sequence.ts";

/** How a turn ended: with a reply, or without one and why. */
export type TurnEnd =
  /** `flaw` says what is wrong with the reply, where it is no whole answer. */
  | { outcome: "replied"; finish: string; flaw?: string }
  | { outcome: "aborted"; reason: "interrupted" | "limit" | "error"; detail: string };

/** A call of a reply: which tool, with what. */
export interface RepliedCall {
  call: number;
  tool: string;
  input: JsonValue;
}

/** One thing that happened. Texts are as they came: whoever shows them strips control sequences. */
export type AgentEvent =
  /** A session is open: new, resumed, or with a new epoch. */
  | {
    type: "session";
    session: string;
    epoch: number;
    provider: string;
    model: string;
    isResumed: boolean;
    turns: number;
  }
  | { type: "turn_started"; turn: number }
  | { type: "request_started"; request: number }
  | { type: "text"; text: string }
  | { type: "reasoning"; text: string }
  /** What was shown of the reply is void; it starts over. */
  | { type: "restarted" }
  | { type: "retry"; attempt: number; reason: string; waitMs: number }
  /** The reply is complete and on disk. `text` is all of it. */
  | { type: "reply"; text: string; finish: string; calls?: RepliedCall[] }
  | { type: "tool_started"; call: number; tool: string; input: JsonValue }
  /** Output of a running command, as it comes. */
  | { type: "tool_output"; text: string }
  | {
    type: "tool_finished";
    call: number;
    tool: string;
    output: string;
    isError: boolean;
    /** It was cut off. */
    interrupted?: true | undefined;
    /** A later process than the one that began it brought it to its end. */
    settled?: true | undefined;
    outcome?: CallOutcome | undefined;
  }
  | { type: "usage"; usage: UsageFacts; totals: Totals }
  | { type: "compacted"; epoch: number; summary: string }
  | { type: "notice"; text: string }
  | { type: "turn_ended"; end: TurnEnd };

/** The tokens and the cost of one request. */
export interface UsageFacts {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** US dollars; null when unknown. */
  cost: number | null;
  costSource: "reported" | "estimated" | "unknown";
  isReported: boolean;
}

/** The event of a recorded usage; `totals` are the session's after it. */
export function usageEvent(usage: UsageFacts, totals: Readonly<Totals>): AgentEvent {
  const { input, output, cacheRead, cacheWrite, cost, costSource, isReported } = usage;
  const facts = { input, output, cacheRead, cacheWrite, cost, costSource, isReported };
  return { type: "usage", usage: facts, totals: { ...totals } };
}

/**
 * How a reply is read, by the way in which the model was asked; and where that way turns out to be the wrong one.
 * Rule: what is taken for a call is recorded as one; the way changes once, while nobody has decided it.
 */
import { ModelError } from "../model/errors.ts";
import type {
  Completion,
  CompletionPart,
  FinishReason,
  Model,
  ToolDefinition,
} from "../model/port.ts";
import type { RecordDraft, TurnSubject } from "../session/records.ts";
import type { Replay } from "../session/replay.ts";
import { actionIn, isEnforced } from "./constrained.ts";
import { withWrittenCalls } from "./written_calls.ts";

/** What a reply says, and the record of another way where that is needed from here on. */
export interface Reading {
  content: CompletionPart[];
  finish: FinishReason;
  change: Change | undefined;
}

type Change = Extract<RecordDraft, { type: "actions" }>;

/** What is known of the way. */
type Way = Pick<Replay, "actions" | "isUndecided">;

/** Reads a reply. */
export function readReply(
  { content, finish }: Pick<Completion, "content" | "finish">,
  { actions, isUndecided }: Way,
  tools: readonly ToolDefinition[],
): Reading {
  if (isEnforced(actions)) return readAs(actionIn(content), finish, undefined);
  const takesText = actions === "text" || isUndecided;
  const calls = takesText ? withWrittenCalls(content, tools) : undefined;
  if (calls === undefined) return { content, finish, change: undefined };
  const reason = "the model wrote a call as text";
  const change = { type: "actions", way: "text", reason } as const;
  return readAs(calls, finish, isUndecided ? change : undefined);
}

/** Servers say `stop` of a call that they do not know to be one. */
function readAs(
  content: CompletionPart[],
  finish: FinishReason,
  change: Change | undefined,
): Reading {
  const isCall = finish === "stop" && content.some(({ type }) => type === "tool-call");
  return { content, finish: isCall ? "tool-calls" : finish, change };
}

/** Phases in which an answer without any call does nothing. */
const CALL_IS_DUE: ReadonlySet<TurnSubject["phase"]> = new Set(["plan", "execute", "verify"]);

/** What the user is told of a way. */
export const WAY_WORDS = {
  native: "it makes tool calls",
  text: "calls that it writes as text count from here on",
  constrained: "each of its answers is one JSON object from here on, which the server enforces",
  candidates: "it is asked for candidates from here on",
} as const;

/** What the model is told when the way changes in the middle of a turn. */
export const MISSING_CALL = "Your answer called no tool, and nothing was done. Go on, with a tool.";

/** Another way, where a turn that has called no tool has ended in words. */
export function afterWords(
  way: Way,
  about: TurnSubject | undefined,
  model: Model,
): Change | undefined {
  const isDue = about !== undefined && CALL_IS_DUE.has(about.phase);
  if (!way.isUndecided || !isDue || model.enforcesSchemas !== true) return undefined;
  return {
    type: "actions",
    way: "constrained",
    reason: "the model called no tool where one was due",
  };
}

/** How servers say that they have no tool calls: Ollama, llama.cpp without its templates, vLLM without a parser. */
const NO_TOOLS =
  /does not support (?:tools|function)|tools? (?:param )?requires? --jinja|requires --enable-auto-tool-choice|tools? (?:is|are) not supported/i;

/** Another way, where the server has refused the tools. */
export function afterRefusal(way: Way, error: unknown, model: Model): Change | undefined {
  if (!way.isUndecided || model.enforcesSchemas !== true) return undefined;
  if (!(error instanceof ModelError) || !NO_TOOLS.test(error.message)) return undefined;
  return {
    type: "actions",
    way: "constrained",
    reason: "the server takes no tools for this model",
  };
}

/**
 * What is wrong with a reply that calls no tool: it is empty, cut off, filtered, or a call that came as text.
 * Rule: whatever is wrong is said; where asking once more may help, the words for that stand beside it.
 */
import type { FinishReason, ToolDefinition } from "../model/port.ts";
import type { AssistantPart } from "../session/records.ts";
import { writtenCalls } from "./written_calls.ts";

/** What is wrong with a reply. */
export interface ReplyFlaw {
  /** For the user, a sentence. */
  said: string;
  /** What the model is told when it is asked once more; undefined where that does not help. */
  nudge?: string;
}

/** How a reply ends that is no answer, by its reason to stop. */
const ENDS: Partial<Readonly<Record<FinishReason, string>>> = {
  length:
    "The answer was cut off: it is as long as an answer may be (maxOutputTokens in [model] parameters, " +
    "or the model's own limit).",
  "content-filter": "The provider's filter stopped the answer.",
  error: "The provider ended the answer with an error.",
};

/**
 * What is wrong with a reply of `parts`; undefined when it is an answer.
 *
 * @param tools those that the model has
 */
export function flawIn(
  parts: readonly AssistantPart[],
  finish: FinishReason,
  tools: readonly ToolDefinition[],
): ReplyFlaw | undefined {
  if (parts.some(({ kind }) => kind === "call")) return undefined;
  const text = parts.map((part) => part.kind === "text" ? part.text : "").join("").trim();
  const end = ENDS[finish];
  if (end !== undefined) return { said: end };
  if (text === "") {
    const what = parts.some(({ kind }) => kind === "reasoning") ? "thoughts alone" : "nothing";
    return {
      said: `The model's answer holds ${what}, and no words.`,
      nudge: "Your answer had no words and no tool call. Go on: say it, or call a tool.",
    };
  }
  const tool = calledTool(text, tools);
  if (tool === undefined) return undefined;
  return {
    said: `The model wrote a call of ${tool} as text, which is not run.`,
    nudge: `You wrote a call of ${tool} as text, so it was not run. Make it as a tool call.`,
  };
}

/** How the common templates mark a call, where a server does not read them. */
const MARKED = /<\|?tool_calls?\|?>|\[TOOL_CALLS\]|<function[=_ ]|<invoke name=|<\|python_tag\|>/;

/** The tool of a call in `text`: whole, or marked as one and not to be read. */
function calledTool(text: string, tools: readonly ToolDefinition[]): string | undefined {
  const [call] = writtenCalls(text, tools);
  if (call !== undefined) return call.name;
  const mark = MARKED.exec(text);
  if (mark === null) return undefined;
  const rest = text.slice(mark.index);
  return tools.find(({ name }) => new RegExp(`["'=\\s:]${name}\\b`).test(rest))?.name;
}

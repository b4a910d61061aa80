/**
 * Questions with some answers to choose from, or any: as a form where a client knows forms, else as options.
 * Rule: pure; an answer in words of one's own goes before a choice.
 */
import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  PermissionOption,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from "@agentclientprotocol/sdk";
import { stripControlSequences } from "../../platform/text.ts";
import { textContent } from "./tool_calls.ts";

/** A question, and the answers that it offers; none for one that is answered in words alone. */
export interface Choice {
  id: string;
  question: string;
  options: readonly string[];
}

/** What stands in place of an answer where a client can give none in words: the one who asks decides then. */
const NO_ANSWER = "(decide yourself)";

/** The question as a form. */
export function choiceForm(
  sessionId: string,
  { id, question, options }: Choice,
): CreateElicitationRequest {
  const choice = {
    type: "string" as const,
    title: "Answer",
    oneOf: options.map((option) => ({ const: option, title: stripControlSequences(option) })),
  };
  const title = options.length === 0 ? "Answer" : "Or in your own words";
  return {
    mode: "form",
    sessionId,
    message: stripControlSequences(question),
    requestedSchema: {
      type: "object",
      properties: {
        ...(options.length > 0 && { choice }),
        words: { type: "string", title },
      },
    },
    _meta: { m31a: { question: id } },
  };
}

/** What was filled in; undefined when the form was put away. */
export function formAnswer(response: CreateElicitationResponse): string | undefined {
  if (response.action !== "accept") return undefined;
  const { content } = response;
  const fields = content !== null && typeof content === "object" ? Object.entries(content) : [];
  const textOf = (name: string) => {
    const value = fields.find(([field]) => field === name)?.[1];
    return typeof value === "string" ? value.trim() : "";
  };
  return textOf("words") || textOf("choice");
}

/** The question as options. */
export function choiceRequest(
  sessionId: string,
  { id, question, options }: Choice,
): RequestPermissionRequest {
  const [title = ""] = stripControlSequences(question).split("\n", 1);
  const offered = options.length === 0 ? [NO_ANSWER] : options;
  return {
    sessionId,
    toolCall: {
      toolCallId: id,
      title,
      kind: "other",
      status: "pending",
      content: [textContent(question)],
    },
    options: offered.map((option, index): PermissionOption => ({
      optionId: String(index),
      kind: "allow_once",
      name: stripControlSequences(option),
    })),
    _meta: { m31a: { question: id } },
  };
}

/** Which option was taken; undefined when none was. */
export function optionAnswer(
  { options }: Choice,
  { outcome }: RequestPermissionResponse,
): string | undefined {
  if (outcome.outcome !== "selected") return undefined;
  if (options.length === 0) return "";
  return options.find((_, index) => String(index) === outcome.optionId);
}

/**
 * What a provider checks of a request's messages before it looks at anything else.
 * Rule: as strict as the strictest: each call has its result in the message right after it, and no result is left over.
 */
import type { RecordedRequest } from "./http_connection.ts";
import type { Replier } from "./model_server.ts";
import type { Reply } from "./reply.ts";

type Fields = { [name: string]: unknown };

/** Wraps a list of answers: a request that a strict provider refuses gets status 400 and why. */
export function strictly(replies: readonly Reply[] | Replier): Replier {
  return async (request, number) => {
    const complaint = complaintAbout(request);
    if (complaint !== undefined) return refusal(complaint);
    if (typeof replies === "function") return await replies(request, number);
    return replies[number] ?? refusal(`no answer for request ${number}`);
  };
}

function refusal(message: string): Reply {
  return { status: 400, body: { error: { type: "invalid_request_error", message } } };
}

/** What is wrong with the messages of a request of either protocol; undefined when nothing is. */
function complaintAbout(request: RecordedRequest): string | undefined {
  const body = fields(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(request.body)));
  const messages = list(body.messages).map(fields);
  if (messages.length === 0) return "messages: at least one message is required";
  return request.path.endsWith("/messages")
    ? anthropicComplaint(messages)
    : openAiComplaint(messages);
}

function openAiComplaint(messages: readonly Fields[]): string | undefined {
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    const place = `messages.${index}`;
    if (message.role === "tool") {
      const id = String(message.tool_call_id);
      if (!open.includes(id)) return `${place}: a result without a call: ${id}`;
      open = open.filter((other) => other !== id);
      continue;
    }
    if (open.length > 0) return `${place}: calls without a result: ${open.join(", ")}`;
    const calls = list(message.tool_calls).map((call) => String(fields(call).id));
    if (message.role === "assistant") open = calls;
    if (calls.length === 0 && isEmpty(message.content)) return `${place}: the message is empty`;
    if (new Set(calls).size < calls.length) return `${place}: two calls with one id`;
  }
  return open.length > 0 ? `calls without a result: ${open.join(", ")}` : undefined;
}

function anthropicComplaint(messages: readonly Fields[]): string | undefined {
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    const place = `messages.${index}`;
    // Two of the user's in a row are allowed: the API reads them as one.
    if (index === 0 && message.role !== "user") return `${place}: the first must be the user's`;
    if (isEmpty(message.content)) return `${place}: the message is empty`;
    const blocks = typeof message.content === "string" ? [] : list(message.content).map(fields);
    const results = blocks.filter((block) => block.type === "tool_result")
      .map((block) => String(block.tool_use_id));
    if (results.join() !== open.join()) {
      return `${place}: results for [${results.join()}] where [${open.join()}] were called`;
    }
    if (blocks.slice(0, results.length).some((block) => block.type !== "tool_result")) {
      return `${place}: results must come before anything else`;
    }
    const emptyText = blocks.some((block) => block.type === "text" && isEmpty(block.text));
    if (emptyText) return `${place}: an empty text block`;
    open = blocks.filter((block) => block.type === "tool_use").map((block) => String(block.id));
  }
  return open.length > 0 ? `calls without a result: ${open.join()}` : undefined;
}

function isEmpty(content: unknown): boolean {
  return content === null || content === undefined || content === "" ||
    (Array.isArray(content) && content.length === 0);
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

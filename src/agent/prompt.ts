/**
 * From a session's request to a model's call.
 * Rule: a message is translated by itself, so that a longer conversation only adds messages at the end.
 */
import type {
  CompletionPart,
  ModelCall,
  Prompt,
  PromptMessage,
  ProviderMetadata,
  ToolCallPart,
} from "../model/port.ts";
import { canonicalJson, type JsonValue } from "../platform/canonical_json.ts";
import type { Image } from "../session/images.ts";
import type { AssistantPart } from "../session/records.ts";
import type { Message, ReplayedRequest } from "../session/replay.ts";
import { toFile, type UserPart } from "./picture_part.ts";
import { actionSchema, constrainedPrompt, isEnforced } from "./constrained.ts";
import { cleanJson, cleanText, Unrecordable } from "./clean.ts";

/** What stands where a model said nothing at all: providers refuse an empty message. */
const EMPTY_REPLY = "(empty reply)";

/**
 * Builds the call for `request`.
 *
 * @param slot the server's slot for the prompt cache, null where it has none
 * @param completionsSoFar how many completions the session has recorded, all epochs together
 */
export function toModelCall(
  request: ReplayedRequest,
  slot: number | null,
  completionsSoFar: number,
): ModelCall {
  const { system, tools, messages, actions, about } = request;
  const isConstrained = tools.length > 0 && isEnforced(actions);
  return {
    ...isConstrained
      ? {
        prompt: constrainedPrompt(system, tools, messages),
        tools: [],
        answerSchema: actionSchema(tools, about),
      }
      : { prompt: [{ role: "system", content: system }, ...toPrompt(messages)], tools },
    parameters: request.parameters,
    cacheKey: request.cacheKey,
    ...(slot === null ? {} : { slot }),
    completionsSoFar,
  };
}

/** Results that follow one another are one message: the answers to one reply's calls. */
function toPrompt(messages: readonly Message[]): Prompt {
  const prompt: PromptMessage[] = [];
  const shown: Image[] = [];
  for (const message of messages) {
    const last = prompt.at(-1);
    if (message.role === "tool") {
      shown.push(...message.images ?? []);
      if (last?.role === "tool") {
        last.content.push(toToolResult(message));
        continue;
      }
    }
    if (message.role !== "tool") prompt.push(...picturesOf(shown.splice(0)));
    prompt.push(toPromptMessage(message));
  }
  return [...prompt, ...picturesOf(shown)];
}

/** The pictures of results, behind the last of them: not every protocol has room for them in a result. */
function picturesOf(images: readonly Image[]): PromptMessage[] {
  if (images.length === 0) return [];
  const text = "These are the pictures of the results above.";
  return [{ role: "user", content: [{ type: "text", text }, ...images.map(toFile)] }];
}

function toPromptMessage(message: Message): PromptMessage {
  if (message.role === "user") {
    const text: UserPart = { type: "text", text: message.text };
    return { role: "user", content: [text, ...(message.images ?? []).map(toFile)] };
  }
  if (message.role === "tool") return { role: "tool", content: [toToolResult(message)] };
  const content = message.parts.filter(saysSomething).map(toPromptPart);
  return {
    role: "assistant",
    content: content.length > 0 ? content : [{ type: "text", text: EMPTY_REPLY }],
  };
}

type ToolMessage = Extract<PromptMessage, { role: "tool" }>;
type AssistantMessage = Extract<PromptMessage, { role: "assistant" }>;

function toToolResult(message: Extract<Message, { role: "tool" }>): ToolMessage["content"][number] {
  return {
    type: "tool-result",
    toolCallId: callId(message.call),
    toolName: message.tool,
    output: { type: message.isError ? "error-text" : "text", value: message.output },
  };
}

/** Our own name for a call: a provider's may be empty, doubled, or of a form that another refuses. */
function callId(call: number): string {
  return `call_${call}`;
}

function saysSomething(part: AssistantPart): boolean {
  return part.kind === "call" || part.text.trim() !== "" || part.provider !== undefined;
}

function toPromptPart(part: AssistantPart): AssistantMessage["content"][number] {
  const metadata = toProviderOptions(part.provider);
  if (part.kind === "call") {
    return {
      type: "tool-call",
      toolCallId: callId(part.call),
      toolName: part.tool,
      input: part.input,
      ...metadata,
    };
  }
  return { type: part.kind, text: part.text, ...metadata };
}

/** The provider's own data of a part, in the form in which it is sent back. */
export function toProviderOptions(
  provider: AssistantPart["provider"],
): { providerOptions?: ProviderMetadata } {
  if (provider === undefined) return {};
  const options: ProviderMetadata = {};
  for (const [name, values] of Object.entries(provider)) {
    if (values === null || typeof values !== "object" || Array.isArray(values)) continue;
    options[name] = values;
  }
  return { providerOptions: options };
}

/**
 * Turns a completion's parts into a record's: cleaned, its calls numbered from `firstCall` on. A call
 * whose input cannot be recorded becomes a malformed one. Reasoning that a provider has signed goes
 * back as it came or not at all, since it refuses a conversation with other words under a signature:
 * where a secret would have to be masked in it, it is left out.
 */
export function toAssistantParts(
  content: readonly CompletionPart[],
  firstCall: number,
  secrets: readonly string[],
): AssistantPart[] {
  let call = firstCall;
  return content.flatMap((part): AssistantPart[] => {
    const provider = keptMetadata(part, secrets);
    if (part.type === "tool-call") {
      const tool = cleanText(part.name, secrets);
      return [{ kind: "call", call: call++, tool, ...cleanInput(part, secrets), ...provider }];
    }
    const text = cleanText(part.text, secrets);
    const isSigned = part.type === "reasoning" && part.providerMetadata !== undefined;
    if (isSigned && (provider.provider === undefined || text !== part.text)) return [];
    return [{ kind: part.type, text, ...provider }];
  });
}

/** The provider's own data of a part; none where it cannot be recorded as it is. */
function keptMetadata(
  { providerMetadata }: CompletionPart,
  secrets: readonly string[],
): { provider?: ProviderMetadata } {
  if (providerMetadata === undefined) return {};
  try {
    const clean = canonicalJson(cleanJson(providerMetadata, secrets));
    return clean === canonicalJson(providerMetadata) ? { provider: providerMetadata } : {};
  } catch (error) {
    if (error instanceof Unrecordable) return {};
    throw error;
  }
}

function cleanInput(
  part: ToolCallPart,
  secrets: readonly string[],
): { input: JsonValue; malformed?: string } {
  if (part.malformed !== undefined) {
    return { input: {}, malformed: cleanText(part.malformed, secrets) };
  }
  try {
    return { input: cleanJson(part.input, secrets) };
  } catch (error) {
    if (error instanceof Unrecordable) return { input: {}, malformed: error.message };
    throw error;
  }
}

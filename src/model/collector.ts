/**
 * From the parts of a stream to the content of a completion.
 * Rule: a part is in the content only when it is well-formed Unicode and its input has been parsed.
 */
import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { JsonValue } from "../platform/canonical_json.ts";
import type {
  CompletionPart,
  FinishReason,
  ModelEvent,
  ProviderMetadata,
  ReasoningPart,
  TextPart,
} from "./port.ts";

/** Gathers the parts of one answer. */
export class Collector {
  readonly #onEvent: (event: ModelEvent) => void;
  readonly #parts: CompletionPart[] = [];
  readonly #open = new Map<string, TextPart | ReasoningPart>();
  #finish: LanguageModelV4FinishReason | undefined;
  #length = 0;

  constructor(onEvent: (event: ModelEvent) => void) {
    this.#onEvent = onEvent;
  }

  /** UTF-16 code units of text, reasoning and input so far. */
  get length(): number {
    return this.#length;
  }

  /** Takes the next part of the stream. Error parts are the caller's. */
  accept(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case "text-start":
      case "reasoning-start":
        this.#begin(
          part.type === "text-start" ? "text" : "reasoning",
          part.id,
          part.providerMetadata,
        );
        return;
      case "text-delta":
      case "reasoning-delta":
        this.#append(part.type, part.id, part.delta, part.providerMetadata);
        return;
      case "text-end":
      case "reasoning-end":
        addMetadata(this.#open.get(part.id), part.providerMetadata);
        this.#open.delete(part.id);
        return;
      case "tool-input-start":
        this.#onEvent({ type: "tool-call-started", name: part.toolName });
        return;
      case "tool-input-delta":
        this.#length += part.delta.length;
        return;
      case "tool-call":
        this.#parts.push({
          type: "tool-call",
          name: part.toolName.toWellFormed(),
          id: part.toolCallId.toWellFormed(),
          ...parseInput(part.input),
          ...metadataOf(part.providerMetadata),
        });
        return;
      case "finish":
        this.#finish = part.finishReason;
    }
  }

  /** The content, in order; empty parts without metadata left out. */
  content(): CompletionPart[] {
    return this.#parts.flatMap((part): CompletionPart[] => {
      if (part.type === "tool-call") return [part];
      if (part.text === "" && part.providerMetadata === undefined) return [];
      return [{ ...part, text: part.text.toWellFormed() }];
    });
  }

  /**
   * Why the model stopped. Servers differ in the word they use with tool calls (`stop`, `tool_calls`,
   * none), so the calls themselves decide between the two.
   */
  finish(): FinishReason {
    const reason = this.#finish?.raw === undefined ? "stop" : this.#finish.unified;
    if (reason === "interrupted") return "other";
    if (reason === "other" && this.#finish?.raw === "model_context_window_exceeded") {
      return "length";
    }
    // The SDK does not know the word that gateways use when what is behind them failed.
    if (reason === "other" && this.#finish?.raw === "error") return "error";
    const hasCalls = this.#parts.some((part) => part.type === "tool-call");
    if (reason === "stop" || reason === "tool-calls") return hasCalls ? "tool-calls" : "stop";
    return reason === "other" && hasCalls ? "tool-calls" : reason;
  }

  /** Whether the stream named a reason to stop. */
  get hasFinish(): boolean {
    return this.#finish?.raw !== undefined;
  }

  #begin(type: "text" | "reasoning", id: string, metadata: unknown): TextPart | ReasoningPart {
    const part = { type, text: "", ...metadataOf(metadata) };
    this.#open.set(id, part);
    this.#parts.push(part);
    return part;
  }

  #append(
    type: "text-delta" | "reasoning-delta",
    id: string,
    delta: string,
    metadata: unknown,
  ): void {
    const kind = type === "text-delta" ? "text" : "reasoning";
    const part = this.#open.get(id) ?? this.#begin(kind, id, undefined);
    addMetadata(part, metadata);
    if (delta === "") return;
    part.text += delta;
    this.#length += delta.length;
    this.#onEvent({ type, text: delta });
  }
}

function addMetadata(part: TextPart | ReasoningPart | undefined, metadata: unknown): void {
  const added = metadataOf(metadata).providerMetadata;
  if (part === undefined || added === undefined) return;
  const before = part.providerMetadata ?? {};
  part.providerMetadata = { ...before };
  for (const [provider, fields] of Object.entries(added)) {
    part.providerMetadata[provider] = { ...before[provider], ...fields };
  }
}

/** Metadata as JSON; nothing when it says nothing. */
function metadataOf(metadata: unknown): { providerMetadata?: ProviderMetadata } {
  if (metadata === undefined) return {};
  const json: ProviderMetadata = JSON.parse(
    JSON.stringify(metadata),
    (_name, value) => typeof value === "string" ? value.toWellFormed() : value,
  );
  const told = Object.entries(json).filter(([, fields]) => Object.keys(fields).length > 0);
  return told.length === 0 ? {} : { providerMetadata: Object.fromEntries(told) };
}

/** The input of a call from what the model wrote: no text at all means no input. */
function parseInput(text: string): { input: JsonValue; malformed?: string } {
  if (text.trim() === "") return { input: {} };
  try {
    const input: JsonValue = JSON.parse(text);
    if (input !== null && typeof input === "object" && !Array.isArray(input)) {
      return { input: wellFormed(input) };
    }
  } catch {
    // Not JSON: handed back to the model below.
  }
  return { input: {}, malformed: text.toWellFormed() };
}

function wellFormed(value: JsonValue): JsonValue {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key.toWellFormed(), wellFormed(entry)]),
  );
}

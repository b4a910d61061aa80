/**
 * The port to a language model: what a call is, what comes back, what is said on the way.
 * Rule: types only, so that whoever needs a model loads no provider's code by importing this.
 */
import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { JsonValue } from "../platform/canonical_json.ts";

/** The messages of a conversation as @ai-sdk/provider defines them, the system message first. */
export type Prompt = LanguageModelV4Prompt;

/** One message of a {@linkcode Prompt}. */
export type PromptMessage = Prompt[number];

/** What a provider said besides the content and wants to see again: signatures of reasoning, mostly. */
export type ProviderMetadata = { [provider: string]: { [name: string]: JsonValue } };

/** A tool as the model is told of it. */
export interface ToolDefinition {
  name: string;
  description: string;
  /** A JSON Schema of type `object`. */
  inputSchema: { [key: string]: JsonValue };
}

/** One request to a model. Equal calls give equal bytes. */
export interface ModelCall {
  prompt: Prompt;
  /** In the order in which they are sent; it must not change within a conversation. */
  tools: readonly ToolDefinition[];
  /**
   * `maxOutputTokens`, `temperature`, `topP`, `topK`, `presencePenalty`, `frequencyPenalty`, `seed`,
   * `stopSequences`, `reasoning` by these names; any other goes into the request's body as it is.
   */
  parameters: { readonly [name: string]: JsonValue };
  /** A JSON Schema that the server holds the answer to, where it can ({@linkcode Model.enforcesSchemas}). */
  answerSchema?: { [key: string]: JsonValue };
  /** What the requests of one conversation have in common: the session's id. */
  cacheKey: string;
  /** The server's slot for this conversation (llama.cpp), from 0. */
  slot?: number;
  /** How many completions are recorded already; a scripted model goes on behind them. */
  completionsSoFar?: number;
}

/** Text for the user. */
export interface TextPart {
  type: "text";
  text: string;
  providerMetadata?: ProviderMetadata;
}

/** What the model thought; with signatures in `providerMetadata` that must be sent back unchanged. */
export interface ReasoningPart {
  type: "reasoning";
  text: string;
  providerMetadata?: ProviderMetadata;
}

/** A call of a tool. */
export interface ToolCallPart {
  type: "tool-call";
  name: string;
  /** The provider's name for this call, to be repeated with its result. Unique within a completion. */
  id: string;
  /** The input; `{}` when it was malformed. */
  input: JsonValue;
  /** The input as the model wrote it, where that is not JSON or not a JSON object. Never run such a call. */
  malformed?: string;
  providerMetadata?: ProviderMetadata;
}

/** A piece of what the model said, in its order. */
export type CompletionPart = TextPart | ReasoningPart | ToolCallPart;

/**
 * Why the model stopped: it was done, its output hit the limit, it waits for tool results, the provider
 * filtered it, the provider reported a fault, or something else.
 */
export type FinishReason = "stop" | "length" | "tool-calls" | "content-filter" | "error" | "other";

/** Where a cost comes from: the provider said it, it was computed from prices, nobody knows. */
export type CostSource = "reported" | "estimated" | "unknown";

/** Tokens and money of one completion. */
export interface ModelUsage {
  /** All tokens of the prompt, those read from and written to the cache included. */
  input: number;
  /** All tokens of the answer, those of reasoning included. */
  output: number;
  /** The part of `input` that came from the provider's cache. */
  cacheRead: number;
  /** The part of `input` that was written to the provider's cache. */
  cacheWrite: number;
  /** The part of `output` that was reasoning, where the provider says it. */
  reasoning?: number;
  /** False when the provider reported nothing: `input` and `output` are then bytes divided by four. */
  isReported: boolean;
  /** US dollars; absent exactly when `costSource` is `unknown`. */
  cost?: number;
  costSource: CostSource;
}

/** The body that was sent (of the last try, when there were several: all are the same bytes). */
export interface SentRequest {
  sizeBytes: number;
  /** 64 lower-case hex digits. */
  sha256: string;
}

/** A whole answer. There is no half one. */
export interface Completion {
  content: CompletionPart[];
  finish: FinishReason;
  usage: ModelUsage;
  request: SentRequest;
  /** The provider's id of the request or the answer; one made here where it gives none. */
  requestId: string;
  /** How often the request was sent again, replaced dead connections not counted. */
  retries: number;
}

/** What happens while an answer arrives; to be shown, never to be recorded. */
export type ModelEvent =
  | { type: "text-delta"; text: string }
  | { type: "reasoning-delta"; text: string }
  | { type: "tool-call-started"; name: string }
  /** Something about the answer that the user should know; it stays said whatever follows. */
  | { type: "notice"; text: string }
  /** The request will be sent again after `waitMs`; `attempt` 1 is the first repetition. */
  | { type: "retry"; attempt: number; reason: string; waitMs: number }
  /** What was shown of this answer is void: the stream broke and the answer starts over. */
  | { type: "restart" };

/** How a call is watched and ended. */
export interface StreamOptions {
  /** Ends the call; it then rejects with the signal's reason. */
  signal: AbortSignal;
  onEvent: (event: ModelEvent) => void;
}

/** A language model. */
export interface Model {
  readonly id: { readonly provider: string; readonly name: string };
  /** The size of the context window in tokens, where the server or a table of models knows it, or a refusal has told it. */
  readonly contextWindowTokens: number | undefined;
  /** Whether it is a server of one's own that holds an answer to a schema. */
  readonly enforcesSchemas?: boolean;
  /** Whether it takes pictures; undefined where nobody knows. Asks the server where that can tell. */
  takesImages?(): Promise<boolean | undefined>;
  /**
   * The exact body that {@linkcode Model.stream} would send for `call`; canonical JSON of the call for a
   * model without a network. Touches no network. For a growing conversation, each body up to the
   * end of its messages is a prefix of the next: only a schema for the answer comes behind them.
   *
   * @param sha256 of the body that was sent for `call` at an earlier time, if it was: what the server refused then, and was
   *   left out of it, is left out of this body and of all that follow, where that gives the same bytes
   */
  encode(call: ModelCall, sha256?: string): Promise<Uint8Array>;
  /**
   * Sends `call` and resolves with the whole answer.
   *
   * @throws {ModelError} when the provider refuses, stays unreachable, or answers nonsense.
   * @throws the signal's reason when it is aborted.
   */
  stream(call: ModelCall, options: StreamOptions): Promise<Completion>;
}

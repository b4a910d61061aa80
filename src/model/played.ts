/**
 * What the models without a network have in common.
 * Rule: a played answer looks in every field like one that came over the wire.
 */
import type { Clock } from "../platform/clock.ts";
import { ModelError } from "./errors.ts";
import type {
  Completion,
  CompletionPart,
  FinishReason,
  ModelCall,
  ModelUsage,
  StreamOptions,
} from "./port.ts";
import { describeBytes, encodeOffline } from "./wire.ts";

/** How many answers stand before the one that `call` asks for. */
export function answersBefore(call: ModelCall): number {
  return call.completionsSoFar ??
    call.prompt.filter((message) => message.role === "assistant").length;
}

/** An answer to be played. */
export interface PlayedAnswer {
  content: CompletionPart[];
  finish?: FinishReason;
  usage?: Partial<ModelUsage>;
  /** A pause before it. */
  delayMs?: number;
}

/** The words that {@linkcode play} shows at once. */
const DELTA = /[\s\S]{1,24}/gu;

/** Streams `answer` in small pieces and gives it as the completion of `call`. */
export async function play(
  answer: PlayedAnswer,
  call: ModelCall,
  { signal, onEvent }: StreamOptions,
  clock: Clock,
): Promise<Completion> {
  if (answer.delayMs !== undefined) await clock.sleep(answer.delayMs, signal);
  for (const part of answer.content) {
    if (part.type === "tool-call") {
      signal.throwIfAborted();
      onEvent({ type: "tool-call-started", name: part.name });
      continue;
    }
    for (const [text] of part.text.matchAll(DELTA)) {
      signal.throwIfAborted();
      onEvent({ type: part.type === "text" ? "text-delta" : "reasoning-delta", text });
      // Others get their turn between two deltas, as they would with a network.
      await Promise.resolve();
    }
  }
  signal.throwIfAborted();
  const bytes = encodeOffline(call);
  const hasCalls = answer.content.some((part) => part.type === "tool-call");
  return {
    content: answer.content,
    finish: answer.finish ?? (hasCalls ? "tool-calls" : "stop"),
    usage: {
      input: Math.ceil(bytes.byteLength / 4),
      output: Math.ceil(JSON.stringify(answer.content).length / 4),
      cacheRead: 0,
      cacheWrite: 0,
      isReported: answer.usage !== undefined,
      costSource: "unknown",
      ...answer.usage,
    },
    request: describeBytes(bytes),
    requestId: `played-${crypto.randomUUID()}`,
    retries: 0,
  };
}

/** The error of a played model whose words do not fit the conversation. */
export function playError(message: string): ModelError {
  return new ModelError("script", message);
}

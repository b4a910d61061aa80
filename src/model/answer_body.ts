/**
 * The body of a streamed answer, watched: silence, length, and its events as they pass.
 * Rule: a body ends in one of three ways: whole, broken (Disconnected), or given up (ModelError).
 */
import type { Clock } from "../platform/clock.ts";
import { messageOf } from "../platform/errors.ts";
import { ModelError } from "./errors.ts";
import { EventStream } from "./event_stream.ts";
import { shorten } from "./failure.ts";
import { Disconnected } from "./try_again.ts";

/** How a body is watched. */
export interface BodyWatch {
  clock: Clock;
  signal: AbortSignal;
  /** Silence that ends the answer; 0: none does. */
  idleTimeoutMs: number;
  /** Whether the answer may keep its reader waiting for its beginning: a large model reads a long prompt. */
  mayBeginLate: boolean;
  maxWireBytes: number;
  /** Who answers, for messages. */
  source: string;
  /** Sees the data of each event and gives what to hand on in its place; undefined when it says nothing. */
  onData(data: string): string | undefined;
  /** Is told what the body breaks with: those who read the stream may wrap it beyond recognition. */
  onFailure(failure: unknown): void;
  /** Whether an event of the answer has come. */
  hasBegun(): boolean;
  /** Whether nothing more is needed. */
  isOver(): boolean;
  /** Whether the answer is whole, so that a broken connection no longer matters. */
  isComplete(): boolean;
}

// How long to wait for the server to close the connection once all has been said.
const GRACE_MS = 500;

// More events that say nothing than this in a row are no answer: one every 15 s would take a day.
const MAX_EMPTY_EVENTS = 6_000;

/** Passes `body` on, event by event, under `watch`. */
export function watchBody(
  body: ReadableStream<Uint8Array>,
  watch: BodyWatch,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const encoder = new TextEncoder();
  const events = new EventStream();
  let wireBytes = 0;
  let emptyEvents = 0;

  /** Events as they are handed on. */
  function handOn(datas: readonly string[]): string {
    return datas.map((data) => {
      const shown = watch.onData(data);
      if (shown !== undefined) {
        emptyEvents = 0;
        return `data: ${shown}\n\n`;
      }
      emptyEvents++;
      if (emptyEvents <= MAX_EMPTY_EVENTS) return "";
      throw new ModelError(
        "protocol",
        `${watch.source} has sent ${emptyEvents} events in a row that say nothing, the last one ` +
          `${shorten(data) || "empty"}. Check the base URL, or choose another model.`,
      );
    }).join("");
  }

  async function next(): Promise<Uint8Array | undefined> {
    for (;;) {
      const chunk = await readWithin(reader, watch);
      if (chunk === undefined) {
        const rest = handOn([...events.push(decoder.decode()), ...events.end()]);
        return rest === "" ? undefined : encoder.encode(rest);
      }
      wireBytes += chunk.byteLength;
      if (wireBytes > watch.maxWireBytes) {
        throw new ModelError(
          "too-large",
          `${watch.source} does not stop answering: ${wireBytes} bytes so far. The answer was dropped.`,
        );
      }
      const text = handOn(events.push(decoder.decode(chunk, { stream: true })));
      if (text !== "") return encoder.encode(text);
    }
  }

  let isEnded = false;
  return new ReadableStream({
    async pull(controller) {
      try {
        const bytes = isEnded ? undefined : await next();
        if (bytes === undefined) {
          controller.close();
          return;
        }
        controller.enqueue(bytes);
      } catch (error) {
        isEnded = true;
        watch.onFailure(error);
        controller.error(error);
        reader.cancel(error).catch(() => {});
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** The next chunk; `undefined` at the end. */
async function readWithin(reader: Reader, watch: BodyWatch): Promise<Uint8Array | undefined> {
  const timer = new AbortController();
  const signal = AbortSignal.any([timer.signal, watch.signal]);
  const idleMs = watch.mayBeginLate && !watch.hasBegun() ? 0 : watch.idleTimeoutMs;
  const limitMs = watch.isOver() ? GRACE_MS : idleMs;
  const silence = silenceOf(watch.clock, limitMs, signal);
  try {
    const outcome = await Promise.race([readOrBreak(reader), silence]);
    if (outcome !== "silence") return outcome;
    if (watch.isComplete()) {
      reader.cancel().catch(() => {});
      return undefined;
    }
    throw new ModelError(
      "timeout",
      `${watch.source} sent nothing for ${Math.round(limitMs / 1000)} s. ` +
        "The answer was dropped. Try again, set [limits] silence_seconds, or choose another model.",
    );
  } catch (error) {
    if (error instanceof Disconnected && watch.isComplete()) return undefined;
    throw error;
  } finally {
    silence.catch(() => {});
    timer.abort();
  }
}

/** Resolves when `limitMs` are over, never where that is 0; rejects when `signal` is aborted. */
export async function silenceOf(
  clock: Clock,
  limitMs: number,
  signal: AbortSignal,
): Promise<"silence"> {
  if (limitMs > 0) {
    await clock.sleep(limitMs, signal);
    return "silence";
  }
  const { promise, reject } = Promise.withResolvers<"silence">();
  if (signal.aborted) reject(signal.reason);
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  return await promise;
}

async function readOrBreak(reader: Reader): Promise<Uint8Array | undefined> {
  try {
    const { value } = await reader.read();
    return value;
  } catch (error) {
    throw new Disconnected(`the connection broke: ${messageOf(error)}`, false, { cause: error });
  }
}

/**
 * The body of a streamed answer, watched: silence, length, and its events as they pass.
 * Rule: a body ends in one of three ways: whole, broken (Disconnected), or given up (ModelError).
 */
import type { Clock } from "../platform/clock.ts";
import { messageOf } from "../platform/errors.ts";
import { ModelError } from "./errors.ts";
import { Disconnected } from "./try_again.ts";

/** How a body is watched. */
export interface BodyWatch {
  clock: Clock;
  signal: AbortSignal;
  /** Silence that ends the answer. */
  idleTimeoutMs: number;
  maxWireBytes: number;
  /** Who answers, for messages. */
  source: string;
  /** Sees the data of each event and gives what to hand on in its place. */
  onData(data: string): string;
  /** Is told what the body breaks with: those who read the stream may wrap it beyond recognition. */
  onFailure(failure: unknown): void;
  /** Whether nothing more is needed. */
  isOver(): boolean;
  /** Whether the answer is whole, so that a broken connection no longer matters. */
  isComplete(): boolean;
}

// How long to wait for the server to close the connection once all has been said.
const GRACE_MS = 500;

/** Passes `body` on, event by event, under `watch`. */
export function watchBody(
  body: ReadableStream<Uint8Array>,
  watch: BodyWatch,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const encoder = new TextEncoder();
  let pending = "";
  let wireBytes = 0;

  /** The part of what has come that ends with a line, its data seen. */
  function wholeLines(): string {
    const end = pending.lastIndexOf("\n") + 1;
    const lines = pending.slice(0, end);
    pending = pending.slice(end);
    return lines.replace(
      /^data:[ ]?([^\r\n]*)/gm,
      (_, data: string) => `data: ${watch.onData(data)}`,
    );
  }

  async function next(): Promise<Uint8Array | undefined> {
    for (;;) {
      const chunk = await readWithin(reader, watch);
      if (chunk === undefined) {
        pending += `${decoder.decode()}\n`;
        const rest = wholeLines();
        return rest.trim() === "" ? undefined : encoder.encode(rest);
      }
      wireBytes += chunk.byteLength;
      if (wireBytes > watch.maxWireBytes) {
        throw new ModelError(
          "too-large",
          `${watch.source} does not stop answering: ${wireBytes} bytes so far. The answer was dropped.`,
        );
      }
      const text = decoder.decode(chunk, { stream: true });
      pending += text;
      // Only a chunk with a line end can complete a line; a long line is not searched again and again.
      if (text.includes("\n")) return encoder.encode(wholeLines());
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
  const limitMs = watch.isOver() ? GRACE_MS : watch.idleTimeoutMs;
  const silence = watch.clock.sleep(limitMs, signal).then(() => "silence" as const);
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
        "The answer was dropped; try again, or choose another model.",
    );
  } catch (error) {
    if (error instanceof Disconnected && watch.isComplete()) return undefined;
    throw error;
  } finally {
    silence.catch(() => {});
    timer.abort();
  }
}

async function readOrBreak(reader: Reader): Promise<Uint8Array | undefined> {
  try {
    const { value } = await reader.read();
    return value;
  } catch (error) {
    throw new Disconnected(`the connection broke: ${messageOf(error)}`, false, { cause: error });
  }
}

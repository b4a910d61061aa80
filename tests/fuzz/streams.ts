/**
 * What a server writes as its answer, in every protocol, over HTTP on loopback.
 * Rule: a turn ends, with an answer or with an error of m31a's; never with a defect, and never not at all.
 */
import assert from "node:assert/strict";
import { M31aError } from "../../src/platform/errors.ts";
import { callWith, openAt, PROTOCOLS, watcher } from "../model/calls.ts";
import { ModelServer, type Reply } from "../support/servers/mod.ts";
import type { Fuzzer } from "./fuzzer.ts";

/** How long an answer may be silent, in milliseconds. */
const IDLE_MS = 2_000;
/** When a turn is taken for one that does not end. */
const NEVER_MS = 8_000;

/** Both protocols of the model server, and those whose answers are recorded. */
const SPOKEN = [
  ...PROTOCOLS,
  { provider: "openai-responses", name: "gpt-5.2" },
  { provider: "gemini", name: "gemini-2.5-pro" },
] as const;

let reply: Reply = {};
let server: ModelServer | undefined;

export const STREAMS: Fuzzer = {
  name: "streams",
  words: [
    ...["\n", "\n\n", "\r\n", "\r", "data: ", "data:", "event: ", ": ping\n\n", "data: [DONE]\n\n"],
    ...[
      "data: {}\n\n",
      "data: null\n\n",
      "data: []\n\n",
      "{",
      "}",
      '"',
      ",",
      "null",
      "-1",
      "1e308",
    ],
    ...['"choices":null,', '"delta":{},', '"index":7,', '"finish_reason":"length"', '"usage":{}'],
    ...[
      '"tool_calls":[{"index":0}]',
      '"arguments":{}',
      '"error":{"message":"no"}',
      "\\ud800",
      "\0",
    ],
    ...['"type":"error"', '"type":"message_stop"', '"type":"ping"', "event: error\n", "\ufeff"],
    ...['"type":"response.completed"', '"response":{}', '"item":{"type":"message","id":"m"}'],
    ...[
      '"candidates":[{}]',
      '"finishReason":"STOP"',
      '"parts":[{"text":"x"}]',
      '"usageMetadata":{}',
    ],
    ...["0\r\n\r\n", "[".repeat(300), "9".repeat(30), "\u2028", '"content_block":{"type":"x"}'],
  ],
  async check(input, choice) {
    server ??= ModelServer.start(() => reply);
    const wire = new TextDecoder("utf-8", { ignoreBOM: true }).decode(input);
    const isCut = choice % 8 === 1;
    reply = isCut ? { wire, cutAfterBytes: choice % (input.length + 1) } : { wire };
    const chosen = SPOKEN.filter((_, index) =>
      choice === 0 || index === (choice >> 3) % SPOKEN.length
    );
    for (const protocol of chosen) await checkAnswer(server.baseUrl, protocol);
  },
  close: async () => await server?.[Symbol.asyncDispose](),
};

async function checkAnswer(
  baseUrl: string,
  protocol: (typeof SPOKEN)[number],
): Promise<void> {
  const model = await openAt(baseUrl, protocol, { idleTimeoutMs: IDLE_MS, maxTries: 2 });
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error("the answer does not end")), NEVER_MS);
  try {
    const { content } = await model.stream(callWith("hello"), watcher(late.signal));
    assert.ok(Array.isArray(content));
  } catch (error) {
    if (late.signal.aborted) throw late.signal.reason;
    if (!(error instanceof M31aError) || isDefect(error)) throw error;
    assert.ok(error.message.length < 4_000 && !error.message.includes("\n    at "), error.message);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether what went wrong is the program's own: an error that only a mistake in it brings about. */
function isDefect(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isMistake = error instanceof RangeError || error instanceof ReferenceError ||
    error instanceof TypeError && !/^(?:error|network|fetch|body)/i.test(error.message);
  return isMistake || isDefect(error.cause);
}

/** What the prompt cache of a provider lives on: a request's bytes begin with those of the one before. */
import assert from "node:assert/strict";
import type { RecordedRequest } from "./servers/mod.ts";

/** What closes a request's list of messages and the request: brackets, and between them what the next answer is held to. */
const CLOSING = /\](?:,"response_format":\{"type":"json_schema",.*)?\}$/;

/** Asserts that each request begins with the bytes of the one before it, up to the end of its messages. */
export function assertEachBeginsWithTheOneBefore(requests: readonly RecordedRequest[]): void {
  for (const [index, request] of requests.entries()) {
    const before = requests[index - 1];
    if (before !== undefined) assertBeginsWith(request, before, `request ${index}`);
  }
}

/** Asserts that `request` begins with the bytes of `earlier`, up to the end of its messages. */
export function assertBeginsWith(
  request: RecordedRequest,
  earlier: RecordedRequest,
  what = "the request",
): void {
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const length = CLOSING.exec(text(earlier.body))?.index;
  assert.ok(length !== undefined, "the request does not end with its messages");
  const beginning = text(request.body).slice(0, length);
  assert.equal(beginning, text(earlier.body).slice(0, length), `${what} begins differently`);
}

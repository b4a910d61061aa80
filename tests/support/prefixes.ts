/** What the prompt cache of a provider lives on: a request's bytes begin with those of the one before. */
import assert from "node:assert/strict";
import type { RecordedRequest } from "./servers/mod.ts";

/** The brackets that close a request's list of messages and the request. */
const CLOSING = "]}";

/** Asserts that each request begins with the bytes of the one before it, up to its closing brackets. */
export function assertEachBeginsWithTheOneBefore(requests: readonly RecordedRequest[]): void {
  for (const [index, request] of requests.entries()) {
    const before = requests[index - 1];
    if (before !== undefined) assertBeginsWith(request, before, `request ${index}`);
  }
}

/** Asserts that `request` begins with the bytes of `earlier`, up to its closing brackets. */
export function assertBeginsWith(
  request: RecordedRequest,
  earlier: RecordedRequest,
  what = "the request",
): void {
  const length = earlier.body.byteLength - CLOSING.length;
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  assert.equal(text(earlier.body.subarray(length)), CLOSING);
  const beginning = text(request.body.subarray(0, length));
  assert.equal(beginning, text(earlier.body.subarray(0, length)), `${what} begins differently`);
}

/** Waits between tries. */
import assert from "node:assert/strict";
import { backoffMs, retryAfterMs } from "../../src/model/retry_after.ts";

const NOW = new Date("2026-01-01T00:00:00Z");

Deno.test("retryAfterMs() reads seconds, milliseconds and dates", () => {
  const read = (headers: { [name: string]: string }) => retryAfterMs(new Headers(headers), NOW);
  assert.equal(read({ "retry-after": "7" }), 7000);
  assert.equal(read({ "retry-after": "0.5" }), 500);
  assert.equal(read({ "retry-after-ms": "250", "retry-after": "7" }), 250);
  assert.equal(read({ "retry-after": "Thu, 01 Jan 2026 00:01:00 GMT" }), 60_000);
  assert.equal(read({ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }), 0);
  assert.equal(read({ "retry-after": "soon" }), undefined);
  assert.equal(read({ "retry-after": "-3" }) ?? 0, 0);
  assert.equal(read({}), undefined);
});

Deno.test("backoffMs() doubles, has a ceiling, and is spread", () => {
  const backoff = { firstWaitMs: 1000, maxWaitMs: 5000 };
  assert.deepEqual([1, 2, 3, 4, 50].map((attempt) => backoffMs(attempt, backoff, 1)), [
    1000,
    2000,
    4000,
    5000,
    5000,
  ]);
  assert.equal(backoffMs(1, backoff, 0), 500);
});

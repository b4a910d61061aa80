/** What refusals mean: the words that providers really use. */
import assert from "node:assert/strict";
import { judge, parseRefusal } from "../../src/model/failure.ts";

Deno.test("judge() does not take other refusals for a context overflow", () => {
  const bodies = [
    { error: { message: "rate limit exceeded for context caching", type: "rate_limit_error" } },
    { error: { message: "max_tokens is too large" } },
    { error: { message: "Unknown field: context" } },
  ];
  for (const body of bodies) {
    assert.notEqual(judge(parseRefusal(JSON.stringify(body), 400)).kind, "context-overflow");
  }
});

Deno.test("judge() repeats what may pass and nothing else", () => {
  for (const status of [408, 409, 429, 500, 502, 503, 504, 529]) {
    assert.ok(judge({ status, code: "", message: "" }).isRetryable, String(status));
  }
  for (const status of [301, 400, 401, 402, 403, 404, 413, 422]) {
    assert.ok(!judge({ status, code: "", message: "" }).isRetryable, String(status));
  }
});

Deno.test("judge() does not repeat a 429 that no waiting will cure", () => {
  const body = {
    error: { code: "insufficient_quota", message: "You exceeded your current quota" },
  };
  const verdict = judge(parseRefusal(JSON.stringify(body), 429));
  assert.deepEqual(verdict, { kind: "payment", isRetryable: false });
});

Deno.test("judge() reads the status of an error inside a stream from its code", () => {
  const kindOf = (error: unknown) => judge(parseRefusal(JSON.stringify({ error })));
  assert.deepEqual(kindOf({ code: 429, message: "x" }), { kind: "rate-limit", isRetryable: true });
  assert.deepEqual(kindOf({ code: 401, message: "x" }), {
    kind: "authentication",
    isRetryable: false,
  });
  assert.deepEqual(kindOf({ type: "overloaded_error", message: "x" }), {
    kind: "server",
    isRetryable: true,
  });
  assert.deepEqual(kindOf({ type: "invalid_request_error", message: "x" }), {
    kind: "bad-request",
    isRetryable: false,
  });
});

Deno.test("parseRefusal() makes a line of whatever comes", () => {
  assert.equal(
    parseRefusal("<html>\n  Bad   gateway\n</html>", 502).message,
    "<html> Bad gateway </html>",
  );
  assert.equal(parseRefusal('{"error":"gone"}', 404).message, "gone");
  assert.equal(parseRefusal('{"message":"no"}', 404).message, "no");
  assert.equal(parseRefusal("", 500).message, "");
  assert.ok(parseRefusal("😀".repeat(1000), 500).message.length < 700);
});

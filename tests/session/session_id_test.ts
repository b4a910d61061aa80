import assert from "node:assert/strict";
import { SessionNotFound } from "../../src/session/errors.ts";
import { UsageError } from "../../src/platform/errors.ts";
import { isSessionId, newSessionId, resolveSessionId } from "../../src/session/session_id.ts";

const IDS = ["20260101-000000-aaaa", "20260102-000000-bbbb", "20260102-000000-bbcc"];

Deno.test("newSessionId() gives ids that sort by age and differ within a second", () => {
  const early = newSessionId(new Date("2026-01-02T03:04:05Z"));
  const late = newSessionId(new Date("2026-01-02T03:04:06Z"));
  assert.ok(early < late);
  assert.ok(isSessionId(early));
  const many = new Set(Array.from({ length: 64 }, () => newSessionId(new Date(0))));
  assert.ok(many.size > 32);
});

Deno.test("isSessionId() refuses what could lead out of the folder", () => {
  for (
    const text of [
      "",
      "..",
      "../20260101-000000-aaaa",
      "20260101-000000-aaaa/",
      "20260101-000000-AAAA",
    ]
  ) {
    assert.equal(isSessionId(text), false, text);
  }
});

Deno.test("resolveSessionId() takes a unique prefix and refuses an ambiguous or unknown one", () => {
  assert.equal(resolveSessionId(IDS, "20260101"), IDS[0]);
  assert.equal(resolveSessionId(IDS, "20260102-000000-bbc"), IDS[2]);
  assert.throws(
    () => resolveSessionId(IDS, "20260102"),
    (error) => error instanceof SessionNotFound && /2 sessions begin with/.test(error.message),
  );
  assert.throws(() => resolveSessionId(IDS, "2027"), SessionNotFound);
  assert.throws(() => resolveSessionId(IDS, "../x"), UsageError);
  assert.throws(() => resolveSessionId(IDS, ""), UsageError);
});

import assert from "node:assert/strict";
import fc from "fast-check";
import type { AgentEvent } from "../../src/agent/events.ts";
import { maskEvents } from "../../src/agent/masked_events.ts";
import { maskSecrets } from "../../src/platform/text.ts";

const SECRETS = ["abababac", "abababacdd"];

/** What is told when `pieces` are streamed and the reply is complete. */
function told(pieces: readonly string[]): AgentEvent[] {
  const events: AgentEvent[] = [];
  const { tell } = maskEvents(SECRETS, (event) => events.push(event));
  for (const text of pieces) tell({ type: "text", text });
  tell({ type: "notice", text: "over" });
  return events;
}

function textOf(events: readonly AgentEvent[]): string {
  return events.map((event) => event.type === "text" ? event.text : "").join("");
}

Deno.test("maskEvents() lets no secret through, however a text is cut, and loses nothing else", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c", "d", "ab", ...SECRETS), { maxLength: 30 });
  fc.assert(fc.property(text, (pieces) => {
    const shown = textOf(told(pieces));
    for (const secret of SECRETS) assert.ok(!shown.includes(secret));
    // A longer secret that begins with a shorter one may be masked as the shorter one and its rest.
    if (!pieces.join("").includes("abababac")) assert.equal(shown, pieces.join(""));
  }));
});

Deno.test("maskEvents() tells what it held back before the next event of another kind", () => {
  assert.deepEqual(told(["is it abab"]), [
    { type: "text", text: "is it " },
    { type: "text", text: "abab" },
    { type: "notice", text: "over" },
  ]);
});

Deno.test("maskEvents() holds no text back that no secret begins with", () => {
  assert.deepEqual(told(["one ", "two"]).slice(0, 2), [
    { type: "text", text: "one " },
    { type: "text", text: "two" },
  ]);
});

Deno.test("maskEvents() masks the reason of a retry", () => {
  const events: AgentEvent[] = [];
  const { tell } = maskEvents(SECRETS, (event) => events.push(event));
  tell({ type: "retry", attempt: 1, reason: `no ${SECRETS[0]}`, waitMs: 1 });
  const reason = maskSecrets(`no ${SECRETS[0]}`, SECRETS);
  assert.deepEqual(events, [{ type: "retry", attempt: 1, reason, waitMs: 1 }]);
});

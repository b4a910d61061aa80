import assert from "node:assert/strict";
import { toAssistantParts } from "../../src/agent/prompt.ts";
import type { CompletionPart } from "../../src/model/port.ts";

const SECRET = "sk-0123456789";
const signed = (text: string, signature = "s1"): CompletionPart => ({
  type: "reasoning",
  text,
  providerMetadata: { anthropic: { signature } },
});

Deno.test("toAssistantParts() leaves signed reasoning out in which a secret would be masked", () => {
  const text: CompletionPart = { type: "text", text: `It is ${SECRET}.` };
  const parts = toAssistantParts(
    [signed(`The key is ${SECRET}`), signed("fine"), signed("odd", SECRET), text],
    1,
    [SECRET],
  );
  assert.deepEqual(parts, [
    { kind: "reasoning", text: "fine", provider: { anthropic: { signature: "s1" } } },
    { kind: "text", text: "It is [masked]." },
  ]);
});

Deno.test("toAssistantParts() masks reasoning without a signature and keeps it", () => {
  const parts = toAssistantParts([{ type: "reasoning", text: `Not ${SECRET}` }], 1, [SECRET]);
  assert.deepEqual(parts, [{ kind: "reasoning", text: "Not [masked]" }]);
});

Deno.test("toAssistantParts() keeps a call whose provider's data cannot be recorded", () => {
  const parts = toAssistantParts(
    [{
      type: "tool-call",
      name: "read_file",
      id: "c",
      input: { path: "a" },
      providerMetadata: { google: { thoughtSignature: SECRET, size: Infinity } },
    }],
    3,
    [SECRET],
  );
  assert.deepEqual(parts, [{ kind: "call", call: 3, tool: "read_file", input: { path: "a" } }]);
});

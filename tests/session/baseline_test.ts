import assert from "node:assert/strict";
import { decodeBaseline, encodeBaseline } from "../../src/session/baseline.ts";
import { BaselineInvalid } from "../../src/session/errors.ts";
import { sampleBaseline } from "./samples.ts";

const encoder = new TextEncoder();

function refusal(bytes: Uint8Array): string {
  try {
    decodeBaseline(bytes, "sessions/x/0.baseline.json");
  } catch (error) {
    if (error instanceof BaselineInvalid && error.exitCode === 3) return error.message;
    throw error;
  }
  throw new Error("it was not refused");
}

Deno.test("encodeBaseline() gives the same bytes whatever order the keys were set in", () => {
  const baseline = sampleBaseline();
  const shuffled = sampleBaseline(Object.fromEntries(Object.entries(baseline).reverse()));
  assert.deepEqual(encodeBaseline(shuffled), encodeBaseline(baseline));
});

Deno.test("decodeBaseline() gives back what was encoded, `__proto__` in a schema included", () => {
  const inputSchema = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"string"},"10":1}}',
  );
  const baseline = sampleBaseline({ tools: [{ name: "a", description: "b", inputSchema }] });
  const { bytes } = encodeBaseline(baseline);
  assert.ok(new TextDecoder().decode(bytes).includes("__proto__"));
  assert.deepEqual(decodeBaseline(bytes, "p"), baseline);
});

Deno.test("encodeBaseline() refuses a session's name that is no id, so that no path leads out", () => {
  assert.throws(() => encodeBaseline(sampleBaseline({ session: "../../x" })));
});

Deno.test("decodeBaseline() refuses a baseline that is empty, garbled, or not UTF-8", () => {
  const { bytes } = encodeBaseline(sampleBaseline());
  assert.match(refusal(new Uint8Array(0)), /0\.baseline\.json: the baseline is empty/);
  assert.match(refusal(new Uint8Array(4096)), /not JSON/);
  assert.match(refusal(bytes.slice(0, 40)), /not JSON/);
  assert.match(refusal(new Uint8Array([0xff, ...bytes])), /not UTF-8/);
});

Deno.test("decodeBaseline() refuses an edited baseline: white space, another order, a field more or less", () => {
  const text = new TextDecoder().decode(encodeBaseline(sampleBaseline()).bytes);
  assert.match(refusal(encoder.encode(text + "\n")), /has been edited/);
  assert.match(refusal(encoder.encode(JSON.stringify(sampleBaseline()))), /has been edited/);
  assert.match(refusal(encoder.encode(text.replace("{", '{"extra":1,'))), /not a baseline/);
  assert.match(refusal(encoder.encode(text.replace('"epoch":0,', ""))), /not a baseline: epoch/);
});

Deno.test("decodeBaseline() refuses a newer format by name", () => {
  const text = JSON.stringify({ format: 3, anything: true });
  assert.match(refusal(encoder.encode(text)), /newer m31a \(format 3, this one knows 2\)/);
});

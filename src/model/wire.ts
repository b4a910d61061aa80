/**
 * The body of a request as it goes over the wire.
 * Rule: the messages come last, so that a conversation that grows only adds bytes at the end; everything before them is in
 * one fixed order, and behind them stands what is about the next answer alone.
 */
import { canonicalJson, type JsonValue, sha256Hex } from "../platform/canonical_json.ts";
import type { SentRequest } from "./port.ts";

/** A request's body as JSON. */
export type RequestBody = { [key: string]: JsonValue };

/** What the protocols call the messages. */
const MESSAGES = ["messages", "input", "contents"];

/** What is about the next answer alone, and may be another one each time. */
const OF_THE_ANSWER = ["response_format"];

/**
 * Writes `body` with its keys sorted, the messages behind them, and last what is about the answer. Values keep the order they have (the model
 * reads tools and messages), so equal bodies give equal bytes.
 *
 * @example
 * ```ts
 * import { encodeBody } from "./wire.ts";
 * import assert from "node:assert/strict";
 *
 * const bytes = encodeBody({ messages: [{ role: "user" }], tools: [], model: "m" });
 * assert.equal(new TextDecoder().decode(bytes), '{"model":"m","tools":[],"messages":[{"role":"user"}]}');
 * ```
 */
export function encodeBody(body: RequestBody): Uint8Array {
  const last = MESSAGES.find((key) => body[key] !== undefined);
  const isThere = (key: string) => body[key] !== undefined;
  const behind = OF_THE_ANSWER.filter(isThere);
  const keys = Object.keys(body).filter((key) => key !== last && !behind.includes(key)).sort();
  const members = [...keys.filter(isThere), ...(last === undefined ? [] : [last]), ...behind].map((
    key,
  ) => `${JSON.stringify(key)}:${JSON.stringify(body[key])}`);
  return new TextEncoder().encode(`{${members.join(",")}}`);
}

/** What a body without a network looks like: canonical JSON, the messages last as well. */
export function encodeOffline(
  call: { prompt: unknown; tools: unknown; parameters: unknown; cacheKey: string },
): Uint8Array {
  const { prompt, ...rest } = call;
  // "call" sorts before "messages".
  return new TextEncoder().encode(canonicalJson({
    call: { cacheKey: rest.cacheKey, parameters: rest.parameters, tools: rest.tools },
    messages: prompt,
  }));
}

/** Size and hash of `bytes`. */
export function describeBytes(bytes: Uint8Array): SentRequest {
  return { sizeBytes: bytes.byteLength, sha256: sha256Hex(bytes) };
}

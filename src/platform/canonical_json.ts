/**
 * Canonical JSON and its hash.
 * Rule: equal values give equal bytes, whatever order their keys were set in.
 */
import { createHash } from "node:crypto";

/** Any value that JSON can hold. */
export type JsonValue = string | number | boolean | null | JsonValue[] | {
  [key: string]: JsonValue;
};

/**
 * Writes `value` as JSON without white space and with the keys of every object sorted by UTF-16 code
 * units (as RFC 8785 does). Properties that are `undefined` are left out.
 *
 * @example
 * ```ts
 * import { canonicalJson } from "./canonical_json.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(canonicalJson({ b: 1, a: [true, null] }), '{"a":[true,null],"b":1}');
 * ```
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(entries.map(([key, entry]) => [key, sorted(entry)]));
}

/** The SHA-256 of `data` (text is taken as UTF-8) as 64 lower-case hex digits. */
export function sha256Hex(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

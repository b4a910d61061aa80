/**
 * Schemas for JSON that is only carried: what tools are given, what providers want to see again.
 * Rule: a value comes out as it went in, key for key (zod's own `json` drops `__proto__` and overflows on deep input).
 */
import { z } from "zod";
import type { JsonValue } from "../platform/canonical_json.ts";

/** How many arrays and objects may lie within one another; deeper JSON is refused before a stack overflows. */
export const MAX_JSON_DEPTH = 500;

/** Any value that JSON can hold, at most {@linkcode MAX_JSON_DEPTH} deep. */
export const jsonValue = z.custom<JsonValue>((value) => isJson(value, MAX_JSON_DEPTH), {
  message: `not JSON, or nested more than ${MAX_JSON_DEPTH} deep`,
});

/** An object of such values. */
export const jsonObject = z.custom<{ [key: string]: JsonValue }>(
  (value) => isPlainObject(value) && isJson(value, MAX_JSON_DEPTH),
  { message: `not a JSON object, or nested more than ${MAX_JSON_DEPTH} deep` },
);

function isJson(value: unknown, depth: number): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (depth === 0) return false;
  if (Array.isArray(value)) return value.every((entry) => isJson(entry, depth - 1));
  if (!isPlainObject(value)) return false;
  // A property that is undefined is one that JSON does not write.
  return Object.values(value).every((entry) => entry === undefined || isJson(entry, depth - 1));
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

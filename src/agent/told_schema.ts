/**
 * What a model is told of a tool's input: its shape, in few words.
 * Rule: bounds are checked and not told; a call that breaks one is answered with it, and each request is shorter.
 */
import type { JsonValue } from "../platform/canonical_json.ts";

type Schema = { [key: string]: JsonValue };

/** What is checked, and not told. */
const UNTOLD: ReadonlySet<string> = new Set([
  "$defs",
  "$schema",
  "maxItems",
  "maxLength",
  "maximum",
  "minItems",
  "minLength",
  "minimum",
  "propertyNames",
]);

/**
 * The schema as the model is told it.
 *
 * @example
 * ```ts
 * import { toldSchema } from "./told_schema.ts";
 * import assert from "node:assert/strict";
 *
 * const path = { type: "string", minLength: 1 };
 * assert.deepEqual(toldSchema({ type: "object", properties: { path }, required: ["path"] }), {
 *   type: "object",
 *   properties: { path: { type: "string" } },
 *   required: ["path"],
 * });
 * ```
 */
export function toldSchema(schema: Schema): Schema {
  const told: Schema = {};
  for (const [key, value] of Object.entries(schema)) {
    if (UNTOLD.has(key) || (key === "additionalProperties" && isObject(value))) continue;
    told[key] = key === "properties" && isObject(value) ? ofEach(value) : inside(value);
  }
  return told;
}

/** Keys of `properties` are names, whatever they are called. */
function ofEach(properties: Schema): Schema {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, inside(value)]),
  );
}

function inside(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(inside);
  return isObject(value) ? toldSchema(value) : value;
}

function isObject(value: JsonValue): value is Schema {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/**
 * Cleaning what comes from models and tools before it is recorded.
 * Rule: what is recorded is well-formed Unicode, holds none of the keys in use, and can be nested no deeper than a log's readers bear.
 */
import type { JsonValue } from "../platform/canonical_json.ts";
import { maskSecrets } from "../platform/text.ts";

/** How deep JSON may be nested. */
const MAX_DEPTH = 100;

/** JSON as it can be parsed, but not recorded. */
export class Unrecordable extends Error {}

/** `text` with half surrogate pairs replaced by U+FFFD and `secrets` masked. */
export function cleanText(text: string, secrets: readonly string[]): string {
  return maskSecrets(text.toWellFormed(), secrets);
}

/**
 * The same for every string in `value`, the names in objects included.
 *
 * @throws {Unrecordable} when it is nested too deep, or holds a number that became infinite (`1e999`)
 */
export function cleanJson(value: JsonValue, secrets: readonly string[], depth = 0): JsonValue {
  if (depth > MAX_DEPTH) {
    throw new Unrecordable(`the JSON is nested more than ${MAX_DEPTH} levels deep`);
  }
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new Unrecordable("a number in it is too large");
  }
  if (typeof value === "string") return cleanText(value, secrets);
  if (Array.isArray(value)) return value.map((entry) => cleanJson(entry, secrets, depth + 1));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map((
      [name, entry],
    ) => [cleanText(name, secrets), cleanJson(entry, secrets, depth + 1)]),
  );
}

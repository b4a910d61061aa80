/**
 * A tool call in a line, for a person.
 * Rule: what is shown is text, whatever the model wrote.
 */
import type { JsonValue } from "../../platform/canonical_json.ts";
import { stripControlSequences } from "../../platform/text.ts";

/** The inputs that say best what a call is about, in the order in which they are looked for. */
const TELLING = ["command", "path", "pattern", "query", "glob", "question", "name", "from"];

/**
 * The tool's name and the most telling of its inputs, on one line.
 *
 * @example
 * ```ts
 * import { summarizeCall } from "./call_summary.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(summarizeCall("read_file", { path: "src/main.ts", from: 1 }), "read_file src/main.ts");
 * ```
 */
export function summarizeCall(tool: string, input: JsonValue): string {
  const fields = input !== null && typeof input === "object" && !Array.isArray(input) ? input : {};
  const telling = TELLING.map((name) => fields[name]).find((value) => typeof value === "string");
  return oneLine(typeof telling === "string" ? `${tool} ${telling}` : tool);
}

/** `text` on one line, without control sequences. */
export function oneLine(text: string): string {
  return stripControlSequences(text).replace(/\s+/g, " ").trim();
}

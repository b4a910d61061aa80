/**
 * The format of a script: one answer of the model a line (docs/script-format.md).
 * Rule: a line that cannot be read is refused with its number when the script is opened, not when it is played.
 */
import { z } from "zod";
import { messageOf } from "../platform/errors.ts";
import type { JsonValue } from "../platform/canonical_json.ts";
import { playError } from "./played.ts";
import { MOST_TOKENS } from "./reported_usage.ts";

const tokens = z.int().min(0).max(MOST_TOKENS);

const lineSchema = z.strictObject({
  /** What the model says. */
  text: z.string().optional(),
  /** What it thinks before. */
  reasoning: z.string().optional(),
  /** The tools it calls. */
  calls: z.array(z.strictObject({
    tool: z.string().min(1),
    input: z.json().optional(),
    /** Input that is not JSON, as a model may write it. */
    malformed: z.string().optional(),
  })).optional(),
  usage: z.strictObject({
    input: tokens,
    output: tokens,
    cacheRead: tokens.default(0),
    cacheWrite: tokens.default(0),
    cost: z.number().nonnegative().optional(),
  }).optional(),
  finish: z.enum(["stop", "length", "tool-calls", "content-filter", "error", "other"]).optional(),
  /** What the message before must hold: a text, or /a regular expression/ with flags. */
  expect: z.string().optional(),
  delayMs: z.number().nonnegative().max(600_000).optional(),
  /** The request fails with this message. */
  error: z.string().optional(),
});

/** An answer of the script. */
export interface ScriptLine extends z.output<typeof lineSchema> {
  /** Its line in the file, from 1. */
  line: number;
}

/**
 * Reads a script: each line is an answer; blank lines and those that begin with `#` are left out. A line
 * that begins with `{` is JSON, any other is the text of the answer.
 *
 * @param path for messages
 * @throws {ModelError} naming `path:line`
 *
 * @example
 * ```ts
 * import { parseScript } from "./script_format.ts";
 * import assert from "node:assert/strict";
 *
 * const lines = parseScript('# a demo\nHello.\n{"calls":[{"tool":"git_diff"}]}\n', "demo.script");
 * assert.deepEqual(lines, [
 *   { line: 2, text: "Hello." },
 *   { line: 3, calls: [{ tool: "git_diff" }] },
 * ]);
 * ```
 */
export function parseScript(text: string, path: string): ScriptLine[] {
  return text.replace(/^\ufeff/, "").split(/\r?\n/).flatMap((content, index): ScriptLine[] => {
    const trimmed = content.trim();
    if (trimmed === "" || trimmed.startsWith("#")) return [];
    const line = index + 1;
    if (!trimmed.startsWith("{")) return [{ line, text: trimmed }];
    const parsed = lineSchema.safeParse(parseJson(trimmed, `${path}:${line}`));
    if (!parsed.success) {
      throw playError(`${path}:${line}: ${z.prettifyError(parsed.error)} (docs/script-format.md)`);
    }
    if (parsed.data.expect !== undefined) parseExpectation(parsed.data.expect, `${path}:${line}`);
    return [{ line, ...parsed.data }];
  });
}

function parseJson(text: string, place: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw playError(`${place}: a line that begins with "{" must be JSON: ${messageOf(error)}`);
  }
}

/** A test for `expect`: `/…/flags` is a regular expression, anything else a text to be contained. */
export function parseExpectation(expect: string, place: string): (text: string) => boolean {
  const match = /^\/(.+)\/([a-z]*)$/s.exec(expect);
  if (match === null) return (text) => text.includes(expect);
  const [, source = "", flags = ""] = match;
  try {
    const pattern = new RegExp(source, flags.replace(/[gy]/g, ""));
    return (text) => pattern.test(text);
  } catch (error) {
    throw playError(`${place}: "expect" is no regular expression: ${messageOf(error)}`);
  }
}

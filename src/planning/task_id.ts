/**
 * The names of tasks.
 * Rule: short, without blanks or punctuation that Markdown, a comma-separated list or a ref name would need escaped.
 */

/** What a task ID looks like, in words. */
export const TASK_ID_SHAPE = "a letter or digit, then up to 31 letters, digits, '.', '_' or '-'";

/**
 * Whether `text` can be the ID of a task.
 *
 * @example
 * ```ts
 * import { isTaskId } from "./task_id.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(isTaskId("1.2"), true);
 * assert.equal(isTaskId("add parser"), false);
 * ```
 */
export function isTaskId(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/.test(text);
}

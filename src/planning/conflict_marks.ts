/**
 * The marks that a merge leaves in a document when it could not decide.
 * Rule: they are never taken for content; text of a goal that looks like them goes into a code block, where they are text.
 */
import type { RootContent } from "mdast";
import { descendants, placeOf } from "./markdown.ts";

/** As git writes them: seven at the start of a line, then a name. Blanks before it may be lost in rendering. */
const MARK = /^ {0,3}(?:<{7}|>{7})(?: |$)/;

/** Whether a line of `text` looks like such a mark. */
export function hasConflictMark(text: string): boolean {
  return text.split("\n").some((line) => MARK.test(line));
}

/**
 * The number, from 1, of the first line of `source` outside of code that is the mark of a conflict.
 *
 * @param nodes what `source` was parsed to
 */
export function conflictLine(source: string, nodes: readonly RootContent[]): number | undefined {
  if (!hasConflictMark(source)) return undefined;
  const code = [...descendants(nodes)].filter(({ type }) => type === "code").map(placeOf);
  let start = 0;
  for (const [index, line] of source.split("\n").entries()) {
    const isCode = code.some((place) => place.start <= start && start < place.end);
    if (!isCode && MARK.test(line)) return index + 1;
    start += line.length + 1;
  }
  return undefined;
}

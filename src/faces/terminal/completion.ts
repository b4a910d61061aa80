/** Tab: what could stand at the cursor. Rule: pure; a candidate with control characters is no candidate. */
import { stripControlSequences } from "../../platform/text.ts";
import { type EditorState, replaceRange } from "./editor_state.ts";
import { wrapText } from "./wrap.ts";

/** What could stand from `start` to the cursor. */
export interface Completion {
  /** Index into the text (UTF-16). */
  start: number;
  candidates: readonly string[];
}

/** Finds completions for `text` with the cursor at `cursor`. */
export type Completer = (text: string, cursor: number) => Completion | Promise<Completion>;

const MAX_HINT_ROWS = 6;

/** Puts the only candidate in place, or what all have in common; candidates that remain are listed as hints. */
export function applyCompletion(
  state: EditorState,
  completion: Completion,
  columns: number,
): { state: EditorState; hints: string[] } {
  const candidates = completion.candidates.filter((text) =>
    stripControlSequences(text) === text && !text.includes("\n")
  );
  const [only] = candidates;
  if (only === undefined) return { state, hints: [] };
  const put = (text: string) => replaceRange(state, completion.start, state.cursor, text);
  if (candidates.length === 1) {
    return { state: put(/[/ ]$/.test(only) ? only : only + " "), hints: [] };
  }
  const common = candidates.reduce(commonStart);
  if (common.length > state.cursor - completion.start) return { state: put(common), hints: [] };
  const rows = wrapText(candidates.join("  "), columns);
  if (rows.length <= MAX_HINT_ROWS) return { state, hints: rows };
  return { state, hints: [...rows.slice(0, MAX_HINT_ROWS - 1), `… ${candidates.length} in all`] };
}

function commonStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  // Not between the halves of a surrogate pair.
  const last = one.charCodeAt(length - 1);
  return one.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

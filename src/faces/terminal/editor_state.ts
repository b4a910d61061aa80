/**
 * What is being typed: text, cursor, history, search. Rule: states are values; a key makes a new one.
 */
import { splitGraphemes } from "./width.ts";

/** The state of a line that is being edited. */
export interface EditorState {
  /** What is typed; lines are parted by `\n`. */
  text: string;
  /** Index into `text` (UTF-16), always between graphemes. */
  cursor: number;
  /** What was cut last, for Ctrl-Y. */
  cut: string;
  /** Earlier inputs, the newest last. */
  history: readonly string[];
  /** The entry of `history` that is shown; its length: the new line itself. */
  historyIndex: number;
  /** The new line, kept while an entry of the history is shown. */
  draft: string;
  /** A reverse search that is going on. */
  search?: Search;
}

/** A reverse search: what is looked for, where it was found, and what to go back to. */
export interface Search {
  query: string;
  /** Index into the history; -1 when nothing has it. */
  foundIndex: number;
  before: { text: string; cursor: number };
}

/** An empty line above `history`. */
export function newEditorState(history: readonly string[], text = ""): EditorState {
  const historyIndex = history.length;
  return { text, cursor: text.length, cut: "", history, historyIndex, draft: "" };
}

/** Replaces the text from `start` to `end` and puts the cursor behind it. */
export function replaceRange(
  state: EditorState,
  start: number,
  end: number,
  text: string,
): EditorState {
  return {
    ...state,
    text: state.text.slice(0, start) + text + state.text.slice(end),
    cursor: start + text.length,
  };
}

/** Cuts from `start` to `end`. */
export function cutRange(state: EditorState, start: number, end: number): EditorState {
  if (start === end) return state;
  return { ...replaceRange(state, start, end, ""), cut: state.text.slice(start, end) };
}

/** Where the line with the cursor begins. */
export function lineStart(state: EditorState): number {
  // A negative start would be taken for 0.
  return state.cursor === 0 ? 0 : state.text.lastIndexOf("\n", state.cursor - 1) + 1;
}

/** Where the line with the cursor ends. */
export function lineEnd(state: EditorState): number {
  const end = state.text.indexOf("\n", state.cursor);
  return end === -1 ? state.text.length : end;
}

/** The place one grapheme before the cursor. */
export function previousGrapheme(state: EditorState): number {
  if (state.cursor === 0) return 0;
  const start = lineStart(state);
  if (start === state.cursor) return start - 1;
  const last = splitGraphemes(state.text.slice(start, state.cursor)).at(-1) ?? "";
  return state.cursor - last.length;
}

/** The place one grapheme behind the cursor. */
export function nextGrapheme(state: EditorState): number {
  const end = lineEnd(state);
  if (end === state.cursor) return Math.min(end + 1, state.text.length);
  return state.cursor + (splitGraphemes(state.text.slice(state.cursor, end))[0] ?? "").length;
}

/** Where the word before the cursor begins. */
export function previousWord(state: EditorState): number {
  const before = state.text.slice(0, state.cursor);
  return before.length -
    (/[\p{L}\p{N}\p{M}_]*[^\p{L}\p{N}\p{M}_]*$/u.exec(before)?.[0] ?? "").length;
}

/** Where the word behind the cursor ends. */
export function nextWord(state: EditorState): number {
  const match = /^[^\p{L}\p{N}_]*[\p{L}\p{N}\p{M}_]*/u.exec(state.text.slice(state.cursor));
  return state.cursor + (match?.[0].length ?? 0);
}

/** Where what Ctrl-W cuts begins: the run of anything but white space before the cursor. */
export function previousBlank(state: EditorState): number {
  const before = state.text.slice(0, state.cursor);
  return before.length - (/\S*\s*$/.exec(before)?.[0].length ?? 0);
}

/** Shows another entry of the history, or the draft behind its end. */
export function showHistory(state: EditorState, index: number): EditorState {
  if (index < 0 || index > state.history.length) return state;
  const draft = state.historyIndex === state.history.length ? state.text : state.draft;
  const text = index === state.history.length ? draft : state.history[index] ?? "";
  return { ...state, text, cursor: text.length, historyIndex: index, draft };
}

/** Moves the cursor a line up or down, to the same place in it; undefined when there is no such line. */
export function moveLine(state: EditorState, direction: -1 | 1): EditorState | undefined {
  const start = lineStart(state);
  const end = lineEnd(state);
  if (direction === -1 ? start === 0 : end === state.text.length) return undefined;
  const graphemes = splitGraphemes(state.text.slice(start, state.cursor)).length;
  const target = { ...state, cursor: direction === -1 ? start - 1 : end + 1 };
  const from = lineStart(target);
  const line = splitGraphemes(state.text.slice(from, lineEnd(target)));
  return { ...state, cursor: from + line.slice(0, graphemes).join("").length };
}

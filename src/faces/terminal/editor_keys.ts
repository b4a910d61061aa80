/**
 * What each key does to the line that is being edited. Rule: pure; whatever reaches outside is an effect
 * for the caller.
 */
import {
  cutRange,
  type EditorState,
  lineEnd,
  lineStart,
  moveLine,
  nextGrapheme,
  nextWord,
  previousBlank,
  previousGrapheme,
  previousWord,
  replaceRange,
  showHistory,
} from "./editor_state.ts";
import { continueSearch, startSearch } from "./editor_search.ts";
import type { Key } from "./keys.ts";

/** What the caller has to do: take the line, tell of Ctrl-C or Ctrl-D on an empty line, clear the screen, complete. */
export type EditorEffect = "submit" | "interrupt" | "end" | "clearScreen" | "complete";

/** A new state, and perhaps something to do. */
export interface EditorStep {
  state: EditorState;
  effect?: EditorEffect;
}

/** The step that `key` makes from `state`. */
export function pressKey(state: EditorState, key: Key): EditorStep {
  if (state.search !== undefined) {
    const step = continueSearch(state, state.search, key);
    return step.isKeyUsed ? { state: step.state } : pressKey(step.state, key);
  }
  if (key.type !== "key") return { state: insert(state, key.text) };
  if (key.ctrl && key.name.length === 1) return pressControl(state, key.name);
  if (key.alt && key.name.length === 1) return { state: pressAlt(state, key.name) };
  return pressNamed(state, key);
}

function insert(state: EditorState, text: string): EditorState {
  return replaceRange(state, state.cursor, state.cursor, text);
}

function moveTo(state: EditorState, cursor: number): EditorState {
  return { ...state, cursor };
}

function pressNamed(state: EditorState, key: Extract<Key, { type: "key" }>): EditorStep {
  const isWord = key.ctrl || key.alt;
  switch (key.name) {
    case "enter":
      return pressEnter(state, key.alt || key.shift || key.ctrl);
    case "tab":
      return key.shift ? { state } : { state, effect: "complete" };
    case "backspace":
      if (isWord) return { state: cutRange(state, previousWord(state), state.cursor) };
      return { state: replaceRange(state, previousGrapheme(state), state.cursor, "") };
    case "delete":
      if (isWord) return { state: cutRange(state, state.cursor, nextWord(state)) };
      return { state: deleteForward(state) };
    case "left":
      return { state: moveTo(state, isWord ? previousWord(state) : previousGrapheme(state)) };
    case "right":
      return { state: moveTo(state, isWord ? nextWord(state) : nextGrapheme(state)) };
    case "home":
      return { state: moveTo(state, lineStart(state)) };
    case "end":
      return { state: moveTo(state, lineEnd(state)) };
    case "up":
      return { state: moveLine(state, -1) ?? showHistory(state, state.historyIndex - 1) };
    case "down":
      return { state: moveLine(state, 1) ?? showHistory(state, state.historyIndex + 1) };
    default:
      return { state };
  }
}

/** Enter hands the line over; with Alt, Shift or Ctrl, or behind a backslash at the end, it begins a new line. */
function pressEnter(state: EditorState, isNewLine: boolean): EditorStep {
  if (isNewLine) return { state: insert(state, "\n") };
  if (state.cursor === state.text.length && state.text.endsWith("\\")) {
    return { state: replaceRange(state, state.cursor - 1, state.cursor, "\n") };
  }
  return { state, effect: "submit" };
}

function pressControl(state: EditorState, letter: string): EditorStep {
  switch (letter) {
    case "a":
      return { state: moveTo(state, lineStart(state)) };
    case "b":
      return { state: moveTo(state, previousGrapheme(state)) };
    case "c":
      if (state.text === "") return { state, effect: "interrupt" };
      return { state: { ...state, text: "", cursor: 0, historyIndex: state.history.length } };
    case "d":
      return state.text === "" ? { state, effect: "end" } : { state: deleteForward(state) };
    case "e":
      return { state: moveTo(state, lineEnd(state)) };
    case "f":
      return { state: moveTo(state, nextGrapheme(state)) };
    case "j":
      return { state: insert(state, "\n") };
    case "k": {
      const end = lineEnd(state);
      return {
        state: cutRange(state, state.cursor, end === state.cursor ? nextGrapheme(state) : end),
      };
    }
    case "l":
      return { state, effect: "clearScreen" };
    case "n":
      return { state: showHistory(state, state.historyIndex + 1) };
    case "p":
      return { state: showHistory(state, state.historyIndex - 1) };
    case "r":
      return { state: startSearch(state) };
    case "u":
      return { state: cutRange(state, lineStart(state), state.cursor) };
    case "w":
      return { state: cutRange(state, previousBlank(state), state.cursor) };
    case "y":
      return { state: insert(state, state.cut) };
    default:
      return { state };
  }
}

function pressAlt(state: EditorState, letter: string): EditorState {
  if (letter === "b") return moveTo(state, previousWord(state));
  if (letter === "f") return moveTo(state, nextWord(state));
  if (letter === "d") return cutRange(state, state.cursor, nextWord(state));
  return state;
}

function deleteForward(state: EditorState): EditorState {
  const end = nextGrapheme(state);
  return { ...replaceRange(state, state.cursor, end, "") };
}

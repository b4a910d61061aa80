/**
 * What each key does to the line that is being edited.
 * Rule: pure; a table, which `/keys` lists: a key that is not in it does nothing. Whatever reaches outside is an effect for
 * the caller.
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

interface Binding {
  /** As in `ctrl-a`; those with a name of their own do the same with other modifiers, where no row has these. */
  keys: readonly string[];
  does: string;
  step(state: EditorState): EditorStep;
}

/** A row for what changes the line and nothing else. */
function edit(
  keys: readonly string[],
  does: string,
  change: (state: EditorState) => EditorState,
): Binding {
  return { keys, does, step: (state) => ({ state: change(state) }) };
}

/** A row for what the caller does. */
function effect(keys: readonly string[], does: string, effect: EditorEffect): Binding {
  return { keys, does, step: (state) => ({ state, effect }) };
}

const BINDINGS: readonly Binding[] = [
  { keys: ["enter"], does: "send; behind a backslash at the end, begin a new line", step: enter },
  edit(
    ["alt-enter", "shift-enter", "ctrl-enter", "ctrl-j"],
    "begin a new line",
    (state) => insert(state, "\n"),
  ),
  effect(["tab"], "complete a command, or a file behind @", "complete"),
  edit(
    ["up"],
    "a line up; in the first line, the message before in the history",
    (state) => moveLine(state, -1) ?? showHistory(state, state.historyIndex - 1),
  ),
  edit(
    ["down"],
    "a line down; in the last line, the message after in the history",
    (state) => moveLine(state, 1) ?? showHistory(state, state.historyIndex + 1),
  ),
  edit(["ctrl-p"], "the message before", (state) => showHistory(state, state.historyIndex - 1)),
  edit(["ctrl-n"], "the message after", (state) => showHistory(state, state.historyIndex + 1)),
  edit(["ctrl-r"], "search the history", startSearch),
  edit(["left", "ctrl-b"], "a character back", (state) => moveTo(state, previousGrapheme(state))),
  edit(["right", "ctrl-f"], "a character on", (state) => moveTo(state, nextGrapheme(state))),
  edit(
    ["ctrl-left", "alt-left", "alt-b"],
    "a word back",
    (state) => moveTo(state, previousWord(state)),
  ),
  edit(
    ["ctrl-right", "alt-right", "alt-f"],
    "a word on",
    (state) => moveTo(state, nextWord(state)),
  ),
  edit(["home", "ctrl-a"], "the line's beginning", (state) => moveTo(state, lineStart(state))),
  edit(["end", "ctrl-e"], "the line's end", (state) => moveTo(state, lineEnd(state))),
  edit(
    ["backspace"],
    "delete the character before",
    (state) => replaceRange(state, previousGrapheme(state), state.cursor, ""),
  ),
  edit(["delete"], "delete the character at the cursor", deleteForward),
  edit(
    ["ctrl-backspace", "alt-backspace"],
    "cut the word before",
    (state) => cutRange(state, previousWord(state), state.cursor),
  ),
  edit(
    ["ctrl-delete", "alt-delete", "alt-d"],
    "cut the word behind",
    (state) => cutRange(state, state.cursor, nextWord(state)),
  ),
  edit(
    ["ctrl-w"],
    "cut back to the blank before",
    (state) => cutRange(state, previousBlank(state), state.cursor),
  ),
  edit(
    ["ctrl-u"],
    "cut back to the line's beginning",
    (state) => cutRange(state, lineStart(state), state.cursor),
  ),
  edit(["ctrl-k"], "cut to the line's end", cutToEnd),
  edit(["ctrl-y"], "put in what was cut", (state) => insert(state, state.cut)),
  effect(["ctrl-l"], "clear the screen", "clearScreen"),
  {
    keys: ["ctrl-c"],
    does: "empty the line; in a turn, end it; twice, leave",
    step: (state) =>
      state.text === ""
        ? { state, effect: "interrupt" }
        : { state: { ...state, text: "", cursor: 0, historyIndex: state.history.length } },
  },
  {
    keys: ["ctrl-d"],
    does: "delete the character at the cursor; on an empty line, leave",
    step: (state) => state.text === "" ? { state, effect: "end" } : { state: deleteForward(state) },
  },
];

const BY_KEY = new Map(BINDINGS.flatMap((binding) => binding.keys.map((key) => [key, binding])));

/** The table, a line a row. */
export function keyLines(): string[] {
  const rows = BINDINGS.map(({ keys, does }) => ({ keys: keys.join(", "), does }));
  const width = Math.max(...rows.map(({ keys }) => keys.length));
  return rows.map(({ keys, does }) => `${keys.padEnd(width)}  ${does}`);
}

/** The step that `key` makes from `state`. */
export function pressKey(state: EditorState, key: Key): EditorStep {
  if (state.search !== undefined) {
    const step = continueSearch(state, state.search, key);
    return step.isKeyUsed ? { state: step.state } : pressKey(step.state, key);
  }
  if (key.type !== "key") return { state: insert(state, key.text) };
  const binding = namesOf(key).map((name) => BY_KEY.get(name)).find((row) => row !== undefined);
  return binding?.step(state) ?? { state };
}

/** The names that a key goes by in the table, the one that counts first. */
function namesOf({ name, ctrl, alt, shift }: Extract<Key, { type: "key" }>): string[] {
  const isNamed = name.length > 1;
  return [
    ...(ctrl ? [`ctrl-${name}`] : []),
    ...(alt ? [`alt-${name}`] : []),
    ...(shift && isNamed ? [`shift-${name}`] : []),
    ...(isNamed && name !== "tab" || !shift ? [name] : []),
  ];
}

function insert(state: EditorState, text: string): EditorState {
  return replaceRange(state, state.cursor, state.cursor, text);
}

function moveTo(state: EditorState, cursor: number): EditorState {
  return { ...state, cursor };
}

function enter(state: EditorState): EditorStep {
  if (state.cursor === state.text.length && state.text.endsWith("\\")) {
    return { state: replaceRange(state, state.cursor - 1, state.cursor, "\n") };
  }
  return { state, effect: "submit" };
}

function cutToEnd(state: EditorState): EditorState {
  const end = lineEnd(state);
  return cutRange(state, state.cursor, end === state.cursor ? nextGrapheme(state) : end);
}

function deleteForward(state: EditorState): EditorState {
  const end = nextGrapheme(state);
  return { ...replaceRange(state, state.cursor, end, "") };
}

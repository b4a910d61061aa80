/** Ctrl-R: looking for an earlier input. Rule: leaving the search never loses what was typed before it. */
import type { EditorState, Search } from "./editor_state.ts";
import type { Key } from "./keys.ts";

/** A step of a search; when the key was not used, it goes on to the line that was found. */
export interface SearchStep {
  state: EditorState;
  isKeyUsed: boolean;
}

/** Begins to search. */
export function startSearch(state: EditorState): EditorState {
  const before = { text: state.text, cursor: state.cursor };
  return { ...state, search: { query: "", foundIndex: state.history.length, before } };
}

/** Text narrows the search, Ctrl-R goes to an older match, Ctrl-C, Ctrl-G and Escape go back, other keys take the match. */
export function continueSearch(state: EditorState, search: Search, key: Key): SearchStep {
  if (key.type !== "key") {
    return used(
      find(state, { ...search, query: search.query + key.text }, state.history.length - 1),
    );
  }
  if (key.name === "backspace" && !key.alt) {
    const query = Array.from(search.query).slice(0, -1).join("");
    return used(find(state, { ...search, query }, state.history.length - 1));
  }
  if (key.ctrl && key.name === "r") return used(findOlder(state, search));
  const { search: _, ...rest } = state;
  if (key.name === "escape" || (key.ctrl && (key.name === "c" || key.name === "g"))) {
    return used({ ...rest, ...search.before });
  }
  return { state: rest, isKeyUsed: false };
}

function findOlder(state: EditorState, search: Search): EditorState {
  const found = find(state, search, search.foundIndex - 1);
  return found.search?.foundIndex === -1 ? { ...state, search } : found;
}

/** Shows the newest entry at or before `from` that has the query. */
function find(state: EditorState, search: Search, from: number): EditorState {
  if (search.query === "") return { ...state, search };
  let index = from;
  while (index >= 0 && !state.history[index]?.includes(search.query)) index--;
  const text = state.history[index];
  if (text === undefined) return { ...state, search: { ...search, foundIndex: -1 } };
  const cursor = text.indexOf(search.query) + search.query.length;
  return { ...state, text, cursor, historyIndex: index, search: { ...search, foundIndex: index } };
}

function used(state: EditorState): SearchStep {
  return { state, isKeyUsed: true };
}

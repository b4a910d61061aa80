/** What keys do to the line that is edited, and where it stands on the screen. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { applyCompletion } from "../../../src/faces/terminal/completion.ts";
import { pressKey } from "../../../src/faces/terminal/editor_keys.ts";
import { type EditorState, newEditorState } from "../../../src/faces/terminal/editor_state.ts";
import { layoutEditor } from "../../../src/faces/terminal/editor_view.ts";
import { Frame } from "../../../src/faces/terminal/frame.ts";
import { type Key, KeyDecoder } from "../../../src/faces/terminal/keys.ts";
import { displayWidth, splitGraphemes } from "../../../src/faces/terminal/width.ts";
import { showOnScreen, VirtualScreen } from "../../support/virtual_screen.ts";

const HISTORY = ["git status", "deno test", "git push"];

/** The line after typing `bytes`, with `|` at the cursor, and the last effect. */
function type(bytes: string, history = HISTORY): string {
  let state = newEditorState(history);
  let effect = "";
  for (const key of keysOf(bytes)) {
    const step = pressKey(state, key);
    state = step.state;
    effect = step.effect ?? "";
  }
  return `${state.text.slice(0, state.cursor)}|${state.text.slice(state.cursor)}${
    effect === "" ? "" : ` ${effect}`
  }`;
}

function keysOf(bytes: string): Key[] {
  const decoder = new KeyDecoder();
  return [...decoder.push(new TextEncoder().encode(bytes)), ...decoder.flush()];
}

const LEFT = "\x1b[D";
const RIGHT = "\x1b[C";
const UP = "\x1b[A";
const DOWN = "\x1b[B";

const CASES: [name: string, bytes: string, line: string][] = [
  ["inserts at the cursor", `ac${LEFT}b`, "ab|c"],
  ["moves over whole graphemes", `a👨‍👩‍👧${LEFT}`, "a|👨‍👩‍👧"],
  ["deletes a whole grapheme", "ae\u0301\x7f", "a|"],
  ["deletes behind the cursor", `abc${LEFT}${LEFT}\x1b[3~`, "a|c"],
  ["goes to both ends", "bc\x01a\x05d", "abcd|"],
  ["moves by words", `one two\x1bb\x1b[1;5D${RIGHT}`, "o|ne two"],
  ["moves forward by words", "one two\x01\x1bf", "one| two"],
  ["cuts to the end and puts it back", "one two\x1bb\x0b\x01\x19", "two|one "],
  ["cuts to the start", "one two\x1bb\x15", "|two"],
  ["cuts the word before", "git push origin/main\x17", "git push |"],
  ["takes Enter for the end", "abc\r", "abc| submit"],
  ["takes Alt-Enter and Ctrl-J for a new line", "a\x1b\rb\nc", "a\nb\nc|"],
  ["takes a backslash before Enter for a new line", "a\\\rb", "a\nb|"],
  ["keeps new lines of a paste", "\x1b[200~a\rb\x1b[201~", "a\nb|"],
  ["clears the line at Ctrl-C", "abc\x03", "|"],
  ["tells of Ctrl-C on an empty line", "\x03", "| interrupt"],
  ["tells of Ctrl-D on an empty line", "\x04", "| end"],
  ["deletes at Ctrl-D otherwise", "ab\x01\x04", "|b"],
  ["clears the screen at Ctrl-L", "a\x0c", "a| clearScreen"],
  ["goes through the history and back to the draft", `dra${UP}${UP}${DOWN}${DOWN}ft`, "draft|"],
  ["stops at the oldest entry", UP.repeat(9), "git status|"],
  ["moves between lines before it goes to the history", `ab\ncd${UP}x`, "abx|\ncd"],
  ["goes to the history from the first line", `ab\ncd${UP}${UP}`, "git push|"],
  ["searches backwards", "\x12git", "git| push"],
  ["goes on to an older match", "\x12git\x12", "git| status"],
  ["takes the match and uses the key", "\x12deno\r", "deno| test submit"],
  ["goes back at Ctrl-G", "mine\x12deno\x07", "mine|"],
  ["goes back at Escape", "mine\x12deno\x1b", "mine|"],
  ["keeps the last match when nothing has the query", "\x12denox\x7f", "deno| test"],
];

for (const [name, bytes, line] of CASES) {
  Deno.test(`pressKey() ${name}`, () => assert.equal(type(bytes), line));
}

Deno.test("pressKey() keeps the cursor between graphemes, whatever is typed", () => {
  const bytes = fc.constantFrom(
    "a",
    " ",
    "漢",
    "👨‍👩‍👧",
    "\n",
    "\x7f",
    LEFT,
    RIGHT,
    UP,
    DOWN,
    "\x17",
    "\x0b",
    "\x01",
    "\x05",
    "\x1bb",
    "\x1bf",
    "\x19",
    "\x12",
    "\x03",
    "\x1b[3~",
    "\x15",
  );
  fc.assert(
    fc.property(fc.array(bytes, { maxLength: 30 }), (typed) => {
      let state: EditorState = newEditorState(HISTORY);
      for (const key of keysOf(typed.join(""))) state = pressKey(state, key).state;
      const places = new Set([0]);
      for (const part of splitGraphemes(state.text)) places.add(Math.max(...places) + part.length);
      assert.ok(places.has(state.cursor), JSON.stringify(state));
    }),
    { numRuns: 1000 },
  );
});

function stateOf(line: string): EditorState {
  const cursor = line.indexOf("|");
  return { ...newEditorState([]), text: line.replace("|", ""), cursor };
}

Deno.test("layoutEditor() wraps wide characters and puts the cursor behind a full row on the next", () => {
  const view = (line: string) => {
    const { rows, cursorRow, cursorColumn } = layoutEditor(stateOf(line), "> ", [], 6, 10);
    return { rows, cursor: [cursorRow, cursorColumn] };
  };
  assert.deepEqual(view("abcd|"), { rows: ["> abcd", ""], cursor: [1, 0] });
  assert.deepEqual(view("abc|d"), { rows: ["> abcd", ""], cursor: [0, 5] });
  assert.deepEqual(view("abc漢|字"), { rows: ["> abc", "漢字"], cursor: [1, 2] });
  assert.deepEqual(view("abc|漢"), { rows: ["> abc", "漢"], cursor: [1, 0] });
  assert.deepEqual(view("ab\nc|d"), { rows: ["> ab", "  cd"], cursor: [1, 3] });
  assert.deepEqual(view("abcd\n|"), { rows: ["> abcd", "", "  "], cursor: [2, 2] });
});

Deno.test("layoutEditor() shows the rows around the cursor when there are more than the screen has", () => {
  const line = Array.from({ length: 50 }, (_, index) => index).join("\n");
  const state = { ...newEditorState([]), text: line, cursor: line.indexOf("25") };
  const view = layoutEditor(state, "> ", [], 20, 8);
  assert.equal(view.rows.length, 7);
  assert.equal(view.rows[view.cursorRow]?.trim(), "25");
});

Deno.test("layoutEditor() keeps every row to the width", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "漢", "\n", "\t", "é", " ", "🎉") });
  fc.assert(fc.property(text, fc.nat(), fc.integer({ min: 4, max: 20 }), (line, place, columns) => {
    const parts = splitGraphemes(line);
    const cursor = parts.slice(0, place % (parts.length + 1)).join("").length;
    const state = { ...newEditorState([]), text: line, cursor };
    const view = layoutEditor(state, "> ", [], columns, 100);
    for (const row of view.rows) assert.ok(displayWidth(row) <= columns, JSON.stringify(view));
    assert.ok(view.cursorColumn < columns && view.cursorRow < view.rows.length);
  }));
});

Deno.test("Frame draws in the same place again, whatever was there", async () => {
  const frame = new Frame();
  let output = "above\r\n";
  for (const line of ["one|", "a long line that wraps|", "a lo|ng line that wraps", "x|"]) {
    output += frame.draw(layoutEditor(stateOf(line), "> ", [], 10, 10));
  }
  output += frame.leave() + "below";
  assert.deepEqual(await showOnScreen(output, 10, 10), ["above", "> x", "below"]);
});

Deno.test("Frame finds its place again when the terminal becomes narrower or wider", async () => {
  const screen = new VirtualScreen(30, 12);
  const frame = new Frame();
  const state = stateOf("0123456789".repeat(7) + "|");
  await screen.write("above\r\n" + frame.draw(layoutEditor(state, "> ", [], 30, 12)));
  for (const columns of [20, 13, 40]) {
    screen.resize(columns, 12);
    frame.reflow(columns);
    const view = layoutEditor(state, "> ", [], columns, 12);
    await screen.write(frame.draw(view));
    assert.deepEqual(screen.lines, ["above", ...view.rows], `${columns} columns`);
  }
  screen.dispose();
});

Deno.test("applyCompletion() puts in what is sure and lists the rest", () => {
  const complete = (line: string, candidates: string[]) => {
    const { state, hints } = applyCompletion(stateOf(line), { start: 0, candidates }, 20);
    return { text: state.text, cursor: state.cursor, hints };
  };
  assert.deepEqual(complete("/h|", ["/help"]), { text: "/help ", cursor: 6, hints: [] });
  assert.deepEqual(complete("@s|", ["@src/"]), { text: "@src/", cursor: 5, hints: [] });
  assert.deepEqual(complete("/|x", ["/help", "/hello"]), { text: "/helx", cursor: 4, hints: [] });
  assert.deepEqual(complete("/hel|", ["/help", "/hello"]).hints, ["/help  /hello"]);
  assert.deepEqual(complete("a|", ["a\x1b[2J"]), { text: "a", cursor: 1, hints: [] });
});

Deno.test("applyCompletion() says how many there are in all when they do not fit", () => {
  const candidates = Array.from({ length: 40 }, (_, n) => `/command${n}`);
  const { hints } = applyCompletion(stateOf("/command|"), { start: 0, candidates }, 20);
  assert.deepEqual([hints.length, hints.at(-1)], [6, "… 40 in all"]);
});

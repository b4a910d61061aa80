/** What Ctrl-C means, by what runs and by when it was pressed last. */
import assert from "node:assert/strict";
import { type InterruptAction, Interrupts } from "../../../src/faces/terminal/interrupts.ts";
import { systemClock } from "../../../src/platform/clock.ts";

function create() {
  let nowMs = 10_000;
  const actions: InterruptAction[] = [];
  const clock = { ...systemClock, monotonicMs: () => nowMs };
  const interrupts = new Interrupts(clock, (action) => actions.push(action));
  return { interrupts, actions, pass: (durationMs: number) => nowMs += durationMs };
}

Deno.test("Interrupts aborts the turn first and leaves at the second press in the same turn", () => {
  const { interrupts, actions, pass } = create();
  interrupts.startTurn();
  interrupts.press();
  pass(60_000);
  interrupts.press();
  assert.deepEqual(actions, ["abort", "leave"]);
});

Deno.test("Interrupts leaves at the second press within two seconds, even when the turn has ended", () => {
  const { interrupts, actions, pass } = create();
  interrupts.startTurn();
  interrupts.press();
  interrupts.endTurn();
  pass(1999);
  interrupts.press();
  assert.deepEqual(actions, ["abort", "leave"]);
});

Deno.test("Interrupts aborts the next turn again when the first press is long ago", () => {
  const { interrupts, actions, pass } = create();
  interrupts.startTurn();
  interrupts.press();
  interrupts.endTurn();
  pass(2001);
  interrupts.startTurn();
  interrupts.press();
  assert.deepEqual(actions, ["abort", "abort"]);
});

Deno.test("Interrupts only hints when nothing runs", () => {
  const { interrupts, actions, pass } = create();
  interrupts.press();
  pass(3000);
  interrupts.press();
  assert.deepEqual(actions, ["hint", "hint"]);
});

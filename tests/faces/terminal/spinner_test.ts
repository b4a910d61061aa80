/** The line that says what is waited for, and that nothing of it stays. */
import assert from "node:assert/strict";
import { createPaint } from "../../../src/faces/terminal/ansi.ts";
import { Spinner } from "../../../src/faces/terminal/spinner.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import { showOnScreen } from "../../support/virtual_screen.ts";

function create(isTerminal: boolean) {
  const world = { output: "", nowMs: 0, wake: () => {} };
  const spinner = new Spinner({
    write: (text) => void (world.output += text),
    clock: {
      ...systemClock,
      monotonicMs: () => world.nowMs,
      sleep: (_, signal) =>
        new Promise((resolve, reject) => {
          world.wake = resolve;
          signal?.addEventListener("abort", () => reject(signal.reason));
        }),
    },
    size: () => ({ columns: 30, rows: 10 }),
    paint: createPaint(false),
    isTerminal,
    isUnicode: false,
  });
  return { spinner, world };
}

Deno.test("Spinner shows the text and the seconds, and leaves only notices", async () => {
  const { spinner, world } = create(true);
  spinner.start("thinking");
  assert.deepEqual(await showOnScreen(world.output, 30, 10), ["| thinking"]);
  world.nowMs = 3400;
  world.wake();
  await Promise.resolve();
  await Promise.resolve();
  assert.deepEqual(await showOnScreen(world.output, 30, 10), ["/ thinking 3s"]);
  spinner.notice("retrying: 429\x1b[2J");
  assert.deepEqual(await showOnScreen(world.output, 30, 10), ["retrying: 429", "- thinking 3s"]);
  spinner.stop();
  assert.deepEqual(await showOnScreen(world.output + "next", 30, 10), ["retrying: 429", "next"]);
});

Deno.test("Spinner writes nothing where there is no terminal", () => {
  const { spinner, world } = create(false);
  spinner.start("thinking");
  spinner.notice("retrying");
  spinner.stop();
  assert.equal(world.output, "");
});

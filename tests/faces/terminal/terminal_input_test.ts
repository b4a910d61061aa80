/** The keyboard: that the terminal is restored on every way out, and what happens to keys typed ahead. */
import assert from "node:assert/strict";
import { askApproval } from "../../../src/faces/terminal/approval_prompt.ts";
import type { ExitCause, TerminalDevice } from "../../../src/faces/terminal/terminal_device.ts";
import { TerminalInput } from "../../../src/faces/terminal/terminal_input.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import { Interrupted } from "../../../src/platform/errors.ts";

/** A terminal in memory: what was written and set, in order; keys are handed to whoever reads. */
class FakeDevice implements TerminalDevice {
  log = "";
  exitListeners = new Set<(cause: ExitCause) => void>();
  #typed: Uint8Array[] = [];
  #reader: ((bytes: Uint8Array) => void) | undefined;

  type(text: string): void {
    const bytes = new TextEncoder().encode(text);
    if (this.#reader === undefined) this.#typed.push(bytes);
    else this.#reader(bytes);
    this.#reader = undefined;
  }

  read(): Promise<Uint8Array> {
    const bytes = this.#typed.shift();
    if (bytes !== undefined) return Promise.resolve(bytes);
    return new Promise((resolve) => this.#reader = resolve);
  }

  write(text: string): void {
    this.log += text;
  }

  setRaw(isRaw: boolean): void {
    this.log += isRaw ? "[raw]" : "[cooked]";
  }

  size() {
    return { columns: 80, rows: 24 };
  }

  onResize() {
    return () => {};
  }

  onExit(listener: (cause: ExitCause) => void) {
    this.exitListeners.add(listener);
    return () => void this.exitListeners.delete(listener);
  }

  exit(cause: ExitCause): void {
    for (const listener of this.exitListeners) listener(cause);
  }
}

const ON = "[raw]\x1b[?2004h";
const OFF = "\x1b[?2004l[cooked]";

function create() {
  const device = new FakeDevice();
  return { device, input: new TerminalInput(device, systemClock) };
}

Deno.test("TerminalInput restores the terminal once when the work ends, and when it throws", async () => {
  const { device, input } = create();
  assert.equal(await input.withRaw(() => Promise.resolve(7)), 7);
  await assert.rejects(input.withRaw(() => Promise.reject(new Error("broken"))), /broken/);
  assert.equal(device.log, ON + OFF + ON + OFF);
  assert.equal(device.exitListeners.size, 0);
});

Deno.test("TerminalInput restores the terminal before the process ends, without waiting", async () => {
  const { device, input } = create();
  await input.withRaw(() => {
    device.exit("unload");
    assert.equal(device.log, ON + OFF);
    return Promise.resolve();
  });
  assert.equal(device.log, ON + OFF);
});

Deno.test("TerminalInput gives up waiting for a key when the process is told to end", async () => {
  const { device, input } = create();
  const waiting = input.withRaw(async (signal) => {
    const next = input.next(signal);
    device.exit("signal");
    return await next;
  });
  await assert.rejects(waiting, Interrupted);
  assert.equal(device.log, ON + OFF);
});

Deno.test("TerminalInput keeps keys that came with the one that ended a question", async () => {
  const { device, input } = create();
  const next = () => input.withRaw((signal) => input.next(signal));
  device.type("\ra");
  assert.deepEqual(await next(), {
    type: "key",
    name: "enter",
    ctrl: false,
    alt: false,
    shift: false,
  });
  assert.deepEqual(await next(), { type: "text", text: "a" });
});

Deno.test("TerminalInput takes ESC for the Escape key when nothing follows", async () => {
  const { device, input } = create();
  device.type("\x1b");
  const key = await input.withRaw((signal) => input.next(signal));
  assert.equal(key?.type === "key" && key.name, "escape");
});

Deno.test("askApproval() is not answered by what was typed before it asked", async () => {
  const { device, input } = create();
  device.type("y");
  device.type("yes\r\x1b");
  const question = { summary: "run", detail: "rm -rf /", always: "this" };
  const answer = askApproval(input, question, false);
  while (!device.log.includes("Allow?")) await systemClock.sleep(5);
  device.type("n");
  assert.deepEqual(await answer, { decision: "no" });
});

Deno.test("askApproval() takes Ctrl-C that was pressed before it asked", async () => {
  const { device, input } = create();
  device.type("y\x03");
  const question = { summary: "run", detail: "ls" };
  assert.deepEqual(await askApproval(input, question, false), { decision: "interrupt" });
});

Deno.test("askApproval() shows a short command once, and all of one that its summary cuts", async () => {
  for (
    const [summary, detail, times] of [["run: ls", "ls", 1], ["run: ls", "ls\nls", 3]] as const
  ) {
    const { device, input } = create();
    device.type("\x03");
    await askApproval(input, { summary, detail }, false);
    assert.equal(device.log.match(/\bls\b/g)?.length, times);
  }
});

Deno.test("askApproval() repeats its subject behind much, counts what it leaves out and shows it when asked", async () => {
  const { device, input } = create();
  const detail = `touch X #${"\n".repeat(81)}npm test`;
  const question = { summary: "run: touch X #… (82 lines)", detail, always: "this command line" };
  const answer = askApproval(input, question, false);
  while (!device.log.includes("Allow?")) await systemClock.sleep(5);
  const first = device.log;
  assert.match(first, /touch X #\r\n[^]*⋯ \d+ more lines ⋯[^]*npm test\r\n/);
  assert.match(first, /npm test\r\nrun: touch X #… \(82 lines\)\r\nAllow\?/);
  assert.match(first, /a always: this command line · v all 82 lines/);
  device.type("v");
  while (!/Allow\?[^]*Allow\?/.test(device.log)) await systemClock.sleep(5);
  const all = device.log.slice(first.length);
  assert.equal(all.match(/\r\n/g)?.length, 1 + 82 + 1);
  assert(!all.includes(" · v "));
  device.type("y");
  assert.deepEqual(await answer, { decision: "yes" });
});

Deno.test("askApproval() ends with the reason when what it asks about is cancelled", async () => {
  const { device, input } = create();
  const cancelling = new AbortController();
  const answer = askApproval(input, { summary: "run: ls", detail: "ls" }, false, cancelling.signal);
  while (!device.log.includes("Allow?")) await systemClock.sleep(5);
  const ended = assert.rejects(answer, /the turn is over/);
  cancelling.abort(new Error("the turn is over"));
  await ended;
});

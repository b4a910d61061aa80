/** Running programs: bounds in time and output, and that nothing of the group outlives them. */
import assert from "node:assert/strict";
import { runProcess } from "../../src/platform/processes.ts";
import { decodeLossy } from "../../src/platform/text.ts";

/** Whether the process `pid` is there and not a zombie. */
async function isAlive(pid: string): Promise<boolean> {
  const { stdout } = await new Deno.Command("ps", { args: ["-o", "stat=", "-p", pid] }).output();
  const state = decodeLossy(stdout).trim();
  return state !== "" && !state.startsWith("Z");
}

/** Whether it is gone, or is so within a moment: a signal that was sent may not have arrived yet. */
async function isGone(pid: string): Promise<boolean> {
  for (let look = 0; look < 100; look++) {
    if (!await isAlive(pid)) return true;
  }
  return false;
}

Deno.test("runProcess() kills grandchildren when the time is over", async () => {
  const result = await runProcess({
    script: "sh -c 'sleep 60 & echo $!; wait'; true",
    args: [],
    timeoutMs: 300,
  });
  assert.equal(result.timedOut, true);
  assert.equal(await isGone(decodeLossy(result.stdout).trim()), true);
});

Deno.test("runProcess() kills what the program left in the background", async () => {
  const result = await runProcess({ script: "sleep 60 & echo $!", args: [] });
  assert.equal(result.code, 0);
  assert.equal(result.timedOut, false);
  assert.equal(await isGone(decodeLossy(result.stdout).trim()), true);
});

Deno.test("runProcess() with leavesNothing kills what has closed the output", async () => {
  const result = await runProcess({
    script: "sleep 60 >/dev/null 2>&1 & echo $!",
    args: [],
    leavesNothing: true,
  });
  assert.equal(await isGone(decodeLossy(result.stdout).trim()), true);
});

Deno.test("runProcess() waits for nothing that has left the group, whatever it holds open", async () => {
  const held = Deno.makeTempFileSync();
  try {
    // It holds both outputs and the input, which is more than a pipe takes.
    const script = `setsid sh -c 'echo $$ > ${held}; while [ -e ${held} ]; do sleep 0.1; done' &
      until [ -s ${held} ]; do :; done; echo done`;
    const result = await runProcess({
      script,
      args: [],
      stdin: new Uint8Array(1024 * 1024),
      leavesNothing: true,
    });
    assert.deepEqual([result.code, result.leftRunning], [0, true]);
    assert.equal(decodeLossy(result.stdout), "done\n");
    assert.equal(await isAlive(Deno.readTextFileSync(held).trim()), true);
  } finally {
    Deno.removeSync(held);
  }
});

Deno.test("runProcess() that is aborted is over although something outside of the group holds the output", async () => {
  const held = Deno.makeTempFileSync();
  const controller = new AbortController();
  try {
    const result = await runProcess({
      script: `setsid sh -c 'echo started; while [ -e ${held} ]; do sleep 0.1; done' & wait`,
      args: [],
      signal: controller.signal,
      onOutput: () => controller.abort(),
    });
    assert.deepEqual([result.aborted, result.leftRunning], [true, true]);
  } finally {
    Deno.removeSync(held);
  }
});

Deno.test("runProcess() kills the group when it is aborted", async () => {
  const controller = new AbortController();
  const result = await runProcess({
    script: "echo started; sleep 60; true",
    args: [],
    signal: controller.signal,
    onOutput: () => controller.abort(),
  });
  assert.equal(result.aborted, true);
  assert.equal(decodeLossy(result.stdout), "started\n");
});

Deno.test("runProcess() keeps the head and the tail of a long output", async () => {
  const result = await runProcess({
    script: "printf first; head -c 100000 /dev/zero | tr '\\0' x; printf last",
    args: [],
    maxOutputBytes: 100,
  });
  const text = decodeLossy(result.stdout);
  assert.match(text, /^firstx+\n\[… 99909 bytes left out …\]\nx+last$/);
  assert.equal(result.omittedBytes, 99909);
});

Deno.test("runProcess() kills a program that starts nothing when its time is over, and when it is aborted", async () => {
  const request = { script: "echo started; exec sleep 60", args: [] };
  const late = await runProcess({ ...request, timeoutMs: 300, startsNothing: true });
  assert.deepEqual([late.timedOut, late.code], [true, 137]);
  const controller = new AbortController();
  const ended = await runProcess({
    ...request,
    signal: controller.signal,
    onOutput: () => controller.abort(),
    startsNothing: true,
  });
  assert.deepEqual([ended.aborted, ended.code], [true, 137]);
});

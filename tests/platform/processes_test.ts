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

Deno.test("runProcess() kills grandchildren when the time is over", async () => {
  const result = await runProcess({
    script: "sh -c 'sleep 60 & echo $!; wait'; true",
    args: [],
    timeoutMs: 300,
  });
  assert.equal(result.timedOut, true);
  assert.equal(await isAlive(decodeLossy(result.stdout).trim()), false);
});

Deno.test("runProcess() kills what the program left in the background", async () => {
  const result = await runProcess({ script: "sleep 60 & echo $!", args: [] });
  assert.equal(result.code, 0);
  assert.equal(result.timedOut, false);
  assert.equal(await isAlive(decodeLossy(result.stdout).trim()), false);
});

Deno.test("runProcess() with leavesNothing kills what has closed the output", async () => {
  const result = await runProcess({
    script: "sleep 60 >/dev/null 2>&1 & echo $!",
    args: [],
    leavesNothing: true,
  });
  assert.equal(await isAlive(decodeLossy(result.stdout).trim()), false);
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

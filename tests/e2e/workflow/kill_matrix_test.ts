/**
 * A workflow killed with -9 at each point and gone on with: it ends as if nothing had happened.
 *
 * Killed are: the process while it waits for each answer of the model, before and after each program that it
 * starts, and (where strace is there) behind each record of its log and before each document gets into its place.
 */
import assert from "node:assert/strict";
import { join } from "@std/path";
import { hasStrace } from "../../support/machine.ts";
import { withTemporaryFolder } from "../../support/temporary.ts";
import { verifySession } from "../../../src/session/verify.ts";
import { allPoints, killedAt, type KillPoint, nameOf, undisturbed } from "./kill_points.ts";
import { ANSWERS, goOn, type KilledProject } from "./killed_project.ts";
import { forgiveInterruptedCommand, type Remains, remainsOf } from "./remains.ts";

/** Every how many points are tried, unless M31A_KILL_MATRIX=full asks for all. */
const STRIDE = 5;

/** How many are tried at the same time. */
const SIDE_BY_SIDE = 2;

const isFull = Deno.env.get("M31A_KILL_MATRIX") === "full";

Deno.test(`a workflow killed at any point ends as if it had not been (${isFull ? "all points" : `every ${STRIDE}th point; M31A_KILL_MATRIX=full tries all`}${hasStrace ? "" : "; those at system calls need strace, which is not here"})`, async () => {
  const { points, expected } = await reference();
  const chosen = points.filter((_, index) => isFull || index % STRIDE === 0);
  assert.ok(points.length >= 60, `only ${points.length} points`);
  console.log(`killing at ${chosen.length} of ${points.length} points`);
  const failures: string[] = [];
  const waiting = [...chosen];
  const work = async () => {
    for (let point = waiting.shift(); point !== undefined; point = waiting.shift()) {
      try {
        await survives(point, expected);
      } catch (error) {
        failures.push(`killed ${nameOf(point)}: ${error instanceof Error ? error.message : error}`);
      }
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  assert.equal(failures.length, 0, failures.join("\n\n"));
});

async function reference(): Promise<{ points: KillPoint[]; expected: Remains }> {
  let expected: Remains | undefined;
  let points: KillPoint[] = [];
  await withTemporaryFolder(async (folder) => {
    const calls = hasStrace ? join(folder, "calls") : undefined;
    await undisturbed(calls, async (parts) => {
      assert.equal(parts.model.server.requests.length, ANSWERS);
      expected = await remainsOf(parts.project);
      points = allPoints(parts, calls);
    });
  });
  assert.ok(expected !== undefined);
  return { points, expected };
}

async function survives(point: KillPoint, expected: Remains): Promise<void> {
  await killedAt(point, async (parts) => {
    const { code, stdout, stderr } = await goOn(parts);
    assert.equal(code, 0, stdout + stderr);
    assert.ok(!stderr.includes("cache is lost"), stderr);
    const remains = forgiveInterruptedCommand(await remainsOf(parts.project), expected);
    assert.deepEqual(remains.log, expected.log);
    assert.deepEqual(remains.files, expected.files);
    assert.equal(remains.checkpoints, expected.checkpoints);
    assertNothingAskedTwice(parts);
    const { root, sessionId } = parts.project;
    assert.ok((await verifySession(root, sessionId)).every(({ damage }) => damage === undefined));
  });
}

/** An answer that had not been recorded is asked for again; that can be one. */
function assertNothingAskedTwice({ model }: KilledProject): void {
  const count = model.server.requests.length;
  assert.ok(count === ANSWERS || count === ANSWERS + 1, `${count} requests for ${ANSWERS} answers`);
}

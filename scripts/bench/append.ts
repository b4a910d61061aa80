/**
 * Durable records a second: a session's append beside a bare loop of write and fdatasync.
 * Rule: both write the same number of bytes to the same folder, a record each in turn, so that the disk's moods fall on both.
 */
import { join } from "@std/path";
import { Session } from "../../src/session/session.ts";
import { median, type Row, timeMs } from "./benchmark.ts";
import { DIST } from "../deno.ts";
import { logPath } from "../../src/session/layout.ts";
import { BENCH_SESSION } from "./support/id.ts";
import { makeEpochs, turn } from "./support/sessions.ts";

const TURNS = 300;
/** Turns that are not counted: the code is compiled in them. */
const WARM_UP_TURNS = 60;
const GOAL_RATIO = 0.8;

export const name = "append";

export async function run(): Promise<Row[]> {
  // Not the system's folder for temporary files, which may be in memory.
  Deno.mkdirSync(DIST, { recursive: true });
  const folder = Deno.makeTempDirSync({ prefix: "bench-", dir: DIST });
  try {
    await makeEpochs(folder, 1, 1);
    using session = await Session.open(folder, BENCH_SESSION);
    using plain = Deno.openSync(join(folder, "plain"), { append: true, create: true });
    const log = join(folder, logPath(BENCH_SESSION, 0));
    const sessionMs: number[] = [];
    const plainMs: number[] = [];
    let sizeBytes = Deno.statSync(log).size;
    for (let count = 0; count < TURNS; count++) {
      if (count === WARM_UP_TURNS) sessionMs.length = plainMs.length = 0;
      for (const draft of turn(session.totals.calls + 1)) {
        sessionMs.push(await timeMs(() => session.append([draft])));
        const { size } = Deno.statSync(log);
        const bytes = new Uint8Array(size - sizeBytes);
        sizeBytes = size;
        plainMs.push(
          await timeMs(() => {
            plain.writeSync(bytes);
            plain.syncDataSync();
          }),
        );
      }
    }
    const value = 1000 / median(sessionMs);
    const reference = 1000 / median(plainMs);
    return [{
      what: "append: durable records, one write and sync each",
      value,
      unit: "records/s",
      reference: { what: "write + fdatasync of as many bytes", value: reference },
      goal: `at least ${GOAL_RATIO} ×`,
      isGoalMet: value >= GOAL_RATIO * reference,
    }];
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/**
 * How long the list of ten thousand sessions takes.
 * Rule: a process of its own each time; only the operating system's file cache is warm.
 */
import { join } from "@std/path";
import { baselinePath, logPath, sessionDirectory } from "../../src/session/layout.ts";
import { median, type Row } from "./benchmark.ts";
import { BENCH_SESSION } from "./support/id.ts";
import { measureChild } from "./support/measure_child.ts";
import { makeEpochs } from "./support/sessions.ts";

const SESSIONS = 10_000;
const RUNS = 7;
const GOAL_MS = 300;

export const name = "list";

export async function run(): Promise<Row[]> {
  const folder = Deno.makeTempDirSync({ prefix: "m31a-bench-" });
  try {
    await makeSessions(folder);
    const rows: Row[] = [];
    for (const [what, limit] of [["all of them", "Infinity"], ["the newest 50", "50"]] as const) {
      const times: number[] = [];
      for (let count = 0; count < RUNS; count++) {
        times.push((await measureChild(folder, "list", limit)).durationMs);
      }
      const value = median(times);
      rows.push({
        what: `list: ${SESSIONS.toLocaleString("en-US")} sessions, ${what}`,
        value,
        unit: "ms",
        goal: `at most ${GOAL_MS} ms`,
        isGoalMet: value <= GOAL_MS,
      });
    }
    return rows;
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/** Copies of one session under other ids: enough for a list, which does not check them. */
async function makeSessions(folder: string): Promise<void> {
  await makeEpochs(folder, 1, 5);
  const files = [baselinePath, logPath].map((path) => ({
    path,
    bytes: Deno.readFileSync(join(folder, path(BENCH_SESSION, 0))),
  }));
  for (let number = 0; number < SESSIONS - 1; number++) {
    const id = `20250101-${100_000 + number}-${number.toString(16).padStart(4, "0")}`;
    Deno.mkdirSync(join(folder, sessionDirectory(id)));
    for (const { path, bytes } of files) Deno.writeFileSync(join(folder, path(id, 0)), bytes);
  }
}

/**
 * Opening long sessions: how fast a log is checked and replayed, and in how much memory.
 * Rule: each opening is a process of its own, so nothing is warmed up but the operating system's file cache.
 */
import { median, type Row } from "./benchmark.ts";
import { measureChild } from "./support/measure_child.ts";
import { makeEpochs, makeSession } from "./support/sessions.ts";

const MB = 1e6;
const RUNS = 5;
const GOAL_MB_PER_S = 150;
const GOAL_PEAK_RATIO = 2.5;

export const name = "resume";

export async function run(): Promise<Row[]> {
  return [
    ...await withFolder(resumeLongLog),
    ...await withFolder((folder) => withFolder((other) => resumeManyEpochs(folder, other))),
    ...await withFolder((folder) => withFolder((other) => verifyFlat(folder, other))),
  ];
}

async function resumeLongLog(folder: string): Promise<Row[]> {
  const sizeBytes = await makeSession(folder, 100 * MB);
  const runs = await repeat(() => measureChild(folder, "open"));
  const speed = sizeBytes / MB / (median(runs.map(({ durationMs }) => durationMs)) / 1000);
  const rows: Row[] = [{
    what: "resume: a log of 100 MB, every line checked and replayed",
    value: speed,
    unit: "MB/s",
    goal: `at least ${GOAL_MB_PER_S} MB/s`,
    isGoalMet: speed >= GOAL_MB_PER_S,
  }];
  const peaks = runs.flatMap(({ peakBytes }) => peakBytes ?? []);
  if (peaks.length === 0) return rows;
  const peak = Math.max(...peaks);
  return [...rows, {
    what: "resume: peak memory of the process meanwhile",
    value: peak / MB,
    unit: "MB",
    reference: { what: "the log", value: sizeBytes / MB },
    goal: `at most ${GOAL_PEAK_RATIO} ×`,
    isGoalMet: peak <= GOAL_PEAK_RATIO * sizeBytes,
  }];
}

async function resumeManyEpochs(folder: string, other: string): Promise<Row[]> {
  await makeEpochs(folder, 50, 100);
  await makeEpochs(other, 1, 100);
  const many: number[] = [];
  const one: number[] = [];
  for (let count = 0; count < 11; count++) {
    many.push((await measureChild(folder, "open")).durationMs);
    one.push((await measureChild(other, "open")).durationMs);
  }
  return [{
    what: "resume: a session of 50 epochs",
    value: median(many),
    unit: "ms",
    reference: { what: "one epoch as long as the last", value: median(one) },
    goal: "as fast (at most 1.2 ×)",
    isGoalMet: median(many) <= 1.2 * median(one),
  }];
}

async function verifyFlat(folder: string, other: string): Promise<Row[]> {
  await makeSession(folder, 600 * MB);
  await makeSession(other, 100 * MB);
  const { peakBytes } = await measureChild(folder, "verify");
  const reference = await measureChild(other, "verify");
  if (peakBytes === undefined || reference.peakBytes === undefined) return [];
  return [{
    what: "verify: peak memory over a log of 600 MB",
    value: peakBytes / MB,
    unit: "MB",
    reference: { what: "over a log of 100 MB", value: reference.peakBytes / MB },
    goal: "flat (at most 1.3 ×)",
    isGoalMet: peakBytes <= 1.3 * reference.peakBytes,
  }];
}

async function repeat<T>(measure: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let count = 0; count < RUNS; count++) results.push(await measure());
  return results;
}

async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = Deno.makeTempDirSync({ prefix: "m31a-bench-" });
  try {
    return await use(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

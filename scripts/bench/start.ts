/**
 * How long `m31a --version` takes, beside a compiled program of one line: the floor that Deno sets.
 * Rule: the runs alternate, so that whatever else the machine does falls on both.
 */
import { join } from "@std/path";
import { compile, compileM31a, EXECUTABLE } from "../compile.ts";
import { median, type Row, timeMs } from "./benchmark.ts";

const RUNS = 40;
const GOAL_RATIO = 1.3;

export const name = "start";

export async function run(): Promise<Row[]> {
  const folder = Deno.makeTempDirSync({ prefix: "m31a-bench-" });
  try {
    const floor = join(folder, "floor");
    await succeed(compileM31a());
    await succeed(compileOneLine(folder, floor));
    const floorMs: number[] = [];
    const m31aMs: number[] = [];
    for (let turn = 0; turn < RUNS; turn++) {
      floorMs.push(await timeMs(() => start(floor, folder)));
      m31aMs.push(await timeMs(() => start(EXECUTABLE, folder)));
    }
    const value = median(m31aMs);
    const reference = median(floorMs);
    return [{
      what: `start: \`m31a --version\`, median of ${RUNS}`,
      value,
      unit: "ms",
      reference: { what: "a compiled one-line program", value: reference },
      goal: `at most ${GOAL_RATIO} ×`,
      isGoalMet: value <= GOAL_RATIO * reference,
    }];
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

async function compileOneLine(folder: string, output: string): Promise<number> {
  const source = join(folder, "floor.ts");
  Deno.writeTextFileSync(source, `console.log("m31a");\n`);
  return await compile(source, ["--output", output]);
}

async function succeed(exitCode: Promise<number>): Promise<void> {
  const code = await exitCode;
  if (code !== 0) throw new Error(`deno compile failed with exit code ${code}`);
}

async function start(program: string, cwd: string): Promise<void> {
  const { success } = await new Deno.Command(program, { args: ["--version"], cwd }).output();
  if (!success) throw new Error(`${program} --version failed`);
}

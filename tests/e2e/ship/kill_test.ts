/**
 * A ship killed with -9 at each point and begun again: it ends as if nothing had happened.
 *
 * Killed is the process: before and after each program that it starts, while it waits for the model's text, and (where
 * strace is there) behind each record of its log and before each file gets into its place.
 */
import assert from "node:assert/strict";
import { join } from "@std/path";
import { hasStrace } from "../../support/machine.ts";
import { CountedPrograms, type ProgramPoint } from "../workflow/counted_programs.ts";
import {
  type CallPoint,
  CALLS,
  countCalls,
  countsIn,
  killAtCall,
} from "../workflow/system_calls.ts";
import { assertSound } from "../soundness.ts";
import { DEMONSTRATION, type NumbersProject, withNumbers, work } from "./numbers_project.ts";

/** Every how many points are tried, unless M31A_KILL_MATRIX=full asks for all. */
const STRIDE = 7;

const isFull = Deno.env.get("M31A_KILL_MATRIX") === "full";

type KillPoint = { request: true } | ProgramPoint & { command: string } | CallPoint;

/** What a ship leaves, apart from what two undisturbed ones differ in. */
interface Remains {
  log: string[];
  commits: string;
  status: string;
  entries: unknown[];
  memory: string;
  planning: string[];
}

Deno.test("a ship killed at any point is finished by the next one: one commit, one entry, one block, the whole archive", () =>
  withNumbers(async (numbers) => {
    const { project } = numbers;
    const { PATH = "" } = project.variables;
    const programs = new CountedPrograms(join(project.outside, "bin"), PATH);
    const words = work("numbers.txt", "2", "five", "5");
    const run = await numbers.run("Make the second number 5", words, { flags: ["--no-ship"] });
    assert.equal(run.code, 0, run.stdout + run.stderr);
    project.write({ "staged.txt": "7\n" });
    await project.git("add", "staged.txt");
    const saved = join(project.outside, "saved");
    await project.runProgram(["cp", "-a", project.root, saved]);

    const calls = join(project.outside, "calls");
    const first = await ship(numbers, programs, undefined, hasStrace ? countCalls(calls) : []);
    assert.equal(first.code, 0, first.stdout + first.stderr);
    const expected = await remainsOf(numbers);
    const points = allPoints(programs.started, hasStrace ? calls : undefined);
    assert.ok(points.length >= 40, `only ${points.length} points`);
    const chosen = points.filter((_, index) => isFull || index % STRIDE === 0);
    console.log(`killing at ${chosen.length} of ${points.length} points`);
    for (const point of chosen) {
      await restore(numbers, saved, programs);
      const { code, stdout, stderr } = await shipTo(point, numbers, programs);
      const where = JSON.stringify(point);
      assert.equal(code, 137, `${where}: ${stdout}${stderr}`);
      numbers.model.says(DEMONSTRATION);
      const again = await project.run(["ship"]);
      assert.equal(again.code, 0, `${where}: ${again.stdout}${again.stderr}`);
      assert.deepEqual({ where, ...await remainsOf(numbers) }, { where, ...expected });
      await assertSound(project);
    }
  }));

/** Everything as it was before it was shipped. */
async function restore(
  { project }: NumbersProject,
  saved: string,
  programs: CountedPrograms,
): Promise<void> {
  for (const { name } of Deno.readDirSync(project.root)) {
    Deno.removeSync(join(project.root, name), { recursive: true });
  }
  await project.runProgram(["cp", "-a", `${saved}/.`, project.root]);
  const started = join(programs.folder, "started");
  for (const { name } of Deno.readDirSync(started)) Deno.removeSync(join(started, name));
}

async function ship(
  { project, model }: NumbersProject,
  programs: CountedPrograms,
  point?: ProgramPoint,
  tracer: readonly string[] = [],
) {
  model.says(DEMONSTRATION);
  return await project.run(["ship"], {
    env: { PATH: `${programs.folder}:${project.variables["PATH"]}` },
    under: [...tracer, ...programs.under(point)],
  });
}

async function shipTo(point: KillPoint, numbers: NumbersProject, programs: CountedPrograms) {
  if ("call" in point) return await ship(numbers, programs, undefined, killAtCall(point));
  if ("command" in point) return await ship(numbers, programs, point);
  numbers.model.whenAsked = () => Deno.kill(programs.victim, "SIGKILL");
  const ended = await ship(numbers, programs);
  numbers.model.whenAsked = () => {};
  return ended;
}

function allPoints(started: readonly string[], calls: string | undefined): KillPoint[] {
  const ofPrograms = started.flatMap((command, index): KillPoint[] => [
    { number: index + 1, when: "before", command },
    { number: index + 1, when: "after", command },
  ]);
  const counts = calls === undefined ? { fdatasync: 0, rename: 0 } : countsIn(calls);
  const ofCalls = CALLS.flatMap((call) =>
    Array.from({ length: counts[call] }, (_, index): KillPoint => ({ call, number: index + 1 }))
  );
  return [{ request: true }, ...ofPrograms, ...ofCalls];
}

async function remainsOf(numbers: NumbersProject): Promise<Remains> {
  const { project } = numbers;
  return {
    log: stepsIn(project.records()),
    commits: await project.git("log", "--format=%B%T", "--name-only"),
    status: await project.git("status", "--porcelain"),
    entries: numbers.entries.map(({ outcome, attempt, diff, files, tasks, failures, heals }) => ({
      ...{ outcome, attempt, diff, files, tasks, failures, heals },
    })),
    memory: numbers.memory.replace(/^- Duration: .*$/m, ""),
    planning: filesBelow(join(project.root, "planning")),
  };
}

/** The steps. Killed between its beginning and its commit, a ship begins again: that is one beginning. */
function stepsIn(records: ReturnType<NumbersProject["project"]["records"]>): string[] {
  const steps = records.flatMap(({ type, step, phase, status }) =>
    type === "shipped" || type === "phase" ? [`${type} ${step ?? phase} ${status ?? ""}`] : []
  );
  const begun = ["shipped begun ", "phase ship entered"];
  return steps.filter((step, index) => !begun.includes(step) || steps.indexOf(step) === index);
}

function filesBelow(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesBelow(join(folder, name)).map((path) => `${name}/${path}`) : [name]
  ).toSorted();
}

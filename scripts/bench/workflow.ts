/**
 * What m31a itself costs in a workflow of twenty tasks, beside the git commands that it runs.
 * Rule: the whole process counts, from its start to its end, but for the model's and the checks' time; the
 * same commands are given to git by a bare program, in turn with it.
 */
import { join } from "@std/path";
import { compileM31a, EXECUTABLE } from "../compile.ts";
import { listSessionIds, logPath } from "../../src/session/layout.ts";
import type { Row } from "./benchmark.ts";
import { RecordedGit } from "./support/recorded_git.ts";

const TASKS = 20;
const RUNS = 7;
const GOAL_MS_A_TASK = 50;

/** Files of the project besides those that the tasks change. */
const OTHER_FILES = 200;

export const name = "workflow";

export async function run(): Promise<Row[]> {
  if (await compileM31a() !== 0) throw new Error("m31a cannot be compiled");
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "m31a-bench-" }));
  try {
    const recorded = new RecordedGit(join(folder, "bin"));
    const first = await makeProject(join(folder, "recorded"));
    await runWorkflow(first, recorded.folder);
    const workflowMs: number[] = [];
    const gitMs: number[] = [];
    let count = 0;
    for (let turn = 0; turn < RUNS; turn++) {
      workflowMs.push(await runWorkflow(await makeProject(join(folder, `run-${turn}`))) / TASKS);
      const bare = await makeProject(join(folder, `git-${turn}`));
      const commands = recorded.commands(first, bare);
      count = commands.length;
      gitMs.push(await recorded.replay(commands, bare) / TASKS);
    }
    // Hundreds of processes and syncs follow one another: whatever else the machine does adds to each, and takes nothing away.
    const value = Math.min(...workflowMs);
    const reference = Math.min(...gitMs);
    return [{
      what:
        `run: ${TASKS} tasks, m31a's own time a task (without model and checks), the fastest of ${RUNS}`,
      value,
      unit: "ms",
      reference: { what: `its ${count} git commands alone, a task`, value: reference },
      goal: `at most ${GOAL_MS_A_TASK} ms more`,
      isGoalMet: value - reference <= GOAL_MS_A_TASK,
    }];
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

const CHECK = `# Project

## Checks

| Check | Command | Source |
| --- | --- | --- |
| test | \`test -e README.md\` | by hand |
`;

async function makeProject(root: string): Promise<string> {
  for (const path of ["src", "planning"]) {
    Deno.mkdirSync(join(root, path), { recursive: true });
  }
  const numbers = Array.from({ length: OTHER_FILES + TASKS }, (_, index) => index + 1);
  for (const number of numbers) {
    Deno.writeTextFileSync(join(root, fileOf(number)), `export const value = ${number};\n`);
  }
  Deno.writeTextFileSync(join(root, "README.md"), "# values\n");
  Deno.writeTextFileSync(join(root, ".gitignore"), "planning/\nsessions/\nmodel.script\n");
  Deno.writeTextFileSync(join(root, "planning", "PROJECT.md"), CHECK);
  Deno.writeTextFileSync(join(root, "model.script"), script());
  const identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
  await git(root, "init", "--quiet");
  await git(root, "add", "--all");
  await git(root, ...identity, "commit", "--quiet", "--message=all");
  return root;
}

function fileOf(number: number): string {
  return `src/value_${number}.ts`;
}

/** Each task reads a file, edits it, and is finished. */
function script(): string {
  const numbers = Array.from({ length: TASKS }, (_, index) => index + 1);
  const tasks = numbers.map((number) => (
    { id: String(number), title: `Raise value ${number}`, files: [fileOf(number)] }
  ));
  const edits = numbers.map((number) => ({
    calls: [
      { tool: "read_file", input: { path: fileOf(number) } },
      {
        tool: "edit_file",
        input: { path: fileOf(number), old_text: "value =", new_text: "value = 1 +" },
      },
      { tool: "finish_task", input: { summary: "Raised." } },
    ],
  }));
  const plan = { calls: [{ tool: "submit_plan", input: { summary: "Raise them.", tasks } }] };
  return [{ text: "Looked." }, plan, ...edits].map((line) => `${JSON.stringify(line)}\n`).join("");
}

/**
 * Runs the workflow to its end.
 *
 * @param path a folder to be the first in PATH
 * @returns how long it took without the model and the checks, in milliseconds
 */
async function runWorkflow(root: string, path?: string): Promise<number> {
  const inherited = Deno.env.get("PATH") ?? "";
  const startMs = performance.now();
  const { success, stderr } = await new Deno.Command(EXECUTABLE, {
    args: ["run", "Raise all values", "--no-ship", "--model", "script:model.script"],
    cwd: root,
    env: { PATH: path === undefined ? inherited : `${path}:${inherited}` },
    stdin: "null",
  }).output();
  const durationMs = performance.now() - startMs;
  if (!success) throw new Error(`m31a run failed: ${new TextDecoder().decode(stderr)}`);
  return durationMs - othersTimeMs(root);
}

/** What the log says that the model and the checks took. */
function othersTimeMs(root: string): number {
  const [session] = listSessionIds(root);
  if (session === undefined) throw new Error("there is no session");
  const lines = Deno.readTextFileSync(join(root, logPath(session, 0))).trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line))
    .filter(({ type }) => type === "usage" || type === "check")
    .reduce((sum, { durationMs }) => sum + durationMs, 0);
}

async function git(root: string, ...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command("git", { args, cwd: root }).output();
  if (!success) throw new Error(`git ${args[0]} failed: ${new TextDecoder().decode(stderr)}`);
}

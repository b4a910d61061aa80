/**
 * The workflow that is killed: a question, a plan handed back, a wrong fix, a new file, a deleted one, a command.
 * Rule: the model answers by what it is shown, as a real one does; every request to it is counted.
 */
import { join } from "@std/path";
import type { Project } from "../../support/project.ts";
import { NUMBERS, withCheckedProject } from "./checked_project.ts";
import { CountedPrograms, type ProgramPoint } from "./counted_programs.ts";
import { HeldModel } from "./held_model.ts";
import { FINISH, LOOKED, replaces, submits, task, type Words } from "./model_words.ts";

const WORDS: readonly Words[] = [
  { calls: [{ tool: "ask_user", input: { question: "How?", options: ["well", "badly"] } }] },
  LOOKED,
  submits(task("1", "Count on", NUMBERS, "9")),
  submits(
    task("1", "Count on", NUMBERS),
    task("2", "Move", "new/file.txt", "1"),
    task("3", "Look", NUMBERS, "2"),
  ),
  replaces(NUMBERS, "2", "three"),
  replaces(NUMBERS, "three", "3"),
  {
    calls: [
      { tool: "read_file", input: { path: "old.txt" } },
      { tool: "write_file", input: { path: "new/file.txt", content: "new\n" } },
      { tool: "delete_file", input: { path: "old.txt" } },
    ],
  },
  { calls: [FINISH] },
  {
    calls: [
      { tool: "run_command", input: { command: "cat new/file.txt" } },
      { tool: "read_file", input: { path: NUMBERS } },
    ],
  },
  replaces(NUMBERS, "1", "0"),
];

/** How many answers the model gives. */
export const ANSWERS = WORDS.length;

/** A project with the workflow's model behind it. */
export interface KilledProject {
  project: Project;
  model: HeldModel;
  programs: CountedPrograms;
}

/** Lays the project out and starts its model. */
export async function withKilledProject(
  test: (parts: KilledProject) => Promise<void>,
): Promise<void> {
  await withCheckedProject([], async (project) => {
    await using model = new HeldModel(project, WORDS);
    const { PATH = "" } = project.variables;
    const programs = new CountedPrograms(join(project.outside, "bin"), PATH);
    Deno.mkdirSync(join(project.outside, "tmp"));
    project.write({ "old.txt": "old\n" });
    project.use({ TMPDIR: join(project.outside, "tmp") });
    await test({ project, model, programs });
  });
}

const RUN = ["run", "--approval", "all", "--no-ship"];
const GOAL = "Count on";

/** Runs the workflow in a process that may be killed; resolves to its exit code and what it said. */
export function begin(
  { project, programs }: KilledProject,
  point?: ProgramPoint,
  tracer: readonly string[] = [],
) {
  return project.run([...RUN, GOAL], {
    env: { PATH: `${programs.folder}:${project.variables["PATH"]}` },
    under: [...tracer, ...programs.under(point)],
  });
}

/**
 * Goes on as a user would: with the session that is there; with the goal again where none was recorded.
 * A session that was killed while it was made is removed, as m31a itself advises.
 */
export async function goOn({ project }: KilledProject) {
  const again = [...RUN, GOAL];
  if (!hasSession(project)) return await project.run(again);
  if (!hasLog(project)) {
    const { code, stderr } = await project.run(["run", "--continue"]);
    const advice = /Remove it: m31a (session rm \S+)\n/.exec(stderr)?.[1];
    if (code !== 3 || advice === undefined) throw new Error(`no advice: ${stderr}`);
    const removed = await project.run([...advice.split(" "), "--yes"]);
    if (removed.code !== 0) throw new Error(removed.stderr);
    return await project.run(again);
  }
  const hasGoal = project.records().some(({ type }) => type === "goal");
  return await project.run([...RUN, "--continue", ...(hasGoal ? [] : [GOAL])]);
}

function hasSession(project: Project): boolean {
  return isThere(join(project.root, "sessions")) && project.sessionIds.length > 0;
}

function hasLog(project: Project): boolean {
  return isThere(project.sessionFile("0.jsonl"));
}

function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

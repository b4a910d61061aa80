/**
 * One round in a real project: a goal from `m31a run` to a proved commit, judged by a clean clone, and back.
 * Rule: only the model's words are made up; everything that is not as it should be is a finding, in words.
 */
import { join } from "@std/path";
import { type Ran, shell } from "./shell.ts";
import type { RealProject } from "./projects.ts";

const SCRIPT = "model.script";

/** What came of a round. */
export interface Round {
  name: string;
  seconds: Readonly<Record<"install" | "check" | "run" | "undo", number>>;
  /** What was not as it should be; empty when all was. */
  findings: readonly string[];
}

/**
 * Clones the project from `source` into `folder`, and goes the round there.
 *
 * @throws {Error} when the project cannot be brought to where the round begins
 */
export async function goRound(
  project: RealProject,
  source: string,
  folder: string,
  executable: string,
): Promise<Round> {
  const here = join(folder, project.name);
  const findings: string[] = [];
  const m31a = (...args: string[]) => shell(here, `exec "$@"`, executable, ...args);
  const git = async (...args: string[]) => (await must(here, `exec git "$@"`, ...args)).output;

  await must(
    folder,
    `git clone --quiet "$1" "$2" && cd "$2" && git checkout --quiet -B work "$3"`,
    source,
    here,
    project.commit,
  );
  const install = await must(here, project.install === "" ? ":" : project.install);
  await must(here, `git config user.name Somebody; git config user.email somebody@example.org`);
  const reference = await shell(here, project.check);
  if (reference.code !== 0) {
    throw new Error(`${project.check} fails as it is:\n${reference.output}`);
  }
  await must(here, `git clean --quiet -fd && git checkout --quiet .`);
  const exclude = join(here, ".git", "info", "exclude");
  Deno.writeTextFileSync(exclude, `${SCRIPT}\n`, { append: true });
  Deno.writeTextFileSync(join(here, SCRIPT), wordsOf(project));
  if (project.settings !== undefined) {
    Deno.mkdirSync(join(here, "planning"));
    Deno.writeTextFileSync(join(here, "planning", "config.toml"), `${project.settings}\n`);
    const { code, output } = await m31a("config", "--trust");
    if (code !== 0) throw new Error(`m31a config --trust: ${output}`);
  }
  await layOwnWork(project, here);
  const before = await stateOf(here);

  const run = await m31a("run", project.goal, "--model", `script:${SCRIPT}`);
  console.log(run.output);
  if (run.code !== 0) findings.push(`run ended with ${run.code}`);
  const head = (await git("rev-parse", "HEAD")).trim();
  if (head === project.commit) {
    return {
      name: project.name,
      seconds: { install: install.seconds, check: reference.seconds, run: run.seconds, undo: 0 },
      findings: [...findings, "nothing was committed"],
    };
  }
  const trailer = (await git("log", "-1", "--format=%(trailers:key=Proved,valueonly)")).trim();
  const tree = (await git("rev-parse", "HEAD^{tree}")).trim();
  if (trailer !== tree) findings.push(`Proved: ${trailer}, but the tree is ${tree}`);
  const changed = (await git("show", "--format=", "--name-only", "HEAD")).trim();
  if (changed !== project.file) findings.push(`committed: ${changed.replaceAll("\n", ", ")}`);
  expectSame(findings, "after the run", before, await stateOf(here));
  findings.push(...await judge(project, here, folder));

  const undoing = Date.now();
  for (const args of [["undo", "--ship", "--yes"], ["undo", "--yes"]]) {
    const undo = await m31a(...args);
    console.log(undo.output);
    if (undo.code !== 0) findings.push(`${args.join(" ")} ended with ${undo.code}`);
  }
  const undo = (Date.now() - undoing) / 1000;
  if ((await git("rev-parse", "HEAD")).trim() !== project.commit) findings.push("HEAD is not back");
  expectSame(findings, "after undo", before, await stateOf(here));
  return {
    name: project.name,
    seconds: { install: install.seconds, check: reference.seconds, run: run.seconds, undo },
    findings,
  };
}

/** Whether the project's own check passes in a clean clone of the commit with its dependencies. */
async function judge(
  { install, check }: RealProject,
  here: string,
  folder: string,
): Promise<string[]> {
  const clone = join(folder, "clean");
  await must(folder, `git clone --quiet "$1" "$2"`, here, clone);
  try {
    if (install !== "") await must(clone, install);
    const { code, output } = await shell(clone, check);
    return code === 0 ? [] : [`${check} fails in a clean clone:\n${output}`];
  } finally {
    await must(folder, `chmod -R u+rwX -- "$1"; rm -rf -- "$1"`, clone);
  }
}

function wordsOf({ file, from, to, goal }: RealProject): string {
  const task = { id: "1", title: goal, files: [file], acceptance: "The project's checks pass." };
  const words = [
    { text: `${file} is to be changed.` },
    { calls: [{ tool: "submit_plan", input: { summary: goal, tasks: [task] } }] },
    {
      calls: [
        { tool: "read_file", input: { path: file } },
        { tool: "edit_file", input: { path: file, old_text: from, new_text: to } },
        { tool: "finish_task", input: { summary: goal } },
      ],
    },
  ];
  return words.map((answer) => `${JSON.stringify(answer)}\n`).join("");
}

async function layOwnWork({ ownWork }: RealProject, here: string): Promise<void> {
  if (ownWork === "untracked" || ownWork === "both") {
    Deno.writeTextFileSync(join(here, "notes of mine.txt"), "Not for a commit.\n");
  }
  if (ownWork === "changed" || ownWork === "both") {
    await must(
      here,
      `readme=$(git ls-files 'README*' readme.md | head -n 1) && printf 'Mine.\\n' >>"$readme"`,
    );
  }
}

/** What git says of the tree, and the bytes of what is the user's. */
async function stateOf(here: string): Promise<string> {
  const script =
    `git status --porcelain --ignored=no; git diff HEAD | git hash-object --stdin; cat 'notes of mine.txt' 2>/dev/null; git for-each-ref; git stash list`;
  return (await must(here, `${script}; exit 0`)).output.replace(
    /^(?:\?\? (?:planning|sessions)\/|.*refs\/(?:m31a\/|heads\/).*)\n/gm,
    "",
  );
}

function expectSame(findings: string[], when: string, before: string, after: string): void {
  if (before === after) return;
  const lines = (text: string) => new Set(text.split("\n"));
  const [old, now] = [lines(before), lines(after)];
  const news = [...now].filter((line) => !old.has(line)).map((line) => `+${line}`);
  const gone = [...old].filter((line) => !now.has(line)).map((line) => `-${line}`);
  findings.push(`${when} the tree is another: ${[...gone, ...news].join("; ")}`);
}

async function must(cwd: string, script: string, ...args: string[]): Promise<Ran> {
  const ran = await shell(cwd, script, ...args);
  if (ran.code !== 0) throw new Error(`${script} failed in ${cwd}:\n${ran.output}`);
  return ran;
}

/**
 * Preflight and metrics of a ship of 5,000 changed files in a repository of 50,000.
 * Rule: beside the bare git commands that answer the same questions, in turn with them, on the same files.
 */
import { join } from "@std/path";
import { Sandbox } from "../../src/agent/sandbox.ts";
import { metricsOfCommit } from "../../src/git/diff.ts";
import { repositorySnapshot } from "../../src/git/snapshot.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { metricsOf } from "../../src/ship/metrics.ts";
import { mayShip } from "../../src/ship/preflight/check.ts";
import { runPreflight } from "../../src/ship/preflight.ts";
import { readAccount } from "../../src/ship/read_account.ts";
import type { ShipRequest } from "../../src/ship/request.ts";
import { diagnose, outlineOf } from "../../src/workflow/outline.ts";
import { NO_WORKFLOW } from "../../src/workflow/state.ts";
import { type Row, timeMs } from "./benchmark.ts";
import { type ChangedProject, changeFiles, makeProject } from "./support/changed_project.ts";
import { BENCH_SESSION } from "./support/id.ts";

const FILES = 50_000;
const CHANGED = 5_000;
const RUNS = 7;
const GOAL_RATIO = 1.5;

export const name = "ship";

export async function run(): Promise<Row[]> {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "m31a-bench-" }));
  try {
    const project = await makeProject(join(folder, "project"), FILES);
    const repository = await repositorySnapshot(project.git) ?? null;
    await changeFiles(project, CHANGED, repository);
    const request = await requestFor(project);
    const shipMs: number[] = [];
    const gitMs: number[] = [];
    // The first turn only warms up what both find in memory afterwards.
    for (let turn = 0; turn <= RUNS; turn++) {
      const ours = await timeMs(() => preflightAndMetrics(request, project.commit));
      const bare = await timeMs(() => bareGit(project));
      if (turn > 0) shipMs.push(ours);
      if (turn > 0) gitMs.push(bare);
    }
    const value = Math.min(...shipMs);
    const reference = Math.min(...gitMs);
    return [{
      what:
        `ship: preflight and metrics of ${CHANGED} changed files of ${FILES}, fastest of ${RUNS}`,
      value,
      unit: "ms",
      reference: { what: "the bare git commands", value: reference },
      goal: `at most ${GOAL_RATIO} × the reference`,
      isGoalMet: value <= GOAL_RATIO * reference,
    }];
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

async function requestFor({ root, git }: ChangedProject): Promise<ShipRequest> {
  const account = await readAccount(root, BENCH_SESSION, diagnose);
  return {
    root,
    git,
    environment: {},
    clock: systemClock,
    session: { id: BENCH_SESSION, baseline: account.baseline, append: () => [] },
    account,
    outline: outlineOf(NO_WORKFLOW),
    project: "bench",
    author: null,
    settings: {
      prefix: "chore",
      subject: "{type}: {goal}",
      attribution: true,
      planningFiles: false,
      commitTimeoutMs: 60_000,
    },
    overrides: new Set(),
    include: [],
    checking: {
      sandbox: new Sandbox(root, { mode: "off", network: false, writable: [] }, {}),
      commands: { maxSeconds: 60, keepBytes: 1_000_000, outputBytes: 64 * 1024 },
      secrets: [],
    },
    signal: new AbortController().signal,
    onEvent: () => {},
  };
}

async function preflightAndMetrics(request: ShipRequest, commit: string): Promise<void> {
  const checks = await runPreflight(request);
  if (!mayShip(checks)) throw new Error(`it cannot be shipped: ${JSON.stringify(checks)}`);
  const { insertions } = metricsOf(await metricsOfCommit(request.git, commit));
  if (insertions === 0) throw new Error("nothing was measured");
}

/**
 * What somebody who knows git well would ask it for the same: is there a submodule, which files are ignored, are they
 * as they were left, what would a commit of them hold; and of the commit, its numbers.
 */
async function bareGit({ root, paths, commit }: ChangedProject): Promise<void> {
  const index = join(root, "..", "bare.index");
  const all = paths.map((path) => `${path}\0`).join("");
  const present = paths.filter((path) => isThere(join(root, path)));
  const own = { GIT_INDEX_FILE: index };
  const numbers = ["--raw", "--numstat", "-z", "-M"];
  // Asked of all files, check-ignore alone takes seconds.
  const added = present.filter((path) => path.startsWith("src/new/"));
  await plainGit(root, ["rev-parse", "--git-dir", "HEAD"]);
  await plainGit(root, ["ls-files", "--stage", "-z"]);
  await plainGit(
    root,
    ["check-ignore", "--no-index", "-z", "--stdin"],
    added.map((path) => `${path}\0`).join(""),
  );
  await plainGit(root, ["ls-tree", "-r", "-z", "HEAD"]);
  await plainGit(
    root,
    ["hash-object", "-w", "--no-filters", "--stdin-paths"],
    present.map((path) => `${path}\n`).join(""),
  );
  await plainGit(root, ["read-tree", "--reset", `--index-output=${index}`, "HEAD"]);
  await plainGit(root, ["update-index", "--add", "--remove", "-z", "--stdin"], all, own);
  await plainGit(root, ["diff-index", "--cached", ...numbers, "HEAD"], "", own);
  await plainGit(root, ["diff-index", "--cached", "-p", "-U0", "-M", "HEAD"], "", own);
  await plainGit(root, ["diff-tree", "-r", ...numbers, commit]);
  Deno.removeSync(index);
}

async function plainGit(
  root: string,
  args: string[],
  input = "",
  env: Record<string, string> = {},
): Promise<void> {
  const child = new Deno.Command("git", {
    args,
    env,
    cwd: root,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const fed = writer.write(new TextEncoder().encode(input)).then(() => writer.close());
  const [{ code, stderr }] = await Promise.all([child.output(), fed]);
  // Where no file is ignored, check-ignore says so with 1.
  if (code > 1) throw new Error(`git ${args[0]}: ${new TextDecoder().decode(stderr)}`);
}

function isThere(path: string): boolean {
  try {
    return Deno.lstatSync(path).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

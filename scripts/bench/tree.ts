/**
 * The tree before and after a command, in a repository of 50,000 files of which 5,000 are changed.
 * Rule: beside two runs of `git status` on the same files, in turn with them.
 */
import { join } from "@std/path";
import { repositorySnapshot } from "../../src/git/snapshot.ts";
import { WorkTree } from "../../src/git/work_tree/work_tree.ts";
import { type Row, timeMs } from "./benchmark.ts";
import { changeFiles, makeProject } from "./support/changed_project.ts";

const FILES = 50_000;
const CHANGED = 5_000;
const RUNS = 7;
const GOAL_RATIO = 1.5;

export const name = "tree";

export async function run(): Promise<Row[]> {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "m31a-bench-" }));
  try {
    const project = await makeProject(join(folder, "project"), FILES);
    const { git, root } = project;
    await changeFiles(project, CHANGED, await repositorySnapshot(git) ?? null);
    const settings = {
      folder: join(folder, "tree"),
      keepBytes: 50_000_000,
      apart: ["planning", "sessions"],
    };
    const firstMs = await timeMs(() => new WorkTree(git, settings).take());
    const pairMs: number[] = [];
    const statusMs: number[] = [];
    for (let turn = 0; turn <= RUNS; turn++) {
      const ours = await timeMs(async () => {
        const tree = new WorkTree(git, settings);
        const before = await tree.take();
        Deno.writeTextFileSync(join(root, "made"), `${turn}\n`);
        await tree.changesBetween(before, await tree.take());
      });
      const bare = await timeMs(async () => {
        for (let run = 0; run < 2; run++) {
          await git.read(["status", "--porcelain=v2", "-z", "--untracked-files=all"]);
        }
      });
      // The first turn only warms up what both find in memory afterwards.
      if (turn > 0) pairMs.push(ours);
      if (turn > 0) statusMs.push(bare);
    }
    const value = Math.min(...pairMs);
    const reference = Math.min(...statusMs);
    return [{
      what: `tree: before and after a command, ${CHANGED} changed files of ${FILES}, fastest of ` +
        `${RUNS}`,
      value,
      unit: "ms",
      reference: { what: "git status, twice", value: reference },
      goal: `at most ${GOAL_RATIO} × the reference`,
      isGoalMet: value <= GOAL_RATIO * reference,
    }, {
      what: "tree: the first time in a session, what is not committed kept",
      value: firstMs,
      unit: "ms",
    }];
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

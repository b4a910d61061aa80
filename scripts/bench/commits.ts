/**
 * The memory digest in a repository of 100,000 commits: the first time, and when the commits are known.
 * Rule: the whole of it, with git and the cache in planning/; beside `git log` alone over the same commits.
 */
import { join } from "@std/path";
import { memoryDigest } from "../../src/agent/memory.ts";
import { writeAllSync } from "../../src/platform/files.ts";
import { median, type Row, timeMs } from "./benchmark.ts";

const COMMITS = 100_000;
const FILES = 4_000;
const RUNS = 5;
const GOAL_FIRST_MS = 3_000;
const GOAL_AGAIN_MS = 200;
const WORDS = "fix add parser cart login token cache error test page menu style build index session"
  .split(" ");

export const name = "commits";

export async function run(): Promise<Row[]> {
  const root = Deno.makeTempDirSync({ prefix: "m31a-bench-" });
  try {
    await makeRepository(root);
    const environment = { PATH: Deno.env.get("PATH"), HOME: root };
    const digest = () => memoryDigest(root, environment, "cart login token");
    const reference = await timeMs(() =>
      git(root, ["log", "-z", "--no-merges", "--name-status", "-M", "--format=%H%x00%ct%x00%s"])
    );
    const first = await timeMs(digest);
    // A git that is slow is read in several goes; what is measured then is all of it.
    for (let known = 0; known < COMMITS;) {
      const { commitsKnown } = await digest();
      if (commitsKnown === known) throw new Error(`reading stopped at ${known} commits`);
      known = commitsKnown;
    }
    const again: number[] = [];
    for (let turn = 0; turn < RUNS; turn++) again.push(await timeMs(digest));
    const what = `digest: ${COMMITS.toLocaleString("en-US")} commits`;
    return [
      {
        what: `${what}, the first time`,
        value: first,
        unit: "ms",
        reference: { what: "git log alone", value: reference },
        goal: "at most 3 s",
        isGoalMet: first <= GOAL_FIRST_MS,
      },
      {
        what: `${what}, then, median of ${RUNS}`,
        value: median(again),
        unit: "ms",
        reference: { what: "git log alone", value: reference },
        goal: "at most 0.2 s",
        isGoalMet: median(again) <= GOAL_AGAIN_MS,
      },
    ];
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
}

/** A line of commits, each of which changes one to four of the files; equal in each run. */
async function makeRepository(root: string): Promise<void> {
  await git(root, ["init", "--quiet", "--initial-branch=main", "."]);
  const stream = join(root, "stream");
  const file = Deno.openSync(stream, { write: true, create: true });
  let parts: string[] = [];
  for (let number = 0; number < COMMITS; number++) {
    const word = (step: number) => WORDS[(number * step) % WORDS.length] ?? "";
    const subject = `${word(1)} ${word(7)} ${word(11)} of part ${number % 997}`;
    parts.push(
      `commit refs/heads/main\ncommitter a <a@example.org> ${1_600_000_000 + number} +0000\n` +
        `data ${subject.length}\n${subject}\n`,
    );
    for (let change = 0; change <= number % 4; change++) {
      const path = (number * 31 + change * 977) % FILES;
      const content = `${number}`;
      parts.push(
        `M 100644 inline src/part_${path % 60}/${WORDS[path % WORDS.length]}_${path}.ts\n` +
          `data ${content.length}\n${content}\n`,
      );
    }
    if (parts.length < 20_000 && number + 1 < COMMITS) continue;
    writeAllSync(file, new TextEncoder().encode(parts.join("")));
    parts = [];
  }
  file.close();
  const input = Deno.openSync(stream, { read: true });
  const child = new Deno.Command("git", {
    args: ["fast-import", "--quiet"],
    cwd: root,
    stdin: "piped",
  }).spawn();
  await input.readable.pipeTo(child.stdin);
  const { success } = await child.status;
  if (!success) throw new Error("git fast-import failed");
  Deno.removeSync(stream);
}

async function git(root: string, args: string[]): Promise<void> {
  const { success } = await new Deno.Command("git", {
    args,
    cwd: root,
    stdout: "piped",
    stderr: "inherit",
  }).output();
  if (!success) throw new Error(`git ${args.join(" ")} failed`);
}

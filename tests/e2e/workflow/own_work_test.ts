/** What the user was in the middle of, staged and not, before and after a workflow. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { join } from "@std/path";
import type { Project } from "../../support/project.ts";
import { NUMBERS, runArguments, withCheckedProject } from "./checked_project.ts";
import { FINISH, LOOKED, replaces, submits, task } from "./model_words.ts";

/** How many trees are tried. */
const RUNS = 6;

const WORDS = [
  LOOKED,
  submits(task("1", "Count on", NUMBERS), task("2", "Another", "made/new.txt", "1")),
  replaces(NUMBERS, "2", "three"),
  replaces(NUMBERS, "three", "3", "1 failed"),
  {
    calls: [
      { tool: "write_file", input: { path: "made/new.txt", content: "new\n" } },
      FINISH,
    ],
  },
];

/** What the workflow changes. */
const TOUCHED = [NUMBERS, "made/new.txt"];

const NAMES = ["a", "made/mine", "sub/c d", "né w\t", "x.log", "-n"];

const someBytes = fc.oneof(
  fc.constantFrom("", "1\n", "2\r\n", "1\n2", "é\n").map((text) => new TextEncoder().encode(text)),
  fc.uint8Array({ minLength: 1, maxLength: 6 }),
);
const someState = fc.option(
  fc.record({ bytes: someBytes, mode: fc.constantFrom(0o644, 0o755), isLink: fc.boolean() }),
  { nil: undefined },
);
const someTree = fc.tuple(...NAMES.map(() => someState));
type Tree = typeof someTree extends fc.Arbitrary<infer T> ? T : never;

Deno.test("run leaves branch, index, stash and every change of the user's byte-identical", async () => {
  const property = fc.asyncProperty(
    someTree,
    someTree,
    someTree,
    fc.boolean(),
    async (committed, staged, changed, ships) => {
      await withCheckedProject(WORDS, async (project) => {
        await beInTheMiddleOfThings(project, committed, staged, changed);
        const before = await ownWork(project);
        const goal = runArguments("Count on", ...(ships ? [] : ["--no-ship"]));
        const { code, stdout, stderr } = await project.run(goal);
        assert.equal(code, 0, stdout + stderr);
        const after = await ownWork(project);
        assert.deepEqual(after.tree, before.tree);
        assert.deepEqual(after.staged, before.staged);
        assert.equal(after.stash, before.stash);
        if (!ships) {
          assert.equal(after.head, before.head);
          assert.deepEqual(after.index, before.index);
          return;
        }
        assert.equal((await project.git("rev-parse", "HEAD~1")).trim(), before.head);
        const shipped = await project.git("show", "--format=", "--name-only", "-z", "HEAD");
        assert.deepEqual(shipped.split("\0").filter((name) => name !== "").sort(), TOUCHED.sort());
      });
    },
  );
  await fc.assert(property, { numRuns: RUNS });
});

/** The user has a stash, commits, stages, and goes on changing. */
async function beInTheMiddleOfThings(project: Project, ...trees: Tree[]): Promise<void> {
  project.write({ ".gitignore": "*.log\nplanning/\nsessions/\n", stashed: "x\n" });
  await project.git("add", "stashed");
  await project.git("stash", "--quiet");
  const [committed, staged, changed] = trees;
  if (committed !== undefined) lay(project.root, committed);
  await project.git("add", "--all");
  await project.git("commit", "--quiet", "--message=mine");
  if (staged !== undefined) lay(project.root, staged);
  await project.git("add", "--all");
  if (changed !== undefined) lay(project.root, changed);
}

function lay(root: string, tree: Tree): void {
  tree.forEach((state, index) => {
    const path = join(root, NAMES[index] ?? "");
    Deno.mkdirSync(join(path, ".."), { recursive: true });
    try {
      Deno.removeSync(path);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
    if (state === undefined) return;
    if (state.isLink) return Deno.symlinkSync("elsewhere", path);
    Deno.writeFileSync(path, state.bytes, { mode: state.mode });
    Deno.chmodSync(path, state.mode);
  });
}

interface OwnWork {
  /** The user's files as they are on disk. */
  tree: unknown[];
  /** The index, but for what a workflow may ship. */
  staged: string[];
  index: Uint8Array;
  head: string;
  stash: string;
}

async function ownWork(project: Project): Promise<OwnWork> {
  const entries = (await project.git("ls-files", "--stage", "-z")).split("\0");
  return {
    tree: NAMES.map((name) => stateOf(join(project.root, name))),
    staged: entries.filter((entry) => !TOUCHED.some((path) => entry.endsWith(`\t${path}`))),
    index: Deno.readFileSync(join(project.root, ".git/index")),
    head: (await project.git("rev-parse", "HEAD")).trim(),
    stash: await project.git("stash", "list", "--format=%H"),
  };
}

function stateOf(path: string): unknown {
  try {
    const { isSymlink, mode } = Deno.lstatSync(path);
    return isSymlink ? Deno.readLinkSync(path) : { mode, bytes: Deno.readFileSync(path) };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "nothing";
    throw error;
  }
}

/**
 * Random sequences of what a session and its user can do to a tree, shipped: the commit passes the project's check in a
 * clean clone, or nothing is shipped; and the user's work is where it was.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { join } from "@std/path";
import type { Project } from "../../support/project.ts";
import { withCheckedProject } from "../workflow/checked_project.ts";
import { FINISH, LOOKED, submits, task, type Words } from "../workflow/model_words.ts";

/** How many sequences are tried. */
const RUNS = 8;

/** The project's check: every file that a line of `needs` names must be there. */
const CHECK = `while IFS= read -r name; do
  [ -z "$name" ] || [ -e "$name" ] || { echo "1 failed: $name is missing"; exit 1; }
done < needs
echo "1 passed"
`;

/** Names of the session's files and of the user's, none of them in both. */
const NAMES = ["gen.txt", "src/target/impl.js", "lib/coverage/index.js", "né w\t.txt", "-n"];
const USERS = ["results.csv", "notes/a b.txt", "mine.bin", "tracked.txt"];

/** The largest content that is kept, in this test's configuration. */
const KEEP_BYTES = 100_000;

const someSize = fc.constantFrom(0, 10, 4_096, KEEP_BYTES + 50_000);

/** What one command of the model's does, as a line of sh. */
const someCommand = fc.oneof(
  fc.record({ name: fc.constantFrom(...NAMES), size: someSize, isNeeded: fc.boolean() }).map(
    ({ name, size, isNeeded }) =>
      `mkdir -p -- "$(dirname -- ${quoted(name)})" && head -c ${size} /dev/zero > ${
        quoted(`./${name}`)
      }` +
      (isNeeded ? ` && printf '%s\\n' ${quoted(`./${name}`)} >> needs` : ""),
  ),
  fc.constantFrom(...NAMES).map((name) => `rm -f -- ${quoted(name)}`),
  fc.constantFrom(...NAMES).map((name) =>
    `[ ! -f ${quoted(`./${name}`)} ] || chmod +x ${quoted(`./${name}`)}`
  ),
  fc.constantFrom(...NAMES).map((name) =>
    `[ ! -f ${quoted(`./${name}`)} ] || mv -- ${quoted(name)} moved.txt`
  ),
  fc.constant("ln -sf needs link"),
);

/** What the user has lying about: untracked, changed, or needed by the check. */
const someWork = fc.array(
  fc.record({ name: fc.constantFrom(...USERS), size: someSize, isNeeded: fc.boolean() }),
  { maxLength: 3 },
);

/** Whether the model's command falls upon a file of the user's. */
const someFall = fc.option(fc.constantFrom(...USERS), { nil: undefined });

Deno.test("a commit passes its check in a clean clone, or nothing is shipped, whatever lies about", async () => {
  const property = fc.asyncProperty(
    fc.array(someCommand, { minLength: 1, maxLength: 4 }),
    someWork,
    someFall,
    async (commands, work, fall) => {
      const falling = fall === undefined ? [] : [`[ ! -f ${quoted(fall)} ] || : > ${quoted(fall)}`];
      await withCheckedProject(wordsFor([...commands, ...falling]), async (project) => {
        await prepare(project, work);
        const before = await usersFiles(project);
        const head = (await project.git("rev-parse", "HEAD")).trim();
        const { code, stdout, stderr } = await project.run([
          ...["run", "Make it", "--approval", "all", "--model", "script:model.script"],
        ]);
        const said = stdout + stderr;
        const isShipped = (await project.git("rev-parse", "HEAD")).trim() !== head;
        assert.equal(code === 0, isShipped, said);
        if (isShipped) await assertPassesAlone(project, said);
        if (!isShipped) assert.match(said, /Not shipped|Not done|needs|missing/, said);
        await assertUsersWork(project, before, fall, said);
      });
    },
  );
  await fc.assert(property, { numRuns: RUNS });
});

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function wordsFor(commands: readonly string[]): Words[] {
  return [
    LOOKED,
    submits(task("1", "Make it", "gen.txt")),
    {
      calls: [
        ...commands.map((command) => ({ tool: "run_command", input: { command } })),
        FINISH,
      ],
    },
    // A heal can do nothing else here.
    { calls: [FINISH] },
    { calls: [FINISH] },
    { calls: [FINISH] },
    { calls: [FINISH] },
    { calls: [FINISH] },
  ];
}

async function prepare(
  project: Project,
  work: { name: string; size: number; isNeeded: boolean }[],
) {
  const needed = work.filter(({ isNeeded }) => isNeeded).map(({ name }) => `./${name}\n`);
  project.write({
    "check.sh": CHECK,
    needs: needed.join(""),
    "tracked.txt": "as committed\n",
    ".gitignore": "planning/\nsessions/\n",
    "planning/config.toml": `[tools]\nkeep_bytes = ${KEEP_BYTES}\n`,
  });
  await project.git("add", "--all");
  await project.git("commit", "--quiet", "--message=check");
  const trusted = await project.run(["config", "--trust"]);
  assert.equal(trusted.code, 0, trusted.stderr);
  for (const { name, size } of work) project.write({ [name]: new Uint8Array(size).fill(0x75) });
}

/** The user's files that are not as the last commit has them. */
async function usersFiles(project: Project): Promise<Map<string, Uint8Array>> {
  const listed = await project.git(
    "status",
    "--porcelain",
    "-z",
    "--untracked-files=all",
    "--no-renames",
  );
  const names = listed.split("\0").filter((entry) => entry !== "").map((entry) => entry.slice(3));
  return new Map(
    names.filter((name) => USERS.includes(name)).map((name) => [
      name,
      Deno.readFileSync(join(project.root, name)),
    ]),
  );
}

/** The project's own check in a clean clone of the commit. */
async function assertPassesAlone(project: Project, said: string): Promise<void> {
  const clone = join(project.outside, "clone");
  await project.git("clone", "--quiet", "--no-local", project.root, clone);
  const { code, stdout } = await project.runProgram(["sh", "check.sh"], { cwd: clone });
  assert.equal(code, 0, `${stdout}\n${said}`);
  const proved = await project.git("log", "-1", "--format=%(trailers:key=Proved,valueonly)");
  assert.equal(proved.trim(), (await project.git("rev-parse", "HEAD^{tree}")).trim(), said);
}

/** What a command of the model's fell upon is changed, and is in no commit; everything else of the user's is as it was. */
async function assertUsersWork(
  project: Project,
  before: Map<string, Uint8Array>,
  fall: string | undefined,
  said: string,
): Promise<void> {
  for (const [name, bytes] of before) {
    if (name !== fall) {
      assert.deepEqual(Deno.readFileSync(join(project.root, name)), bytes, `${name}\n${said}`);
    }
    const committed = await project.runProgram(["git", "show", `HEAD:${name}`]);
    const isCommitted = committed.code === 0 && committed.stdout !== "as committed\n";
    assert.ok(!isCommitted, `${name} of the user's is in the commit\n${said}`);
  }
}

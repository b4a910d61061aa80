/** m31a undo, killed with -9 before and behind each git command of its change. */
import assert from "node:assert/strict";
import { says, TEST_SESSION } from "../../support/conversations.ts";
import type { GitFolder } from "../../support/git_folder.ts";
import { runM31a } from "../../support/source.ts";
import { wrappedGit } from "../../support/wrapped_git.ts";
import { edits, FINISH, run, submits, task, withProject } from "../../workflow/runs.ts";

const ANSWERS = [
  says("Looked."),
  submits(task("1"), task("2", "1")),
  edits("2", "3"),
  says("", [
    { tool: "read_file", input: { path: "numbers.txt" } },
    { tool: "write_file", input: { path: "numbers.txt", content: "1\n4\n" } },
    { tool: "write_file", input: { path: "made", content: "m\n" } },
    FINISH,
  ]),
];

/** What there is when an undo is done, but for times. */
function outcome(folder: GitFolder): unknown {
  const log = folder.read(`sessions/${TEST_SESSION}/0.jsonl`).trimEnd().split("\n")
    .map((line) => JSON.parse(line));
  return {
    tree: folder.run("ls-files", "-cmo", "-x", "sessions", "-x", "planning"),
    numbers: folder.read("numbers.txt"),
    tasks: folder.read("planning/TASKS.md"),
    records: log.slice(-2).map(({ seq: _seq, at: _at, prev: _prev, commit: _commit, ...rest }) =>
      rest
    ),
    refs: folder.run("for-each-ref", "--format=%(refname) %(tree)", "refs/m31a"),
  };
}

/** Runs `m31a undo --yes` with a git that keeps a list of its commands, and kills m31a where the test says. */
async function undo(folder: GitFolder, kill?: { at: number; when: "before" | "after" }) {
  const list = `${folder.scratch}/commands`;
  Deno.writeTextFileSync(list, "");
  const here = kill === undefined ? "no" : `$(wc -l < '${list}')`;
  const { PATH = "" } = wrappedGit(
    folder,
    `printf '%s\\n' "$*" >> '${list}'
    if [ ${here} = ${kill?.at ?? 0} ]; then
      ${kill?.when === "after" ? '"$real" "$@"' : ":"}
      kill -9 $PPID
      exit 1
    fi`,
  );
  const { code } = await runM31a(["undo", "--yes"], { cwd: folder.root, env: { PATH } });
  return { code, commands: Deno.readTextFileSync(list).trimEnd().split("\n") };
}

Deno.test("m31a undo that is killed at any of its git commands and run again has undone one task", async (context) => {
  let commands: string[] = [];
  let expected: unknown;
  await withProject(async (folder) => {
    await run(folder, { goal: "Go", answers: ANSWERS });
    const done = await undo(folder);
    assert.equal(done.code, 0);
    ({ commands } = done);
    expected = outcome(folder);
  });
  const first = commands.findIndex((line) => line.includes("fast-import")) + 1;
  assert(first > 0 && commands.slice(first).some((line) => line.includes("apply")));
  for (let at = first; at <= commands.length; at++) {
    for (const when of ["before", "after"] as const) {
      await context.step(
        `killed ${when} ${commands[at - 1]?.slice(-40)}`,
        () =>
          withProject(async (folder) => {
            await run(folder, { goal: "Go", answers: ANSWERS });
            assert.notEqual((await undo(folder, { at, when })).code, 0);
            assert.equal((await undo(folder)).code, 0);
            assert.deepEqual(outcome(folder), expected);
          }),
      );
    }
  }
});

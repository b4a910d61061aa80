/**
 * A program for change_tools_test.ts, run with the executable's own permissions: changes files by the
 * tools, makes a checkpoint, commits, rolls back, and tries to write a file by itself.
 */
import { sessionStore } from "../../src/agent/session_tree.ts";
import { editFile } from "../../src/agent/tools/edit_file.ts";
import { writeFile } from "../../src/agent/tools/write_file.ts";
import { createCheckpoint } from "../../src/git/checkpoint.ts";
import { commitPaths } from "../../src/git/commit.ts";
import { gitPath } from "../../src/git/path.ts";
import { applyRollback, previewRollback } from "../../src/git/rollback.ts";
import { Git } from "../../src/git/run.ts";
import { readRepositoryState } from "../../src/git/state.ts";
import { touchedBy } from "../../src/session/outcome.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { readEnvironment } from "../../src/platform/environment.ts";

const environment = readEnvironment();
const root = Deno.cwd();
const session = "20260131-120000-0000";
const context = {
  root,
  session,
  signal: new AbortController().signal,
  clock: systemClock,
  environment,
  approve: () => Promise.resolve({ isAllowed: true }),
  ask: () => Promise.resolve(""),
  forbid: () => undefined,
  takesImages: () => Promise.resolve(false),
  intend() {},
  cutOff() {},
  onOutput() {},
  seenFiles: new Map<string, string>(),
};
const git = new Git(root, environment);
const edited = await editFile.run({ path: "a", old_text: "x", new_text: "y" }, context);
const [touched] = touchedBy(edited.outcome);
await writeFile.run({ path: "src/b", content: "y\n" }, context);
await createCheckpoint(git, {
  session: "s",
  number: 1,
  files: [{ path: "a", before: touched?.before ?? null }, { path: "src/b", before: null }],
  store: await sessionStore({ root, environment, session }),
  message: "task",
  atMs: 0,
});
const { paths } = await commitPaths(git, {
  paths: [gitPath("a"), gitPath("src/b")],
  message: "both",
  scratch: `${root}/sessions`,
});
const { restored } = await applyRollback(git, await previewRollback(git, "s", 0));
let ownWrite = "done";
try {
  Deno.writeTextFileSync("written", "");
} catch (error) {
  ownWrite = error instanceof Error ? error.name : "failed";
}
console.log(JSON.stringify({
  branch: (await readRepositoryState(git, Date.now()))?.branch,
  committed: paths.map(({ text }) => text),
  restored: restored.map(({ path }) => path),
  ownWrite,
}));

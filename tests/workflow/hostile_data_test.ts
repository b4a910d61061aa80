/**
 * Data never becomes a command: each text in a log, and in the state that a baseline carries, is made hostile, the
 * chain is made right again, and the session is read, previewed and taken back. git, the tree and what was started
 * are looked at afterwards.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { M31aError } from "../../src/platform/errors.ts";
import { type Baseline, encodeBaseline } from "../../src/session/baseline.ts";
import { baselinePath, logPath } from "../../src/session/layout.ts";
import { linkTo } from "../../src/session/line.ts";
import { readWorkflow } from "../../src/workflow/read_workflow.ts";
import { UndoableWorkflow } from "../../src/workflow/undo.ts";
import { stoppedClock } from "../session/samples.ts";
import { TEST_SESSION } from "../support/conversations.ts";
import type { GitFolder } from "../support/git_folder.ts";
import { wrappedGit } from "../support/wrapped_git.ts";
import { edits, FINISH, run, submits, task, withProject } from "./runs.ts";
import { says } from "../support/conversations.ts";

type Json = unknown;

/** Where a text stands in JSON: its keys, those of lists left in. */
type Place = readonly (string | number)[];

/** The places of all texts in `value`. */
function textsIn(value: Json, place: Place = []): Place[] {
  if (typeof value === "string") return [place];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]) =>
    textsIn(entry, [...place, Array.isArray(value) ? Number(key) : key])
  );
}

/** `value` with another text at `place`. */
function withText(value: Json, place: Place, text: string): Json {
  const [key, ...rest] = place;
  if (key === undefined) return text;
  if (Array.isArray(value)) {
    return value.map((entry, index) => index === key ? withText(entry, rest, text) : entry);
  }
  const entries = Object.entries(typeof value === "object" && value !== null ? value : {});
  return Object.fromEntries(
    entries.map(([name, entry]) => [name, name === key ? withText(entry, rest, text) : entry]),
  );
}

/** Texts that mean something to git or to sh. `MARK` is a file that none of them may make. */
function hostileTexts(mark: string, commit: string, blob: string): string[] {
  const reset = `reset refs/heads/main\nfrom ${commit}\n\n` +
    "commit refs/m31a/x\ncommitter a <a@b> 0 +0000\ndata 0\n\n";
  return [
    `100644 ${blob} x\n${reset}M 100644`,
    `${blob} x\n${reset}M 100644 ${blob}`,
    `x\n${reset}`,
    `delete refs/heads/main\n`,
    `--upload-pack=touch ${mark}`,
    `--output=${mark}`,
    `--exec-path=${mark}`,
    `-c alias.x=!touch ${mark}`,
    `$(touch ${mark})`,
    `'; touch ${mark}; '`,
    `a\0b`,
    "../outside.txt",
    "../../outside.txt",
    ".git/hooks/pre-commit",
    "sub/.GIT/config",
    "/etc/hostname",
    "refs/heads/main",
    "HEAD",
    ":(top)*",
    "",
  ];
}

/** Writes a log of `records`, each in its place in the chain behind the baseline of `epoch`. */
function writeLog(root: string, epoch: number, records: readonly Json[]): void {
  let prev = linkTo(Deno.readFileSync(`${root}/${baselinePath(TEST_SESSION, epoch)}`));
  const lines = records.map((record, index) => {
    const { seq: _seq, at, type, prev: _prev, ...body } = Object(record);
    const line = JSON.stringify({ seq: index + 1, at, type, prev, ...body });
    prev = linkTo(line);
    return `${line}\n`;
  });
  Deno.writeTextFileSync(`${root}/${logPath(TEST_SESSION, epoch)}`, lines.join(""));
}

/** What must stay as it was, whatever a log says. */
function surroundings(folder: GitFolder): unknown {
  const { root } = folder;
  const outside = [...Deno.readDirSync(`${root}/..`)].map(({ name }) => name).sort();
  const hooks = [...Deno.readDirSync(`${root}/.git/hooks`)].map(({ name }) => name).sort();
  const refs = folder.run("for-each-ref", "refs/heads", "refs/tags", "refs/remotes");
  return {
    outside,
    hooks,
    refs,
    head: Deno.readTextFileSync(`${root}/.git/HEAD`),
    config: Deno.readTextFileSync(`${root}/.git/config`),
    index: folder.run("ls-files", "-s"),
  };
}

/** Goes as far with the session as an undo goes. An error for people is an answer. */
async function goOn(root: string, environment: GitFolder["environment"]): Promise<void> {
  try {
    await readWorkflow(root, TEST_SESSION);
    const world = { root, environment, clock: stoppedClock };
    const workflow = await UndoableWorkflow.open(world, TEST_SESSION);
    try {
      const preview = await workflow.preview({ kind: "undo", steps: 1 });
      await workflow.carryOut(preview, { force: true });
    } finally {
      workflow.close();
    }
  } catch (error) {
    assert(error instanceof M31aError, error instanceof Error ? error.stack : String(error));
  }
}

/** A workflow of two tasks, killed before the checkpoint of the second. */
async function withKilledWorkflow(
  test: (folder: GitFolder, records: readonly Json[]) => Promise<void>,
): Promise<void> {
  await withProject(async (folder) => {
    const makes = says("", [
      { tool: "write_file", input: { path: "made.txt", content: "made\n" } },
      { tool: "run_command", input: { command: "echo 5 >> numbers.txt" } },
      FINISH,
    ]);
    const answers = [says("Looked."), submits(task("1"), task("2", "1")), edits("2", "3"), makes];
    await run(folder, { answers, goal: "Count on" });
    const path = `${folder.root}/${logPath(TEST_SESSION, 0)}`;
    const records: Json[] = Deno.readTextFileSync(path).trimEnd().split("\n")
      .map((line) => JSON.parse(line));
    const last = records.findLastIndex((record) => Object(record).type === "checkpoint");
    await test(folder, records.slice(0, last));
  });
}

/** Tries each hostile text in fields that fast-check chooses, and looks around after each. */
async function attack(
  folder: GitFolder,
  fields: readonly { name: string; write(text: string): void }[],
  runs: number,
): Promise<void> {
  const { root } = folder;
  const mark = `${root}/../mark`;
  const started = `${folder.environment.HOME}/started`;
  const environment = wrappedGit(folder, `{ printf '<%s>' "$@"; echo; } >> '${started}'`);
  const commit = folder.run("rev-parse", "HEAD").trim();
  folder.run("commit", "--allow-empty", "-qm", "another");
  const blob = folder.run("rev-parse", "HEAD:numbers.txt").trim();
  const texts = hostileTexts(mark, commit, blob);
  Deno.writeTextFileSync(started, "");
  const before = surroundings(folder);
  const once = async (name: string, write: (text: string) => void, text: string) => {
    write(text);
    await goOn(root, environment);
    const what = `${name} = ${JSON.stringify(text)}`;
    assert.deepEqual(surroundings(folder), before, what);
    // Behind `--` stand names, which git takes for nothing else.
    const options = Deno.readTextFileSync(started).split("\n").map((line) =>
      line.split("<-->", 1)[0]
    ).join("\n");
    assert(
      !/<(?:--(?:upload-pack|output|exec-path)=|-c alias)/.test(options),
      `${what}\n${options}`,
    );
  };
  // What names a file or an object is always tried with what git's own input would take for more.
  const examples = fields.filter(({ name }) => /(?:mode|blob|commit|path|files[.\d]*)$/.test(name))
    .flatMap((field) => texts.slice(0, 3).map((text): [typeof field, string] => [field, text]));
  assert(examples.length >= 12, String(examples.length));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...fields),
      fc.constantFrom(...texts),
      ({ name, write }, text) => once(name, write, text),
    ),
    { examples, numRuns: examples.length + runs, endOnFailure: true },
  );
}

Deno.test("no text of a log reaches git's refs, a place outside of the project or a command's options", () =>
  withKilledWorkflow(async (folder, records) => {
    // One of each kind: of a list its first, of a record type its last.
    const places = new Map<string, Place>();
    for (const [index, record] of records.entries()) {
      for (const place of textsIn(record)) {
        const key = place.filter((part) => typeof part === "string").join(".");
        places.set(`${Object(record).type}: ${key}`, [index, ...place]);
      }
    }
    const fields = [...places].map(([name, place]) => ({
      name,
      write: (text: string) => {
        const changed = withText(records, place, text);
        assert(Array.isArray(changed));
        writeLog(folder.root, 0, changed);
      },
    }));
    assert(fields.length > 40, String(fields.length));
    await attack(folder, fields, 20);
  }));

Deno.test("no text of the state that a baseline carries does either", () =>
  withKilledWorkflow(async (folder, records) => {
    const { root } = folder;
    writeLog(root, 0, records);
    const state = await readWorkflow(root, TEST_SESSION);
    assert(state.touched.length > 0 && state.checkpoints.length > 0);
    const first: Baseline = JSON.parse(
      Deno.readTextFileSync(`${root}/${baselinePath(TEST_SESSION, 0)}`),
    );
    const parent = { kind: "compaction", session: TEST_SESSION, epoch: 0, seq: records.length };
    const at = "2026-01-02T03:04:05.678Z";
    const fields = textsIn(JSON.parse(JSON.stringify(state))).map((place) => ({
      name: place.join("."),
      write: (text: string) => {
        const workflow = withText(JSON.parse(JSON.stringify(state)), place, text);
        const carried = { ...first.carried, workflow };
        const baseline = Object.assign({}, first, { epoch: 1, parent, summary: "", carried });
        const { bytes, hash } = encodeBaseline(baseline);
        Deno.writeFileSync(`${root}/${baselinePath(TEST_SESSION, 1)}`, bytes);
        writeLog(root, 1, [{ at, type: "session_start", epoch: 1, slot: null, baseline: hash }]);
      },
    }));
    await attack(folder, fields, 20);
  }));

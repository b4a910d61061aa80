import assert from "node:assert/strict";
import type { SessionRecord } from "../../src/session/records.ts";
import { recordsOf, says, TEST_SESSION } from "../support/conversations.ts";
import type { GitFolder } from "../support/git_folder.ts";
import { Killed } from "../support/kills.ts";
import { edits, FINISH, repliesOf, run, submits, task, withProject } from "./runs.ts";

/** A workflow with a question, a refused plan, a wrong fix, a command, a heal, a new file, a skipped task. */
const ANSWERS = [
  says("", [{ tool: "ask_user", input: { question: "How?", options: ["well", "badly"] } }]),
  says("Looked."),
  submits(task("1", "9")),
  submits(task("1"), task("2", "1")),
  edits("2", "three"),
  edits("three", "3"),
  says("", [
    { tool: "write_file", input: { path: "new/file.txt", content: "new\n" } },
    { tool: "run_command", input: { command: "cat new/file.txt" } },
    { tool: "read_file", input: { path: "numbers.txt" } },
    FINISH,
  ]),
];

const APPROVES = { world: { approve: () => Promise.resolve({ isAllowed: true }) } };

function begin(folder: GitFolder, killAfter: (record: SessionRecord) => boolean = () => false) {
  return run(folder, { goal: "Mend it", answers: ANSWERS, killAfter, ...APPROVES });
}

/** What is to be the same however often a run was killed: the tree, the documents, the log but for what a kill must leave. */
async function remains(folder: GitFolder): Promise<unknown> {
  const files = folder.run("ls-files", "-co", "--exclude=sessions").split("\n")
    .filter((path) => path !== "");
  const records = (await recordsOf(folder.root)).filter(({ type }) => type !== "intent");
  return {
    tree: Object.fromEntries(files.map((path) => [path, folder.read(path)])),
    refs: folder.run("for-each-ref", "--format=%(refname) %(tree)", "refs/m31a"),
    log: records.flatMap((record): unknown[] => {
      const { seq: _seq, prev: _prev, at: _at, ...rest } = record;
      if (rest.type === "usage") return [];
      if (rest.type === "checkpoint") return [{ ...rest, commit: "" }];
      if (rest.type === "assistant") return [{ ...rest, request: undefined }];
      if (rest.type === "session_start") return [];
      if (rest.type !== "tool_result") return [rest];
      const { settled: _settled, ...result } = rest;
      return [{ ...result, outcome: { ...rest.outcome, durationMs: 0 } }];
    }),
  };
}

/** Every how many records are tried, unless M31A_KILL_MATRIX=full asks for all. */
const STRIDE = 7;

const isFull = Deno.env.get("M31A_KILL_MATRIX") === "full";
const tried = isFull ? "all records" : `every ${STRIDE}th record; M31A_KILL_MATRIX=full tries all`;

Deno.test(`a workflow that was killed behind any of its records ends as if it had not been (${tried})`, async (context) => {
  let expected: unknown;
  let records: SessionRecord[] = [];
  await withProject(async (folder) => {
    const { end } = await begin(folder);
    assert.deepEqual(end, { outcome: "verified" });
    expected = await remains(folder);
    records = await recordsOf(folder.root);
  });
  assert(records.length > 60, `${records.length} records`);
  const chosen = records.slice(1).filter((_, index) => isFull || index % STRIDE === 0);
  for (const { seq, type } of chosen) {
    await context.step(`behind record ${seq} (${type})`, () =>
      withProject(async (folder) => {
        const isLast = (record: SessionRecord) => record.seq === seq;
        await assert.rejects(begin(folder, isLast), Killed);
        const answers = ANSWERS.slice(await repliesOf(folder.root));
        const hasGoal = (await recordsOf(folder.root)).some((record) => record.type === "goal");
        const { end } = await run(folder, {
          answers,
          ...APPROVES,
          ...(hasGoal ? {} : { goal: "Mend it" }),
        });
        assert.deepEqual(end, { outcome: "verified" });
        const now = await remains(folder);
        // A command that was under way is not run twice: its result says that it was interrupted.
        if (type !== "intent" || !isCommand(records, seq)) assert.deepEqual(now, expected);
      }));
  }
});

function isCommand(records: readonly SessionRecord[], seq: number): boolean {
  const record = records.find((candidate) => candidate.seq === seq);
  return record?.type === "intent" && record.changes.length === 0;
}

Deno.test("a workflow that was killed right behind a compaction goes on with its task in the new epoch", () =>
  withProject(async (folder) => {
    const answers = [
      says("Looked."),
      submits(task("1")),
      says("", [{ tool: "read_file", input: { path: "numbers.txt" } }], { input: 900 }),
      says("So far: nothing."),
      edits("2", "3"),
    ];
    const start = { goal: "Long", answers, contextWindowTokens: 1000 };
    const isReply = ({ type, seq }: SessionRecord) => type === "assistant" && seq === 3;
    await assert.rejects(run(folder, { ...start, killAfter: isReply }), Killed);
    // Back to the moment at which the epoch had only what it is made with: its start, the message to go on.
    const log = `${folder.root}/sessions/${TEST_SESSION}/1.jsonl`;
    const made = Deno.readTextFileSync(log).split("\n").slice(0, 2);
    Deno.writeTextFileSync(log, made.map((line) => `${line}\n`).join(""));
    const { end } = await run(folder, { answers: answers.slice(4) });
    assert.deepEqual(end, { outcome: "verified" });
    const opening = (await recordsOf(folder.root)).filter(({ type }) => type === "user").at(-1);
    assert(opening?.type === "user");
    assert.match(opening.text, /was summarized/);
    assert.deepEqual(opening.about, { phase: "execute", task: "1" });
  }));

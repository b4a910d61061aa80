/** Turns of a conversation without a goal: what they changed can be taken back, with the conversation or without. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { Conversation, type ConversationWorld } from "../../src/agent/conversation.ts";
import { register, Registry } from "../../src/agent/registry.ts";
import { deleteFile } from "../../src/agent/tools/delete_file.ts";
import { readFile } from "../../src/agent/tools/read_file.ts";
import { writeFile } from "../../src/agent/tools/write_file.ts";
import { forkSession } from "../../src/session/copy.ts";
import { lstatOrUndefined } from "../../src/platform/files.ts";
import type { SessionRecord } from "../../src/session/records.ts";
import { NOTHING_CARRIED } from "../../src/session/baseline.ts";
import { verifySession } from "../../src/session/verify.ts";
import { WorkflowFold } from "../../src/workflow/fold.ts";
import { WorkflowLink } from "../../src/workflow/link.ts";
import { LONGEST_SUBJECT, MOST_FILES_TOLD, runPlainTurn } from "../../src/workflow/plain_turn.ts";
import { readWorkflow } from "../../src/workflow/read_workflow.ts";
import { UndoableWorkflow } from "../../src/workflow/undo.ts";
import type { UndoTarget } from "../../src/workflow/undo_preview.ts";
import {
  type Answer,
  plainBaseline,
  recordsOf,
  says,
  TEST_SESSION,
  WordsModel,
  worldOf,
} from "../support/conversations.ts";
import { type GitFolder, withGitFolder } from "../support/git_folder.ts";
import { Killed, killedAfter } from "../support/kills.ts";
import { NO_WORKFLOW } from "../../src/workflow/state.ts";
import { recordsFrom } from "./records.ts";
import { stoppedClock } from "../session/samples.ts";

/** What a turn makes of files; null deletes. */
type Changes = Record<string, string | null>;

/** The answers of a turn that makes `changes`. */
function making(changes: Changes): Answer[] {
  const calls = Object.entries(changes).flatMap(([path, content]) => [
    { tool: "read_file", input: { path } },
    content === null
      ? { tool: "delete_file", input: { path } }
      : { tool: "write_file", input: { path, content } },
  ]);
  return calls.length === 0 ? [says("Nothing.")] : [says("", calls), says("Done.")];
}

/** A conversation in the folder, begun or gone on with. */
class Talk {
  readonly folder: GitFolder;
  readonly link = new WorkflowLink();
  readonly model: WordsModel;
  #conversation: Conversation | undefined;

  constructor(folder: GitFolder, answers: readonly Answer[]) {
    this.folder = folder;
    this.model = new WordsModel(answers);
  }

  static async open(
    folder: GitFolder,
    answers: readonly Answer[] = [],
    killAfter: (record: SessionRecord) => boolean = () => false,
  ): Promise<Talk> {
    const { root, environment } = folder;
    const talk = new Talk(folder, answers);
    const tools = new Registry([register(readFile), register(writeFile), register(deleteFile)]);
    const killer = killedAfter(killAfter);
    const world: ConversationWorld = {
      ...worldOf(root, talk.model, { tools, environment, clock: stoppedClock }),
      ...talk.link.world,
      folds: (baseline) => [...talk.link.world.folds(baseline), killer.fold],
    };
    const isNew = lstatOrUndefined(`${root}/sessions/${TEST_SESSION}`) === undefined;
    talk.#conversation = isNew
      ? await Conversation.start(world, plainBaseline(), null)
      : await Conversation.resume(world, TEST_SESSION);
    killer.kills(talk.conversation);
    return talk;
  }

  get conversation(): Conversation {
    if (this.#conversation === undefined) throw new Error("not open");
    return this.#conversation;
  }

  async say(text: string): Promise<void> {
    await runPlainTurn(this.conversation, this.link, text, new AbortController().signal);
  }

  /** Takes back, in the open conversation. */
  async takeBack(target: UndoTarget, force = false): Promise<void> {
    const { session, pendingCalls, world } = this.conversation;
    const open = { session, state: () => this.link.state, pending: pendingCalls.all };
    const workflow = await UndoableWorkflow.over(world, open);
    try {
      await workflow.carryOut(await workflow.preview(target), { force });
    } finally {
      workflow.close();
    }
  }

  [Symbol.dispose](): void {
    this.#conversation?.close();
  }
}

function read(folder: GitFolder, path: string): string | null {
  return lstatOrUndefined(`${folder.root}/${path}`) === undefined ? null : folder.read(path);
}

/** Takes back from outside, as the commands do. */
async function takeBack(folder: GitFolder, target: UndoTarget): Promise<string | undefined> {
  const { root, environment } = folder;
  const workflow = await UndoableWorkflow.open(
    { root, environment, clock: stoppedClock },
    TEST_SESSION,
  );
  try {
    if (workflow.settled !== undefined) return workflow.settled;
    await workflow.carryOut(await workflow.preview(target));
    return undefined;
  } finally {
    workflow.close();
  }
}

const UNDO: UndoTarget = { kind: "undo", steps: 1 };

async function withFile(test: (folder: GitFolder) => Promise<void>): Promise<void> {
  await withGitFolder(async (folder) => {
    folder.write("a", "0\n");
    folder.commitAll();
    await test(folder);
  });
}

Deno.test("runPlainTurn() makes a checkpoint of each turn that changed files, and none of others", () =>
  withFile(async (folder) => {
    const answers = [
      ...making({ a: "1\n", b: "b\n" }),
      ...making({}),
      ...making({ a: "2\n", b: null }),
    ];
    using talk = await Talk.open(folder, answers);
    await talk.say(`Change them. ${"x".repeat(LONGEST_SUBJECT)}`);
    await talk.say("And?");
    await talk.say("Again.");
    const made = talk.link.state.checkpoints.map(({ number, kind, turn, files }) => (
      { number, kind, turn, files }
    ));
    assert.deepEqual(made, [
      { number: 1, kind: "turn", turn: 1, files: ["a", "b"] },
      { number: 2, kind: "turn", turn: 3, files: ["a", "b"] },
    ]);
    const subjects = folder.run(
      "for-each-ref",
      "--format=%(contents:subject)",
      `refs/m31a/${TEST_SESSION}`,
    );
    assert.equal(
      subjects,
      `turn 1: Change them. ${"x".repeat(LONGEST_SUBJECT - 13)}…\nturn 3: Again.\n`,
    );
    assert.equal(lstatOrUndefined(`${folder.root}/planning`), undefined);
    await talk.takeBack(UNDO);
    assert.deepEqual([read(folder, "a"), read(folder, "b")], ["1\n", "b\n"]);
    await talk.takeBack(UNDO);
    assert.deepEqual([read(folder, "a"), read(folder, "b")], ["0\n", null]);
    await assert.rejects(talk.takeBack(UNDO), /nothing to take back/);
    assert.equal(lstatOrUndefined(`${folder.root}/planning`), undefined);
  }));

Deno.test("runPlainTurn() tells the model, once and in front of the next message, what was taken back", () =>
  withFile(async (folder) => {
    const many = Object.fromEntries(
      Array.from({ length: MOST_FILES_TOLD + 2 }, (_, index) => [`f${index}`, "x\n"]),
    );
    using talk = await Talk.open(folder, [...making(many), says("I see."), says("Yes.")]);
    await talk.say("Make them.");
    await talk.takeBack(UNDO);
    await talk.say("What now?");
    await talk.say("Sure?");
    const [, before = "", told = "", last = ""] = talk.model.bodies;
    assert.ok(told.startsWith(before.slice(0, -2)));
    assert.ok(last.startsWith(told.slice(0, -2)));
    assert.match(
      told,
      /taken changes of yours back.*- f0\\n.*- and 2 more files\]\\n\\nWhat now\?/,
    );
    assert.equal(last.split("taken changes of yours back").length, 2);
    const texts = (await recordsOf(folder.root)).flatMap((record) =>
      record.type === "user" ? [record.text] : []
    );
    assert.deepEqual(texts, ["Make them.", "What now?", "Sure?"]);
  }));

Deno.test("runPlainTurn() outside of a git repository goes on without a checkpoint", () =>
  withGitFolder(async (folder) => {
    Deno.removeSync(`${folder.root}/.git`, { recursive: true });
    using talk = await Talk.open(folder, making({ a: "1\n" }));
    await talk.say("Change it.");
    assert.equal(read(folder, "a"), "1\n");
    assert.deepEqual(talk.link.state.checkpoints, []);
  }));

Deno.test("a turn that was killed behind any of its records can be taken back, and the next one goes on", async (context) => {
  const answers = [
    ...making({ a: "1\n" }),
    ...making({ a: "2\n", b: "b\n" }),
    ...making({ c: "c\n" }),
  ];
  let last = 0;
  await withFile(async (folder) => {
    using talk = await Talk.open(folder, answers);
    await talk.say("One.");
    await talk.say("Two.");
    last = (await recordsOf(folder.root)).at(-1)?.seq ?? 0;
  });
  for (let seq = 2; seq <= last; seq++) {
    await context.step(`killed behind record ${seq}`, () =>
      withFile(async (folder) => {
        {
          using talk = await Talk.open(folder, answers, (record) => record.seq === seq);
          const said = (async () => {
            await talk.say("One.");
            await talk.say("Two.");
          })();
          await said.then(() => assert.fail("not killed"), (error) =>
            assert.ok(error instanceof Killed));
        }
        using talk = await Talk.open(folder, making({ c: "c\n" }));
        await talk.say("Three.");
        assert.equal(read(folder, "c"), "c\n");
        const { checkpoints } = talk.link.state;
        await talk.takeBack({ kind: "undo", steps: checkpoints.length });
        assert.deepEqual(
          ["a", "b", "c"].map((path) =>
            read(folder, path)
          ),
          ["0\n", null, null],
        );
      }));
  }
});

const turns = fc.array(
  fc.record({
    a: fc.option(fc.constantFrom("1\n", "2\n", "3"), { nil: null }),
    b: fc.option(fc.constantFrom("b\n", "bb\n"), { nil: null }),
    isTouching: fc.boolean(),
  }),
  { minLength: 1, maxLength: 4 },
);

Deno.test("a rewind brings every file back byte for byte as it was at the end of the turn, and the requests with it", async () => {
  await fc.assert(
    fc.asyncProperty(turns, fc.nat(), (turns, seed) =>
      withFile(async (folder) => {
        const files = () => ["a", "b", "mine"].map((path) => read(folder, path));
        const now: Changes = { a: "0\n", b: null };
        const answers = turns.flatMap(({ isTouching, ...wanted }) => {
          if (!isTouching) return making({});
          // A file that is not there cannot be deleted.
          const changes = Object.entries(wanted).filter(([path, content]) =>
            content !== null || now[path] !== null
          );
          for (const [path, content] of changes) now[path] = content;
          return making(Object.fromEntries(changes));
        });
        folder.write("mine", "my own\n");
        using talk = await Talk.open(folder, [...answers, says("Here.")]);
        const ends = [files()];
        const firstRequests: string[] = [];
        for (const index of turns.keys()) {
          const sent = talk.model.bodies.length;
          await talk.say(`Turn ${index + 1}.`);
          firstRequests.push(talk.model.bodies[sent] ?? "");
          ends.push(files());
        }
        const turn = seed % (turns.length + 1);
        await talk.takeBack({ kind: "rewind", turn });
        assert.deepEqual(files(), ends[turn]);
        // The turn that came next is said again: its request is the same, byte for byte.
        await talk.say(`Turn ${turn + 1}.`);
        const again = talk.model.bodies.at(-1) ?? "";
        if (turn < turns.length) assert.equal(again, firstRequests[turn]);
        assert.equal(talk.conversation.session.totals.turns, turn + 1);
        assert.deepEqual(
          (await verifySession(folder.root, TEST_SESSION)).flatMap(({ damage }) => damage ?? []),
          [],
        );
        const { checkpoints } = await readWorkflow(folder.root, TEST_SESSION);
        assert.deepEqual(checkpoints, talk.link.state.checkpoints);
      })),
    { numRuns: 15 },
  );
});

Deno.test("a rewind forgets what the model has seen since, and keeps the numbers of checkpoints", () =>
  withFile(async (folder) => {
    const two = making({ a: "2\n", b: "b\n" });
    const answers = [...making({ a: "1\n" }), ...two, ...making({ a: "3\n" })];
    using talk = await Talk.open(folder, answers);
    await talk.say("One.");
    await talk.say("Two.");
    const seen = talk.conversation.seenFiles.get("a");
    await talk.takeBack({ kind: "rewind", turn: 1 });
    assert.notEqual(talk.conversation.seenFiles.get("a"), seen);
    assert.ok(!talk.conversation.seenFiles.has("b"));
    await talk.say("Other.");
    assert.equal(read(folder, "a"), "3\n");
    assert.deepEqual(talk.link.state.checkpoints.map(({ number, kind }) => [number, kind]), [
      [1, "turn"],
      [2, "turn"],
      [3, "rollback"],
      [4, "turn"],
    ]);
    assert.deepEqual(talk.link.state.untold, []);
    await talk.takeBack({ kind: "rewind", turn: 0 });
    assert.equal(read(folder, "a"), "0\n");
    assert.ok(talk.conversation.replay.isEmpty);
  }));

Deno.test("a rewind is blocked by what somebody else has changed since, unless it is forced; a copy is kept", () =>
  withFile(async (folder) => {
    using talk = await Talk.open(folder, [...making({ a: "1\n" }), ...making({ a: "2\n" })]);
    await talk.say("One.");
    await talk.say("Two.");
    folder.write("a", "my own\n");
    await assert.rejects(
      talk.takeBack({ kind: "rewind", turn: 1 }),
      /nothing was changed.*\n {2}a: it was changed after m31a last changed it\n.*--force/,
    );
    assert.equal(talk.conversation.session.baseline.epoch, 0);
    assert.equal(read(folder, "a"), "my own\n");
    await talk.takeBack({ kind: "rewind", turn: 1 }, true);
    assert.equal(read(folder, "a"), "1\n");
    assert.equal(talk.conversation.session.baseline.epoch, 1);
    assert.equal(folder.run("show", `refs/m31a/${TEST_SESSION}/3^:a`), "my own\n");
  }));

Deno.test("a rewind that is killed behind any of its records is finished by the next start", async (context) => {
  for (const kind of ["begun", "recorded"] as const) {
    for (const next of ["the next message", "the next undo"] as const) {
      await context.step(
        `killed when it was ${kind}, taken up by ${next}`,
        () =>
          withFile(async (folder) => {
            {
              const answers = [...making({ a: "1\n" }), ...making({ a: "2\n" })];
              using talk = await Talk.open(folder, answers, (record) =>
                kind === "begun"
                  ? record.type === "undo"
                  : record.type === "checkpoint" && record.kind === "rollback");
              await talk.say("One.");
              await talk.say("Two.");
              await assert.rejects(talk.takeBack({ kind: "rewind", turn: 1 }), Killed);
            }
            // Before its first file was changed it is dropped: then nothing has happened.
            const isFinished = kind === "recorded";
            if (next === "the next undo") {
              const settled = await takeBack(folder, { kind: "rewind", turn: 1 });
              assert.equal(/rewind was cut off; it is done now/.test(settled ?? ""), isFinished);
            }
            using talk = await Talk.open(folder, [says("On.")]);
            await talk.say("Next.");
            const isBack = isFinished || next === "the next undo";
            assert.equal(talk.conversation.session.totals.turns, isBack ? 2 : 3);
            assert.equal(read(folder, "a"), isBack ? "1\n" : "2\n");
          }),
      );
    }
  }
});

Deno.test("an undo that is killed behind its first record leaves the turn to be taken back", () =>
  withFile(async (folder) => {
    {
      using talk = await Talk.open(
        folder,
        making({ a: "1\n" }),
        (record) => record.type === "undo",
      );
      await talk.say("One.");
      await assert.rejects(talk.takeBack(UNDO), Killed);
    }
    assert.equal(await takeBack(folder, UNDO), undefined);
    assert.equal(read(folder, "a"), "0\n");
  }));

Deno.test("a fork takes back what was changed before it was made, and its parent keeps its own", () =>
  withFile(async (folder) => {
    const { root, environment } = folder;
    {
      using talk = await Talk.open(folder, [...making({ a: "1\n" }), ...making({ a: "2\n" })]);
      await talk.say("One.");
      await talk.say("Two.");
    }
    const { id } = await forkSession(root, TEST_SESSION, { turns: 2, clock: stoppedClock });
    const workflow = await UndoableWorkflow.open({ root, environment, clock: stoppedClock }, id);
    try {
      await workflow.carryOut(await workflow.preview(UNDO));
    } finally {
      workflow.close();
    }
    assert.equal(read(folder, "a"), "1\n");
    assert.equal((await readWorkflow(root, TEST_SESSION)).checkpoints.length, 2);
    const refs = folder.run("for-each-ref", "--format=%(refname)", "refs/m31a");
    // Of the two sessions' names, made in one second, either may come first.
    const numbers = refs.trim().split("\n").map((ref) => ref.slice(-2)).toSorted();
    assert.deepEqual(numbers, ["/1", "/1", "/2", "/2", "/3"]);
  }));

Deno.test("WorkflowFold does not take a copied record for a new one", () => {
  const parent = { kind: "rewind", session: TEST_SESSION, epoch: 0, seq: 4, copied: 1 } as const;
  const workflow = { ...NO_WORKFLOW, untold: ["a"] };
  const carried = { ...NOTHING_CARRIED, workflow };
  const fold = new WorkflowFold(plainBaseline({ epoch: 1, parent, carried }));
  const message = { type: "user", text: "Hello.", source: "user" } as const;
  for (const record of recordsFrom([message, message, message])) {
    if (record.seq > 1) fold.apply(record);
    assert.deepEqual(fold.state.untold, record.seq < 3 ? ["a"] : []);
  }
});

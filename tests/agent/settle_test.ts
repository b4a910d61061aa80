import assert from "node:assert/strict";
import { Conversation } from "../../src/agent/conversation.ts";
import { register, type RegisteredTool, Registry } from "../../src/agent/registry.ts";
import { Sandbox } from "../../src/agent/sandbox.ts";
import { sessionTree } from "../../src/agent/session_tree.ts";
import { settleInterruptedCalls } from "../../src/agent/settle.ts";
import { editFile } from "../../src/agent/tools/edit_file.ts";
import { moveFile } from "../../src/agent/tools/move_file.ts";
import { readFile } from "../../src/agent/tools/read_file.ts";
import { runCommand } from "../../src/agent/tools/run_command.ts";
import { writeFile } from "../../src/agent/tools/write_file.ts";
import type { Tool } from "../../src/agent/tool.ts";
import { TreeWatch } from "../../src/agent/tree_watch.ts";
import { runTurn } from "../../src/agent/turn.ts";
import type { RecordOf, SessionRecord } from "../../src/session/records.ts";
import { INTERRUPTED_OUTPUT } from "../../src/session/interrupted_result.ts";
import { z } from "zod";
import {
  recordsOf,
  says,
  startConversation,
  TEST_SESSION,
  WordsModel,
  worldOf,
} from "../support/conversations.ts";
import { type GitFolder, withGitFolder } from "../support/git_folder.ts";
import { Killed, killedAfter } from "../support/kills.ts";

const neverEnding = new AbortController().signal;

const commandSettings = { allowed: ["touch"], maxSeconds: 20, outputBytes: 2000, keepBytes: 1000 };

/** A command that notes that it ran. */
const runsNothing: Tool<Record<string, never>> = {
  name: "run_command",
  description: "",
  input: z.object({}),
  effect: "run",
  run: (_input, context) => {
    context.intend({ done: "", changes: [] });
    return Promise.resolve({ output: "ran", isError: false });
  },
};

function world(
  folder: GitFolder,
  calls: Parameters<typeof says>[1],
  command: RegisteredTool = register(runsNothing),
) {
  const tools = new Registry([
    register(readFile),
    register(editFile),
    register(writeFile),
    register(moveFile),
    command,
  ]);
  return worldOf(folder.root, new WordsModel([says("", calls), says("done")]), {
    tools,
    environment: folder.environment,
  });
}

/** Ends a turn right behind the first record that `isLast`, changes what `meanwhile` does, resumes and settles. */
async function settleAfter(
  folder: GitFolder,
  calls: Parameters<typeof says>[1],
  isLast: (record: SessionRecord) => boolean,
  meanwhile: () => void = () => {},
  command: RegisteredTool = register(runsNothing),
): Promise<RecordOf<"tool_result">[]> {
  const first = world(folder, calls, command);
  const killer = killedAfter(isLast);
  const conversation = await startConversation({ ...first, folds: () => [killer.fold] });
  killer.kills(conversation);
  await assert.rejects(runTurn(conversation, "Go.", "user", neverEnding), Killed);
  meanwhile();
  const resumed = await Conversation.resume(world(folder, [], command), TEST_SESSION);
  await settleInterruptedCalls(resumed, neverEnding);
  resumed.close();
  const records = await recordsOf(folder.root);
  return records.filter((record) => record.type === "tool_result");
}

/** The results of the same calls when nothing is killed. */
async function undisturbed(calls: Parameters<typeof says>[1]): Promise<RecordOf<"tool_result">[]> {
  let results: RecordOf<"tool_result">[] = [];
  await withGitFolder(async (folder) => {
    prepare(folder);
    const conversation = await startConversation(world(folder, calls));
    await runTurn(conversation, "Go.", "user", neverEnding);
    conversation.close();
    const records = await recordsOf(folder.root);
    results = records.filter((record) => record.type === "tool_result");
  });
  return results;
}

function prepare(folder: GitFolder): void {
  folder.write("a.txt", "one\ntwo\nthree\n");
  folder.commitAll();
}

function outcomes(results: readonly RecordOf<"tool_result">[]): unknown[] {
  return results.map(({ call, tool, output, isError, outcome, interrupted }) => ({
    call,
    tool,
    output,
    isError,
    outcome,
    interrupted,
  }));
}

const isReply = ({ type }: SessionRecord) => type === "usage";
const isIntent = ({ type }: SessionRecord) => type === "intent";

const EDIT = [{ tool: "edit_file", input: { path: "a.txt", old_text: "two", new_text: "2" } }];
const MOVE = [{ tool: "move_file", input: { from: "a.txt", to: "sub/b.txt" } }];

for (const [name, calls] of [["edit_file", EDIT], ["move_file", MOVE]] as const) {
  Deno.test(`settleInterruptedCalls() runs ${name} that had not begun`, () =>
    withGitFolder(async (folder) => {
      prepare(folder);
      const results = await settleAfter(folder, calls, isReply);
      assert.deepEqual(outcomes(results), outcomes(await undisturbed(calls)));
      assert.equal(results[0]?.settled, true);
    }));

  Deno.test(`settleInterruptedCalls() runs ${name} again when git had not written yet`, () =>
    withGitFolder(async (folder) => {
      prepare(folder);
      const results = await settleAfter(folder, calls, isIntent);
      assert.deepEqual(outcomes(results), outcomes(await undisturbed(calls)));
    }));

  Deno.test(`settleInterruptedCalls() records ${name} as done when git had written all`, () =>
    withGitFolder(async (folder) => {
      prepare(folder);
      const results = await settleAfter(folder, calls, isIntent, () => {
        if (name === "edit_file") return folder.write("a.txt", "one\n2\nthree\n");
        Deno.mkdirSync(`${folder.root}/sub`);
        Deno.renameSync(`${folder.root}/a.txt`, `${folder.root}/sub/b.txt`);
      });
      assert.deepEqual(outcomes(results), outcomes(await undisturbed(calls)));
    }));
}

for (
  const [state, written] of [["gone", undefined], ["cut off", "one\n2\nth"], ["empty", ""]] as const
) {
  Deno.test(`settleInterruptedCalls() completes an edit whose file git had left ${state}`, () =>
    withGitFolder(async (folder) => {
      prepare(folder);
      const results = await settleAfter(folder, EDIT, isIntent, () => {
        Deno.removeSync(`${folder.root}/a.txt`);
        if (written !== undefined) folder.write("a.txt", written);
      });
      assert.deepEqual(outcomes(results), outcomes(await undisturbed(EDIT)));
      assert.equal(folder.read("a.txt"), "one\n2\nthree\n");
    }));
}

Deno.test("settleInterruptedCalls() completes a move that git had left half-way", () =>
  withGitFolder(async (folder) => {
    prepare(folder);
    const results = await settleAfter(folder, MOVE, isIntent, () => {
      Deno.removeSync(`${folder.root}/a.txt`);
    });
    assert.deepEqual(outcomes(results), outcomes(await undisturbed(MOVE)));
    assert.equal(folder.read("sub/b.txt"), "one\ntwo\nthree\n");
  }));

Deno.test("settleInterruptedCalls() leaves a file that someone else has changed, and says interrupted", () =>
  withGitFolder(async (folder) => {
    prepare(folder);
    const [result] = await settleAfter(folder, EDIT, isIntent, () => {
      folder.write("a.txt", "mine\n");
    });
    assert.deepEqual([result?.output, result?.interrupted], [INTERRUPTED_OUTPUT, true]);
    assert.equal(folder.read("a.txt"), "mine\n");
  }));

Deno.test("settleInterruptedCalls() runs a command that had not begun, and no command twice", async () => {
  const calls = [{ tool: "run_command", input: {} }];
  await withGitFolder(async (folder) => {
    const [result] = await settleAfter(folder, calls, isReply);
    assert.equal(result?.output, "ran");
  });
  await withGitFolder(async (folder) => {
    const [result] = await settleAfter(folder, calls, isIntent);
    assert.deepEqual([result?.output, result?.interrupted], [INTERRUPTED_OUTPUT, true]);
  });
});

Deno.test("settleInterruptedCalls() goes on behind the results that are there", () =>
  withGitFolder(async (folder) => {
    prepare(folder);
    const read = { tool: "read_file", input: { path: "a.txt" } };
    const calls = [read, ...EDIT, { tool: "no_such_tool", input: {} }];
    const results = await settleAfter(folder, calls, ({ type }) => type === "tool_result");
    assert.deepEqual(outcomes(results), outcomes(await undisturbed(calls)));
    assert.deepEqual(results.map(({ settled }) => settled), [undefined, true, true]);
  }));

Deno.test("settleInterruptedCalls() names what has changed since a command began that was cut off, and nothing later", () =>
  withGitFolder(async (folder) => {
    prepare(folder);
    const calls = [{ tool: "run_command", input: { command: "touch never" } }];
    const off = { mode: "off", network: false, writable: [] } as const;
    const sandbox = new Sandbox(folder.root, off, folder.environment);
    const command = register(runCommand(commandSettings, sandbox));
    const [result] = await settleAfter(folder, calls, isIntent, () => {
      folder.write("a.txt", "made by the command\n");
    }, command);
    const { outcome } = result ?? {};
    assert.ok(outcome?.kind === "cut_off" && "id" in outcome.tree);
    assert.deepEqual(outcome.unknown.map(({ path }) => path), ["a.txt"]);
    folder.write("a.txt", "edited later\n");
    const place = { root: folder.root, environment: folder.environment, session: TEST_SESSION };
    const watch = await TreeWatch.begin(sessionTree(place, commandSettings.keepBytes));
    assert.deepEqual((await watch.end()).unknown, []);
  }));

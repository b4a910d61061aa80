/** Scripted and replayed models. */
import assert from "node:assert/strict";
import { systemClock } from "../../src/platform/clock.ts";
import { join } from "@std/path";
import { withTemporaryFolder } from "../support/temporary.ts";
import { ModelError } from "../../src/model/errors.ts";
import type { Model, Prompt } from "../../src/model/port.ts";
import { assistantMessage } from "../../src/model/prompt.ts";
import { replayModel } from "../../src/model/replay.ts";
import { scriptModel } from "../../src/model/script.ts";
import { parseScript } from "../../src/model/script_format.ts";
import { callWith, shownText, watcher } from "./calls.ts";

function withScript(
  text: string,
  test: (model: Model, path: string) => Promise<void>,
): Promise<void> {
  return withTemporaryFolder(async (folder) => {
    const path = join(folder, "demo.script");
    await Deno.writeTextFile(path, text);
    await test(await scriptModel(path), path);
  });
}

Deno.test("scriptModel() plays a line an answer, streamed, and goes on where the conversation is", () =>
  withScript(
    [
      "# A comment, then a blank line.",
      "",
      "Hello, this is a line of more than one piece 😀.",
      '{"reasoning":"Hm.","text":"Looking.","calls":[{"tool":"read_file","input":{"path":"a"}},{"tool":"x","malformed":"{no"}]}',
      '{"expect":"/CONTENT of/i","text":"Thanks.","usage":{"input":7,"output":3,"cost":0.5},"finish":"length"}',
    ].join("\r\n"),
    async (model) => {
      const call = callWith("hello");
      const watch = watcher();
      const first = await model.stream(call, watch);
      assert.deepEqual(first.content, [
        { type: "text", text: "Hello, this is a line of more than one piece 😀." },
      ]);
      assert.ok(watch.events.length > 1);
      assert.equal(shownText(watch.events), "Hello, this is a line of more than one piece 😀.");
      assert.equal(first.usage.isReported, false);

      const prompt: Prompt = [...call.prompt, assistantMessage(first.content), {
        role: "user",
        content: [{ type: "text", text: "go" }],
      }];
      const second = await model.stream({ ...call, prompt }, watcher());
      assert.equal(second.finish, "tool-calls");
      assert.deepEqual(second.content, [
        { type: "reasoning", text: "Hm." },
        { type: "text", text: "Looking." },
        { type: "tool-call", name: "read_file", id: "call-4-1", input: { path: "a" } },
        { type: "tool-call", name: "x", id: "call-4-2", input: {}, malformed: "{no" },
      ]);
      prompt.push(assistantMessage(second.content), {
        role: "tool",
        content: [{
          type: "tool-result",
          toolCallId: "call-4-1",
          toolName: "read_file",
          output: { type: "text", value: "the content of a" },
        }],
      });
      const third = await model.stream({ ...call, prompt }, watcher());
      assert.equal(third.finish, "length");
      assert.deepEqual(third.usage, {
        input: 7,
        output: 3,
        cacheRead: 0,
        cacheWrite: 0,
        isReported: true,
        cost: 0.5,
        costSource: "reported",
      });
      await assert.rejects(
        model.stream({ ...call, completionsSoFar: 3 }, watcher()),
        /holds 3 answers; the conversation asks for number 4/,
      );
    },
  ));

Deno.test("scriptModel() names file and line when an expectation is not met or an error is scripted", () =>
  withScript(
    '{"expect":"needle","text":"x"}\n{"error":"the model is on strike"}\n',
    async (model, path) => {
      await assert.rejects(
        model.stream(callWith("only hay"), watcher()),
        (error) =>
          error instanceof ModelError && error.kind === "script" &&
          error.message.startsWith(`${path}:1: expected "needle" in "only hay"`),
      );
      await model.stream(callWith("a needle"), watcher());
      await assert.rejects(
        model.stream(callWith("x", { completionsSoFar: 1 }), watcher()),
        { message: `${path}:2: the model is on strike` },
      );
    },
  ));

Deno.test("scriptModel() waits as told, and not when the signal is aborted", () =>
  withScript('{"text":"late","delayMs":600000}\n', async (model) => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const stream = model.stream(callWith("x"), watcher(controller.signal));
    controller.abort(reason);
    await assert.rejects(stream, (error) => error === reason);
  }));

Deno.test("parseScript() refuses a line that is not in the format, by its number", () => {
  const cases: [string, RegExp][] = [
    ["fine\n{oops\n", /^s:2: .*JSON/],
    ['# c\n\n{"txt":"x"}', /^s:3: .*txt/s],
    ['{"calls":[{"tool":""}]}', /^s:1: /],
    ['{"expect":"/(/"}', /^s:1: .*regular expression/],
    ['{"delayMs":-1}', /^s:1: /],
  ];
  for (const [text, message] of cases) {
    assert.throws(() => parseScript(text, "s"), (error) => {
      assert.ok(error instanceof ModelError);
      assert.match(error.message, message);
      return true;
    });
  }
});

Deno.test("scriptModel() says that a script cannot be read", async () => {
  await assert.rejects(
    scriptModel("no/such/file", systemClock),
    /^ModelError: no\/such\/file: the script cannot be read/,
  );
});

Deno.test("replayModel() plays the recorded answers and says when they are used up", async () => {
  const model = await replayModel([
    { content: [{ type: "text", text: "One." }] },
    { content: [{ type: "tool-call", name: "t", id: "c", input: {} }] },
  ], "20260101-000000-abcd");
  assert.deepEqual((await model.stream(callWith("x"), watcher())).content, [{
    type: "text",
    text: "One.",
  }]);
  const second = await model.stream(callWith("x", { completionsSoFar: 1 }), watcher());
  assert.equal(second.finish, "tool-calls");
  await assert.rejects(
    model.stream(callWith("x", { completionsSoFar: 2 }), watcher()),
    /holds 2 answers/,
  );
});

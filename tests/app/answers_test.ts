/** The commands of a chat that only ask, and how commands are told from messages. */
import assert from "node:assert/strict";
import { parseChatLine } from "../../src/app/slash_commands.ts";
import { runPipedChat } from "../../src/faces/pipe/piped_chat.ts";
import { heldConversation } from "../support/live.ts";
import { CLOUD, OWN, withTwoModels } from "../support/two_models.ts";

const SIGNAL = new AbortController().signal;

Deno.test("/status says what is known and – for the rest, and /cost sums by model", () =>
  withTwoModels([{ text: "One." }], [{ text: "Two." }], async (it) => {
    const chat = await heldConversation(it.opening(CLOUD));
    const said: string[] = [];
    try {
      assert.equal(await chat.answer("cost"), "Nothing was asked of a model yet.");
      assert.equal(await chat.answer("diff"), "This conversation has changed nothing.");
      const lines = ["/status", "first", `/model ${OWN.modelFlag}`, "second", "/status", "/keys"];
      assert.equal(await runPipedChat(chat, linesOf(lines), SIGNAL, (text) => said.push(text)), 0);
      const [before = "", after = "", keys] = said;
      assert.match(before, /^model {4}anthropic:a$/m);
      assert.match(before, /^cost {5}–$/m);
      assert.ok(before.includes(`folder   ${it.root}, no git repository`), before);
      assert.match(after, /^model {4}openai:b$/m);
      assert.match(after, /^session {2}[0-9a-f-]+, epoch 1, 2 turns$/m);
      assert.match(after, /^mode {5}conversation; approval ask$/m);
      assert.match(keys ?? "", /for a terminal/);
      const cost = await chat.answer("cost");
      assert.match(cost, /^anthropic:a: 1 request, \d+ tokens in/);
      assert.match(cost, /^openai:b: 1 request, .*cost –$/m);
      assert.match(cost, /^together: 2 requests, /m);
      assert.match(await chat.answer("config"), /^tools\.sandbox +"auto" +default$/m);
    } finally {
      await chat.close();
    }
  }));

Deno.test("/compact asks the model to keep what is named behind it", () =>
  withTwoModels([{ text: "word ".repeat(400) }, { text: "A summary." }], [], async (it) => {
    const chat = await heldConversation(it.opening(CLOUD));
    try {
      await chat.say("first");
      await runPipedChat(chat, linesOf(["/compact the names of files"]), SIGNAL, () => {});
      assert.match(it.cloud.bodies.at(-1) ?? "", /as the user asks: the names of files/);
    } finally {
      await chat.close();
    }
  }));

Deno.test("parseChatLine() takes a command's other names, and answers what is nearly one", () => {
  const command = (name: string, argument = "") => ({ kind: "command", name, argument });
  assert.deepEqual(parseChatLine("/clear"), command("new"));
  assert.deepEqual(parseChatLine("/session"), command("status"));
  assert.deepEqual(parseChatLine("/Compact the  names"), command("compact", "the  names"));
  const words = (line: string) => {
    const parsed = parseChatLine(line);
    return parsed.kind === "mistake" ? parsed.words : parsed.kind;
  };
  assert.match(words("/hlep"), /Did you mean \/help\?/);
  assert.match(words("/compcat the names"), /Did you mean \/compact\?/);
  assert.match(words("/status now"), /\/status takes nothing behind it/);
  assert.equal(words("/zzzzz"), "There is no command /zzzzz. /help lists them.");
  assert.equal(words("/temp is full"), "message");
  assert.equal(words("/etc/hosts is wrong"), "message");
});

async function* linesOf(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

/** `/model` in a chat. */
import assert from "node:assert/strict";

import { runPipedChat } from "../../src/faces/pipe/piped_chat.ts";
import { heldConversation } from "../support/live.ts";
import { CLOUD, OWN, withTwoModels } from "../support/two_models.ts";

const SIGNAL = new AbortController().signal;

Deno.test("/model says which model it is, and goes on with another one, or another effort", () =>
  withTwoModels(
    [{ text: "One." }],
    [{ text: "Two." }, { text: "Three." }, { text: "Four." }],
    async (it) => {
      const chat = await heldConversation(it.opening(CLOUD));
      const said: string[] = [];
      const lines = [
        "/model",
        "first",
        `/model ${OWN.modelFlag}`,
        "second",
        "/model high",
        "/model",
        "third",
        "/new",
        "fourth",
      ];
      try {
        const code = await runPipedChat(chat, linesOf(lines), SIGNAL, (text) => said.push(text));
        assert.equal(code, 0);
        assert.deepEqual(said, [
          "Your first message begins a session with anthropic:a.",
          "This session is with openai:b, effort high.",
        ]);
        assert.equal(it.cloud.requests.length, 1);
        assert.deepEqual(
          it.own.bodies.map((body) => JSON.parse(body).reasoning_effort),
          [undefined, "high", "high"],
        );
        assert.equal(it.notices().filter((text) => text.startsWith("From here on")).length, 2);
      } finally {
        await chat.close();
      }
    },
  ));

Deno.test("/model refuses two models at once, and what is none, and the chat stays as it is", () =>
  withTwoModels([{ text: "One." }, { text: "Two." }], [], async (it) => {
    const chat = await heldConversation(it.opening(CLOUD));
    try {
      await chat.say("first");
      const model = (argument: string) => chat.changeModel(argument);
      await assert.rejects(model("openai:a openai:b"), /takes one provider:name/);
      await assert.rejects(model("nobody:x"), /there is no provider "nobody"/);
      await chat.say("second");
      assert.equal(it.cloud.requests.length, 2);
    } finally {
      await chat.close();
    }
  }));

async function* linesOf(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

/** Another model in the middle of a conversation, over real HTTP: all that was said goes along, nothing else. */
import assert from "node:assert/strict";
import { changeModel, resumeConversation, startConversation } from "../../src/agent/open.ts";
import { runTurn } from "../../src/agent/turn.ts";
import { rewindSession } from "../../src/session/rewind.ts";
import { endOfTurn } from "../../src/session/turns.ts";
import { verifySession } from "../../src/session/verify.ts";
import { assertEachBeginsWithTheOneBefore } from "../support/prefixes.ts";
import type { Reply } from "../support/servers/mod.ts";
import { CLOUD, OWN, withTwoModels } from "../support/two_models.ts";

const SIGNAL = new AbortController().signal;

/** What a model with thoughts says in one turn: it calls a tool, and then answers. */
const THOUGHTFUL: Reply[] = [
  {
    reasoning: "A secret thought.",
    text: "I look.",
    calls: [{ tool: "look", input: { at: "this" } }],
  },
  { reasoning: "Another thought.", text: "It is blue." },
];

Deno.test("changeModel() carries words and calls to another protocol, leaves thoughts behind, and says what it costs", () =>
  withTwoModels(
    [...THOUGHTFUL, { text: "Back." }],
    [{ text: "Yes, blue." }, { text: "Still." }],
    async (it) => {
      const conversation = await startConversation(it.opening(CLOUD));
      try {
        const say = (text: string) => runTurn(conversation, text, "user", SIGNAL);
        await say("What colour is it?");
        assert.ok(await changeModel(it.opening(OWN), conversation));
        assert.match(
          it.notices().join("\n"),
          /^From here on with openai:b, in place of anthropic:a\. .* about \d+ tokens are read anew with the next request\. Only anthropic:a can read 2 thoughts of its own: left out\.$/,
        );
        await say("Really?");
        await say("Still?");
        assert.equal(it.own.requests.length, 2);
        assertEachBeginsWithTheOneBefore(it.own.requests);
        const { model, messages } = JSON.parse(it.own.bodies[0] ?? "");
        assert.equal(model, "b");
        assert.deepEqual(
          messages.slice(1).map((message: { role: string; content: unknown }) => [
            message.role,
            message.content,
          ]),
          [
            ["user", "What colour is it?"],
            ["assistant", "I look."],
            ["tool", "look: something blue"],
            ["assistant", "It is blue."],
            ["user", "Really?"],
          ],
        );
        assert.ok(!it.own.bodies.join().includes("thought"));
        assert.equal(conversation.session.totals.turns, 3);
        assert.equal(conversation.session.totals.requests, 4);
        assert.equal(await changeModel(it.opening(OWN), conversation), false);
      } finally {
        conversation.close();
      }
      const { session } = conversation;
      const resumed = await resumeConversation(it.opening(), session.id);
      assert.equal(resumed.world.model.id.name, "b");
      assert.ok(!it.notices().some((text) => /cache is lost/.test(text)));
      resumed.close();
      assert.deepEqual(
        (await verifySession(it.root, session.id)).flatMap(({ damage }) => damage ?? []),
        [],
      );
    },
  ));

Deno.test("resumeConversation() goes on with --model in a new epoch, without the key of the model before", () =>
  withTwoModels(THOUGHTFUL, [{ text: "Mine." }], async (it) => {
    const before = await startConversation(it.opening(CLOUD));
    await runTurn(before, "What colour is it?", "user", SIGNAL);
    before.close();
    const { ANTHROPIC_API_KEY: _, ...environment } = it.opening().environment;
    const opening = { ...it.opening(OWN), environment };
    const after = await resumeConversation(opening, before.session.id);
    try {
      assert.equal(after.session.baseline.epoch, 1);
      assert.equal(after.session.baseline.parent?.kind, "model");
      await runTurn(after, "And yours?", "user", SIGNAL);
      assert.match(it.own.bodies[0] ?? "", /What colour is it\?/);
      assert.equal(it.cloud.requests.length, 2, "nothing more went to the cloud");
    } finally {
      after.close();
    }
  }));

Deno.test("resumeConversation() keeps the model's own thoughts where only the effort is another", () =>
  withTwoModels([...THOUGHTFUL, { text: "Hm." }], [], async (it) => {
    const before = await startConversation(it.opening(CLOUD));
    await runTurn(before, "What colour is it?", "user", SIGNAL);
    before.close();
    const opening = it.opening({ effortFlag: "high" });
    const after = await resumeConversation(opening, before.session.id);
    try {
      assert.deepEqual(after.session.baseline.model.parameters, { reasoning: "high" });
      assert.match(it.notices().join(), /^From here on with anthropic:a, effort high\. No cache/);
      await runTurn(after, "And now?", "user", SIGNAL);
      assert.match(it.cloud.bodies.at(-1) ?? "", /A secret thought\./);
      assert.equal(await changeModel(opening, after), false);
    } finally {
      after.close();
    }
  }));

Deno.test("rewindSession() to a turn with another model before keeps the present model", () =>
  withTwoModels(THOUGHTFUL, [{ text: "One." }, { text: "Two." }], async (it) => {
    const conversation = await startConversation(it.opening(CLOUD));
    try {
      const { root } = it;
      const say = (text: string) => runTurn(conversation, text, "user", SIGNAL);
      await say("What colour is it?");
      await changeModel(it.opening(OWN), conversation);
      await say("For the own model alone.");
      const { session } = conversation;
      await rewindSession(root, session, await endOfTurn(root, session.id, 1), null);
      assert.equal(session.baseline.model.name, "b");
      await say("Again.");
      assert.equal(it.cloud.requests.length, 2, "nothing more went to the cloud");
      assert.ok(!it.own.bodies.at(-1)?.includes("thought"));
    } finally {
      conversation.close();
    }
  }));

Deno.test("changeModel() refuses a model that cannot be, and the conversation goes on as it was", () =>
  withTwoModels([{ text: "One." }, { text: "Two." }], [], async (it) => {
    const conversation = await startConversation(it.opening(CLOUD));
    try {
      await runTurn(conversation, "First", "user", SIGNAL);
      const unknown = it.opening({ modelFlag: "nobody:x" });
      await assert.rejects(changeModel(unknown, conversation), /there is no provider "nobody"/);
      assert.equal(conversation.session.baseline.epoch, 0);
      await runTurn(conversation, "Second", "user", SIGNAL);
      assertEachBeginsWithTheOneBefore(it.cloud.requests);
    } finally {
      conversation.close();
    }
  }));

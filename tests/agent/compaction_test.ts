/** Compaction: it succeeds, it keeps the last exchange, and it makes a conversation shorter or leaves it alone. */
import assert from "node:assert/strict";
import { compact } from "../../src/agent/compaction.ts";
import { runTurn } from "../../src/agent/turn.ts";
import { ContextOverflow, ModelError } from "../../src/model/errors.ts";
import {
  type Answer,
  fails,
  says,
  startConversation,
  toolSet,
  WordsModel,
  worldOf,
} from "../support/conversations.ts";
import { withTemporaryFolder } from "../support/temporary.ts";

const SIGNAL = new AbortController().signal;
const OVERFLOW = fails(new ContextOverflow("too long"));
const LONG = "words and more words ".repeat(100);

/** Talks with a model that gives `answers`; gives the conversation's notices and its summary. */
async function talk(
  answers: readonly Answer[],
  work: (world: {
    say: (text: string) => Promise<unknown>;
    compact: () => Promise<void>;
    model: WordsModel;
    notices: () => string[];
    summary: () => string | null;
  }) => Promise<void>,
  windowTokens?: number,
): Promise<void> {
  await withTemporaryFolder(async (root) => {
    const model = new WordsModel(answers, windowTokens);
    const tools = toolSet(() => ({ output: LONG, isError: false }));
    const world = worldOf(root, model, { tools });
    const conversation = await startConversation(world);
    try {
      await work({
        say: (text) => runTurn(conversation, text, "user", SIGNAL),
        compact: () => compact(conversation, "summarize", SIGNAL),
        model,
        notices: () => world.events.flatMap((event) => event.type === "notice" ? event.text : []),
        summary: () => conversation.session.baseline.summary,
      });
    } finally {
      conversation.close();
    }
  });
}

Deno.test("compact() keeps the last exchange word for word behind the summary", () =>
  talk([says(LONG), says("Yes."), says("A summary."), says("On.")], async (it) => {
    await it.say("One");
    await it.say("Is it so?");
    await it.compact();
    assert.equal(
      it.summary(),
      "A summary.\n\n## The last exchange, word for word\n\nUser: Is it so?\n\nAssistant: Yes.",
    );
    await it.say("Two");
    assert.match(it.model.bodies.at(-1) ?? "", /Is it so\?/);
  }));

for (
  const [what, answer] of [
    ["does not fit", OVERFLOW],
    ["is refused", fails(new ModelError("bad-request", "no"))],
    ["is answered with nothing", says("")],
  ] as const
) {
  Deno.test(`compact() asks with an excerpt when the whole ${what}`, () =>
    talk([says(LONG), says("Yes."), answer, says("By excerpt.")], async (it) => {
      await it.say("One");
      await it.say("Two");
      await it.compact();
      assert.match(it.summary() ?? "", /^By excerpt\./);
      assert.match(it.model.bodies.at(-1) ?? "", /its middle left out/);
    }));

  Deno.test(`compact() takes the newest messages when the excerpt ${what} too, and says so`, () =>
    talk([says(LONG), says("The end."), answer, answer, says("On.")], async (it) => {
      await it.say("One");
      await it.say("And then?");
      await it.compact();
      const summary = it.summary() ?? "";
      assert.match(
        summary,
        /There is no summary\. The newest messages follow \(2\); 2 before them are left out\./,
      );
      assert.match(summary, /User: And then\?\n\nAssistant: The end\.$/);
      assert.ok(it.notices().some((text) => /the newest messages take its place/.test(text)));
      await it.say("Two");
    }));
}

Deno.test("compact() leaves a conversation alone that a summary would make no shorter, and says so", async () => {
  await talk([says("Short.")], async (it) => {
    await it.say("One");
    await it.compact();
    assert.equal(it.summary(), null, "it did not even ask");
    assert.match(it.notices().join(), /stays as it is/);
  });
  await talk([says(LONG), says(LONG + LONG)], async (it) => {
    await it.say("One");
    await it.compact();
    assert.equal(it.summary(), null);
    assert.match(it.notices().join(), /stays as it is/);
  });
});

Deno.test("compact() leaves out the middle of a last exchange that is very long, and says how much", () =>
  talk([says(LONG.repeat(20)), says(LONG.repeat(10)), says("A summary.")], async (it) => {
    await it.say("One");
    await it.say("Two");
    await it.compact();
    assert.match(it.summary() ?? "", /^A summary\.[^]*User: Two\n\n[^]*\[… \d+ bytes left out …\]/);
    assert.ok((it.summary() ?? "").length < 17_000);
  }));

Deno.test("compact() passes on that the model cannot be reached, and changes nothing", () =>
  talk([says(LONG), fails(new ModelError("connection", "no network"))], async (it) => {
    await it.say("One");
    await assert.rejects(it.compact(), /no network/);
    assert.equal(it.summary(), null);
  }));

Deno.test("compact() makes a long summary shorter than what it stands for", () =>
  talk([says(LONG.repeat(8)), OVERFLOW, says(LONG.repeat(30)), says("Done.")], async (it) => {
    await it.say("One");
    await it.say("Two");
    const summary = it.summary() ?? "";
    assert.ok(summary.length < LONG.length * 8, `${summary.length} bytes`);
    assert.match(summary, /bytes left out/);
  }));

Deno.test("runTurn() says that a message alone does not fit, and the next one goes on", () =>
  talk([
    says("Fine."),
    OVERFLOW,
    says("A summary."),
    OVERFLOW,
    OVERFLOW,
    says("A summary of all."),
    says("Here I am."),
  ], async (it) => {
    await it.say("One");
    const end = JSON.stringify(await it.say("x".repeat(50_000)));
    assert.match(
      end,
      /the last message has 50000 bytes, about 12500 tokens.*The next message goes on/,
    );
    assert.match(JSON.stringify(await it.say("Two")), /replied/);
    assert.ok((it.model.bodies.at(-1) ?? "").length < 45_000);
  }));

Deno.test("runTurn() makes room before a message is sent that the window has no room for", () =>
  talk([
    says(LONG, [], { input: 500, output: 100 }),
    says("A summary."),
    says("Fine."),
  ], async (it) => {
    await it.say("One");
    await it.say("y".repeat(2_000));
    assert.match(it.summary() ?? "", /^A summary\./);
  }, 1_200));

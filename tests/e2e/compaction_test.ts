/** A conversation that outgrows the model's context window. */
import assert from "node:assert/strict";
import { assertEachBeginsWithTheOneBefore } from "../support/prefixes.ts";
import { type Project, withProject } from "../support/project.ts";
import { ModelServer, type Replier, type Reply, strictly } from "../support/servers/mod.ts";
import { openAi } from "./protocols.ts";
import { assertGoesOn, assertSound } from "./soundness.ts";

const SUMMARY = "Summary: the project greets.";

/** A llama.cpp server whose model has a context window of 1,000 tokens. */
function llamaCpp(replies: Reply[] | Replier): ModelServer {
  const server = ModelServer.start(strictly(replies));
  server.pages.set("/props", {
    default_generation_settings: { n_ctx: 1000 },
    total_slots: 4,
  });
  return server;
}

function useLlamaCpp(project: Project, server: ModelServer): void {
  project.use({ M31A_MODEL: "llamacpp:test", M31A_BASE_URL: server.baseUrl });
}

Deno.test("chat compacts when told to: the next request holds the summary and not the words before it", async () => {
  const old = `Some old words, ${"and so on, ".repeat(200)}`;
  const answers = [{ text: old }, { text: "The last word." }, { text: SUMMARY }, { text: "New." }, {
    text: "Newer.",
  }];
  await using server = ModelServer.start(strictly(answers));
  await withProject(async (project) => {
    project.use(openAi(server));
    const { code, stdout, stderr } = await project.run(["chat"], {
      input: "one\nand?\n/compact\ntwo\n",
    });
    assert.equal(code, 0, stderr);
    assert.equal(stdout, `${old}\nThe last word.\nNew.\n`);
    assertEachBeginsWithTheOneBefore(server.requests.slice(0, 3));
    const [, , , next] = server.bodies;
    assert.ok(next?.includes(SUMMARY));
    assert.ok(!next?.includes("Some old words"));
    assert.ok(
      next?.includes("User: and?\\n\\nAssistant: The last word."),
      "the last exchange stays",
    );
    assert.ok(Deno.readTextFileSync(project.sessionFile("1.baseline.json")).includes(SUMMARY));
    await assertGoesOn(project);
    assertEachBeginsWithTheOneBefore(server.requests.slice(3));
    assert.deepEqual(project.records(0).at(-1)?.purpose, "compaction");
  });
});

Deno.test("chat compacts by itself when the server's context window is nearly full", async () => {
  const full = { input: 890, output: 10 };
  const answers = [{ text: "Old.", usage: full }, { text: SUMMARY }, { text: "New." }, {
    text: "On.",
  }];
  await using server = llamaCpp(answers);
  await withProject(async (project) => {
    useLlamaCpp(project, server);
    await using chat = project.chat();
    await chat.turn("one");
    assert.equal((await chat.turn("two")).outcome, "replied");
    assert.deepEqual(chat.all("compacted").map(({ epoch, summary }) => [epoch, summary]), [
      [1, SUMMARY],
    ]);
    const slots = server.bodies.map((body) => JSON.parse(body).id_slot);
    assert.equal(new Set(slots).size, 1);
    assert.equal((await chat.leave()).code, 0);
    await assertGoesOn(project);
    assertEachBeginsWithTheOneBefore(server.requests.slice(2));
  });
});

Deno.test("chat compacts in the middle of a turn, and the turn goes on", async () => {
  const answers = [
    { calls: [{ tool: "list_files", input: {} }], usage: { input: 890, output: 10 } },
    { text: SUMMARY },
    { text: "Two files." },
  ];
  await using server = llamaCpp(answers);
  await withProject(async (project) => {
    useLlamaCpp(project, server);
    await using chat = project.chat();
    assert.deepEqual(await chat.turn("one"), { outcome: "replied", finish: "stop" });
    assert.deepEqual(chat.all("reply").map(({ text }) => text), ["", "Two files."]);
    await chat.leave();
    await assertSound(project);
  });
});

Deno.test("chat compacts and asks again when the server says that the request does not fit", async () => {
  const overflow = {
    status: 400,
    body: {
      error: {
        code: 400,
        type: "exceed_context_size_error",
        message: "the request exceeds the available context size, try increasing it",
        n_prompt_tokens: 1100,
        n_ctx: 1000,
      },
    },
  };
  const answers = [{ text: "Old." }, overflow, { text: SUMMARY }, { text: "New." }, {
    text: "On.",
  }];
  await using server = llamaCpp(answers);
  await withProject(async (project) => {
    useLlamaCpp(project, server);
    const { code, stdout, stderr } = await project.run(["chat"], { input: "one\ntwo\n" });
    assert.equal(code, 0, stderr);
    assert.equal(stdout, "Old.\nNew.\n");
    assert.ok(server.bodies[3]?.includes(SUMMARY));
    assert.ok(server.bodies[3]?.includes("two"));
    await assertGoesOn(project);
  });
});

Deno.test("chat killed while it compacts goes on in the old epoch, as if it had not begun", async () => {
  const asked = Promise.withResolvers<void>();
  await using server = ModelServer.start(strictly((_, number) => {
    if (number !== 1) return { text: `Answer ${number}.` };
    asked.resolve();
    return { text: SUMMARY, isStalled: true, endBeforeEvent: 3 };
  }));
  await withProject(async (project) => {
    project.use(openAi(server));
    await using chat = project.chat();
    await chat.turn(`one ${"x".repeat(2_000)}`);
    await chat.type("/compact");
    await asked.promise;
    const before = project.sessionBytes();
    await chat.kill();
    assert.deepEqual(project.sessionBytes(), before);
    await assertGoesOn(project);
    assertEachBeginsWithTheOneBefore(server.requests.filter((_, index) => index !== 1));
  });
});

Deno.test("chat that finds a half-made epoch goes on in the old one, and compacts anew", async () => {
  await using server = ModelServer.start(strictly((_, number) => ({ text: `Answer ${number}.` })));
  await withProject(async (project) => {
    project.use(openAi(server));
    await project.run(["chat"], { input: `one ${"x".repeat(2_000)}\n` });
    // What a kill -9 leaves between the first file of the next epoch and the last.
    Deno.copyFileSync(
      project.sessionFile("0.baseline.json"),
      project.sessionFile("1.baseline.json"),
    );
    Deno.writeTextFileSync(project.sessionFile("1.jsonl.new"), '{"seq":1,"at"');
    await assertGoesOn(project);
    const { code, stderr } = await project.run(["chat", "--continue"], {
      input: "/compact\ntwo\n",
    });
    assert.equal(code, 0, stderr);
    assert.ok(server.bodies.at(-1)?.includes("Answer 2."));
    await assertSound(project);
  });
});

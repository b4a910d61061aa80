/** Four turns, the process killed with -9 after each, over both protocols. */
import assert from "node:assert/strict";
import { assertEachBeginsWithTheOneBefore } from "../support/prefixes.ts";
import { withProject } from "../support/project.ts";
import { ModelServer, type Reply, strictly } from "../support/servers/mod.ts";
import { openAi, PROTOCOLS } from "./protocols.ts";
import { assertSound } from "./soundness.ts";

const ANSWERS: Reply[] = [
  {
    reasoning: "I look first.",
    text: "Let me look.",
    calls: [
      { tool: "list_files", input: {} },
      { tool: "read_file", input: { path: "README.md" } },
      { tool: "search_files", input: { pattern: "Hello" } },
    ],
  },
  { text: "A greeting. ü 😀 \u2028 done" },
  { text: "You are welcome.", usage: { input: 90, output: 4, cacheRead: 80 } },
  { calls: [{ tool: "read_file", input: { path: "src/greet.ts" } }] },
  { reasoning: "It says hello.", text: "It prints Hello." },
  { text: "Goodbye." },
];

const MESSAGES = ["What is here?", "Thanks.", "What does greet.ts do?", "Bye. \u2029 \u0085"];

for (const [name, variables] of Object.entries(PROTOCOLS)) {
  Deno.test(`chat goes on after each kill -9 with requests that begin with the one before (${name})`, async () => {
    await using server = ModelServer.start(strictly(ANSWERS));
    await withProject(async (project) => {
      project.use(variables(server));
      for (const [index, message] of MESSAGES.entries()) {
        const start = index === 0
          ? []
          : index % 2 === 0
          ? ["--continue"]
          : ["--resume", project.sessionId.slice(0, 12)];
        await using chat = project.chat(start);
        assert.deepEqual(await chat.turn(message), { outcome: "replied", finish: "stop" });
        const [opened] = chat.all("session");
        assert.equal(opened?.turns, index);
        assert.equal(opened?.isResumed, index > 0);
        assert.deepEqual(chat.all("notice"), []);
        await chat.kill();
      }
      assert.equal(server.requests.length, ANSWERS.length);
      assertEachBeginsWithTheOneBefore(server.requests);
      const last = server.bodies.at(-1) ?? "";
      for (const message of MESSAGES) assert.ok(last.includes(JSON.stringify(message)));
      await assertSound(project);
    });
  });
}

Deno.test("chat runs calls of one reply that only read side by side, and records them in call order", async () => {
  await using server = ModelServer.start(strictly(ANSWERS));
  await withProject(async (project) => {
    project.use(openAi(server));
    await using chat = project.chat();
    await chat.turn("What is here?");
    const order = chat.events
      .filter((event) => event.type === "tool_started" || event.type === "tool_finished")
      .map((event) => `${event.type} ${event.call}`);
    assert.deepEqual(order, [
      ...[1, 2, 3].map((call) => `tool_started ${call}`),
      ...[1, 2, 3].map((call) => `tool_finished ${call}`),
    ]);
    assert.equal((await chat.leave()).code, 0);
  });
});

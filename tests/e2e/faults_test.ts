/** A provider that misbehaves: after each fault the log is sound and the session goes on. */
import assert from "node:assert/strict";
import { type Project, withProject } from "../support/project.ts";
import { ModelServer, type Reply, strictly } from "../support/servers/mod.ts";
import { openAi, PROTOCOLS } from "./protocols.ts";
import { assertGoesOn, assertSound } from "./soundness.ts";

/** Runs `test` with a server that gives `answers`. */
async function withAnswers(
  answers: Reply[],
  test: (project: Project, server: ModelServer) => Promise<void>,
  variables = openAi,
): Promise<void> {
  await using server = ModelServer.start(strictly(answers));
  await withProject(async (project) => {
    project.use(variables(server));
    await test(project, server);
  });
}

const NOW = { "retry-after": "0" };

/** Reasoning, text and two calls: a stream of it can be cut in each of them. */
const RICH: Reply = {
  reasoning: "half a thought is no thought",
  text: "half a sentence is no sentence",
  calls: [
    { tool: "read_file", input: { path: "README.md" } },
    { tool: "list_files", input: { path: "src" } },
  ],
};

for (const [name, variables] of Object.entries(PROTOCOLS)) {
  if (name === "OPENAI_BASE_URL") continue; // the protocol of M31A_BASE_URL
  Deno.test(`chat repeats a request whose answer was cut, wherever it was, and keeps nothing of the half (${name})`, async () => {
    for (const cutAfterBytes of [0, 1, 350, 700, 1000, 1300, 1600, 1900]) {
      await withAnswers(
        [{ ...RICH, cutAfterBytes }, RICH, { text: "Done." }, { text: "Gone on." }],
        async (project, server) => {
          const { code, stderr } = await project.run(["chat"], { input: "go\n" });
          assert.equal(code, 0, stderr);
          assert.match(stderr, /trying again in/);
          assert.deepEqual(server.requests[1]?.body, server.requests[0]?.body);
          const replies = project.records().filter(({ type }) => type === "assistant");
          assert.equal(replies.length, 2);
          await assertGoesOn(project);
          assert.equal(server.bodies.at(-1)?.split("half a sentence").length, 2);
        },
        variables,
      );
    }
  });
}

Deno.test("chat waits as long as a 429 asks, says so, and repeats the request", async () => {
  const busy = { status: 429, body: { error: { message: "slow down" } }, headers: NOW };
  await withAnswers([busy, busy, { text: "Now." }], async (project, server) => {
    await using chat = project.chat();
    assert.equal((await chat.turn("go")).outcome, "replied");
    const waits = chat.all("retry");
    assert.deepEqual(waits.map(({ attempt, waitMs }) => [attempt, waitMs]), [[1, 0], [2, 0]]);
    assert.match(waits[0]?.reason ?? "", /429|slow down|too many/i);
    assert.equal(server.requests.length, 3);
    const [usage] = project.records().filter(({ type }) => type === "usage");
    assert.equal(usage?.retries, 2);
  });
});

Deno.test("chat ends with exit code 1 when the server answers 500 again and again, and goes on later", async () => {
  const broken = { status: 500, body: { error: { message: "out of order" } }, headers: NOW };
  const answers = [...Array(5).fill(broken), { text: "Back." }];
  await withAnswers(answers, async (project) => {
    const { code, stdout, stderr } = await project.run(["chat"], { input: "go\nnever sent\n" });
    assert.equal(code, 1);
    assert.equal(stdout, "");
    assert.match(stderr, /out of order/);
    assert.deepEqual(project.records().map(({ type }) => type), [
      "session_start",
      "user",
      "aborted",
    ]);
    await assertGoesOn(project);
  });
});

Deno.test("chat ends with exit code 1 and the server's words at a request that is refused", async () => {
  const refused = { status: 400, body: { error: { message: "no such model" } } };
  await withAnswers([refused, { text: "Better." }], async (project, server) => {
    const { code, stderr } = await project.run(["chat"], { input: "go\n" });
    assert.equal(code, 1);
    assert.match(stderr, /no such model/);
    assert.equal(server.requests.length, 1);
    await assertGoesOn(project);
  });
});

Deno.test("chat takes an answer without usage, and says in the log that none was reported", async () => {
  await withAnswers([{ text: "Fine.", usage: false }, { text: "On." }], async (project) => {
    assert.equal((await project.run(["chat"], { input: "go\n" })).stdout, "Fine.\n");
    const [usage] = project.records().filter(({ type }) => type === "usage");
    assert.equal(usage?.isReported, false);
    await assertGoesOn(project);
  });
});

Deno.test("chat tells an answer that was cut at its length from one that was finished", async () => {
  await withAnswers([{ text: "and the", finish: "length" }, { text: "On." }], async (project) => {
    await using chat = project.chat();
    const end = await chat.turn("go");
    assert.ok(end.outcome === "replied" && end.finish === "length");
    assert.match(end.flaw ?? "", /cut off/);
    assert.equal((await chat.leave()).code, 1);
    await assertGoesOn(project);
  });
});

Deno.test("chat leaves an endless answer at Ctrl-C with exit code 130, and keeps none of it", async () => {
  await withAnswers([{ isEndless: true }, { text: "On." }], async (project) => {
    await using chat = project.chat();
    await chat.type("go");
    await chat.until("text");
    chat.signal("SIGINT");
    const { code, stderr } = await chat.ended();
    assert.equal(code, 130);
    assert.match(stderr, /m31a chat --resume/);
    assert.deepEqual(chat.all("turn_ended").map(({ end }) => end.outcome), ["aborted"]);
    const records = project.records();
    assert.deepEqual(records.map(({ type }) => type), ["session_start", "user", "aborted"]);
    assert.equal(records[2]?.reason, "interrupted");
    await assertGoesOn(project);
  });
});

Deno.test("chat leaves at Ctrl-C while the server is silent", async () => {
  const asked = Promise.withResolvers<void>();
  await using server = ModelServer.start(strictly((_, number) => {
    if (number > 0) return { text: "On." };
    asked.resolve();
    return { isSilent: true };
  }));
  await withProject(async (project) => {
    project.use(openAi(server));
    await using chat = project.chat();
    await chat.type("go");
    await asked.promise;
    chat.signal("SIGINT");
    assert.equal((await chat.ended()).code, 130);
    await assertGoesOn(project);
  });
});

Deno.test("chat hands an error back for a tool that does not exist and for input that is no JSON or does not fit", async () => {
  const calls = [
    { tool: "make_coffee", input: {} },
    { tool: "read_file", raw: '{"path": "READ' },
    { tool: "read_file", input: { path: 7 } },
    { tool: "read_file", input: { path: "README.md" } },
  ];
  await withAnswers([{ calls }, { text: "Sorry." }, { text: "On." }], async (project, server) => {
    await using chat = project.chat();
    assert.deepEqual(await chat.turn("go"), { outcome: "replied", finish: "stop" });
    const results = chat.all("tool_finished");
    assert.deepEqual(results.map(({ isError }) => isError), [true, true, true, false]);
    assert.match(results[0]?.output ?? "", /There is no tool "make_coffee"/);
    assert.match(results[1]?.output ?? "", /is not JSON/);
    assert.match(results[2]?.output ?? "", /path/);
    assert.ok(server.bodies[1]?.includes("make_coffee"));
    await chat.leave();
    await assertGoesOn(project);
  });
});

Deno.test("chat ends a turn in which the same call comes again and again, and names the limit", async () => {
  const again = { calls: [{ tool: "read_file", input: { path: "README.md" } }] };
  const answers = [...Array(6).fill(again), { text: "On." }];
  await withAnswers(answers, async (project, server) => {
    const { code, stderr } = await project.run(["chat"], { input: "go\n" });
    assert.equal(code, 1);
    assert.match(stderr, /limit reached: the same call \(read_file\) 5 times.*repeated_calls/);
    assert.equal(server.requests.length, 6);
    await assertSound(project);
    await assertGoesOn(project);
  });
});

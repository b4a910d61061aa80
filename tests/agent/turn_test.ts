import assert from "node:assert/strict";
import { Conversation } from "../../src/agent/conversation.ts";
import { runTurn } from "../../src/agent/turn.ts";
import { ContextOverflow, ModelError } from "../../src/model/errors.ts";
import { Interrupted } from "../../src/platform/errors.ts";
import { SessionIo } from "../../src/session/errors.ts";
import {
  type Answer,
  fails,
  NO_LIMITS,
  recordsOf,
  says,
  startConversation,
  TEST_SESSION,
  toolSet,
  WordsModel,
  worldOf,
} from "../support/conversations.ts";
import { withTemporaryFolder } from "../support/temporary.ts";

const SIGNAL = new AbortController().signal;

Deno.test("runTurn() has the message on disk before its request, reply and usage only when the reply is complete", () =>
  withTemporaryFolder(async (root) => {
    let typesDuringReply: string[] = [];
    const answer: Answer = async (call, options) => {
      typesDuringReply = (await recordsOf(root)).map(({ type }) => type);
      return await says("Hello.")(call, options);
    };
    const conversation = await startConversation(worldOf(root, new WordsModel([answer])));
    const end = await runTurn(conversation, "Hi", "user", SIGNAL);
    conversation.close();

    assert.deepEqual(end, { outcome: "replied", finish: "stop" });
    assert.deepEqual(typesDuringReply, ["session_start", "user"]);
    const types = (await recordsOf(root)).map(({ type }) => type);
    assert.deepEqual(types, ["session_start", "user", "assistant", "usage"]);
  }));

Deno.test("runTurn() runs tools until the model stops, and records results in call order", () =>
  withTemporaryFolder(async (root) => {
    const calls = ["a", "b", "c"].map((path) => ({ tool: "read_file", input: { path } }));
    const model = new WordsModel([says("Looking.", calls), says("Done.")]);
    const conversation = await startConversation(worldOf(root, model));
    await runTurn(conversation, "Look", "user", SIGNAL);
    conversation.close();

    const records = await recordsOf(root);
    const results = records.filter((record) => record.type === "tool_result");
    assert.deepEqual(results.map(({ call }) => call), [1, 2, 3]);
    assert.equal(records.at(-2)?.type, "assistant");
  }));

Deno.test("runTurn() sends requests of which each begins with the one before, across a restart", () =>
  withTemporaryFolder(async (root) => {
    const bodies: string[] = [];
    for (let turn = 1; turn <= 4; turn++) {
      const calls = [{ tool: "read_file", input: { turn } }];
      const model = new WordsModel([says("", calls), says(`Answer ${turn}`)]);
      const world = worldOf(root, model);
      const conversation = turn === 1
        ? await startConversation(world)
        : await Conversation.resume(world, TEST_SESSION);
      await runTurn(conversation, `Question ${turn}`, "user", SIGNAL);
      conversation.close();
      bodies.push(...model.bodies);
      assert.deepEqual(world.events.filter(({ type }) => type === "notice"), []);
    }
    assert.equal(bodies.length, 8);
    for (const [index, body] of bodies.slice(1).entries()) {
      const before = bodies[index]?.slice(0, -"]}".length) ?? "";
      assert.ok(body.startsWith(before), `request ${index + 2} begins with request ${index + 1}`);
    }
  }));

Deno.test("Conversation.resume() says that the cache is lost when the request cannot be rebuilt", () =>
  withTemporaryFolder(async (root) => {
    const conversation = await startConversation(worldOf(root, new WordsModel([says("Hello.")])));
    await runTurn(conversation, "Hi", "user", SIGNAL);
    conversation.close();

    const other = new WordsModel([]);
    other.encode = () => Promise.resolve(new TextEncoder().encode("something else"));
    const world = worldOf(root, other);
    const resumed = await Conversation.resume(world, TEST_SESSION);
    resumed.close();
    const [notice] = world.events.filter((event) => event.type === "notice");
    assert.match(notice?.text ?? "", /cache is lost/);
  }));

Deno.test("runTurn() leaves the user's message and an aborted record when it is interrupted", () =>
  withTemporaryFolder(async (root) => {
    const interrupt = new AbortController();
    const answer: Answer = (_call, { signal }) => {
      interrupt.abort(new Interrupted());
      return Promise.reject(signal.reason);
    };
    const model = new WordsModel([answer, says("Now.")]);
    const conversation = await startConversation(worldOf(root, model));
    const end = await runTurn(conversation, "First", "user", interrupt.signal);
    assert.deepEqual(end, { outcome: "aborted", reason: "interrupted", detail: "interrupted" });
    await runTurn(conversation, "Second", "user", SIGNAL);
    conversation.close();

    const types = (await recordsOf(root)).map(({ type }) => type);
    assert.deepEqual(types, ["session_start", "user", "aborted", "user", "assistant", "usage"]);
    const { messages } = JSON.parse(model.bodies.at(-1) ?? "");
    const roles = messages.map(({ role }: { role: string }) => role);
    assert.deepEqual(roles, ["system", "user", "assistant", "user"]);
  }));

Deno.test("runTurn() gives calls that were not run a result when the turn is interrupted", () =>
  withTemporaryFolder(async (root) => {
    const interrupt = new AbortController();
    const tools = toolSet(({ call }) => {
      if (call === 1) return { output: "one", isError: false };
      interrupt.abort(new Interrupted());
      throw interrupt.signal.reason;
    });
    const calls = [1, 2, 3].map((n) => ({ tool: "run_command", input: { n } }));
    const model = new WordsModel([says("", calls), says("Went on.")]);
    const conversation = await startConversation(worldOf(root, model, { tools }));
    await runTurn(conversation, "Go", "user", interrupt.signal);
    await runTurn(conversation, "Go on", "user", SIGNAL);
    conversation.close();

    const results = (await recordsOf(root)).filter((record) => record.type === "tool_result");
    assert.deepEqual(results.map(({ call, interrupted }) => [call, interrupted]), [
      [1, undefined],
      [2, true],
      [3, true],
    ]);
  }));

Deno.test("runTurn() ends at each limit with its key, and the session goes on", () =>
  withTemporaryFolder(async (root) => {
    const same = says("", [{ tool: "read_file", input: { path: "a" } }]);
    const cases = [
      { limits: { requestsPerTurn: 2 }, key: "requests_per_turn" },
      { limits: { repeatedCalls: 3 }, key: "repeated_calls" },
      { limits: { tokensPerSession: 30 }, key: "tokens_per_session" },
    ];
    for (const { limits, key } of cases) {
      const model = new WordsModel([same, same, same, same, same]);
      const world = worldOf(root, model, { limits: { ...NO_LIMITS, ...limits } });
      const conversation = await startConversation(world);
      const end = await runTurn(conversation, "Go", "user", SIGNAL);
      assert.equal(end.outcome === "aborted" && end.reason, "limit");
      assert.match(end.outcome === "aborted" ? end.detail : "", new RegExp(key));
      conversation.close();
      const resumed = await Conversation.resume(
        worldOf(root, new WordsModel([says("Fine.")])),
        TEST_SESSION,
      );
      const next = await runTurn(resumed, "And now?", "user", SIGNAL);
      assert.equal(next.outcome, "replied");
      resumed.close();
      Deno.removeSync(`${root}/sessions`, { recursive: true });
    }
  }));

Deno.test("runTurn() ends with the model's error, recorded, and without the key in use", () =>
  withTemporaryFolder(async (root) => {
    const secret = "sk-0123456789abcdef";
    const model = new WordsModel([fails(new ModelError("authentication", `bad key ${secret}`))]);
    const world = worldOf(root, model, { secrets: [secret] });
    const conversation = await startConversation(world);
    const end = await runTurn(conversation, `My key is ${secret}`, "user", SIGNAL);
    conversation.close();

    assert.equal(end.outcome === "aborted" && end.detail, "bad key [masked]");
    const log = Deno.readTextFileSync(`${root}/sessions/${TEST_SESSION}/0.jsonl`);
    assert.ok(!log.includes(secret));
    assert.ok(!JSON.stringify(world.events).includes(secret));
  }));

Deno.test("runTurn() lets an append that fails end everything, and the session resumes", () =>
  withTemporaryFolder(async (root) => {
    const conversation = await startConversation(worldOf(root, new WordsModel([says("Hello.")])));
    const path = `${root}/sessions/${TEST_SESSION}/0.jsonl`;
    Deno.renameSync(path, `${path}.away`);
    await assert.rejects(runTurn(conversation, "Hi", "user", SIGNAL), SessionIo);
    conversation.close();
    Deno.renameSync(`${path}.away`, path);

    const resumed = await Conversation.resume(
      worldOf(root, new WordsModel([says("Hello again.")])),
      TEST_SESSION,
    );
    await runTurn(resumed, "Hi", "user", SIGNAL);
    resumed.close();
    assert.equal((await recordsOf(root)).length, 4);
  }));

Deno.test("runTurn() compacts before the window is full and goes on in the next epoch", () =>
  withTemporaryFolder(async (root) => {
    const model = new WordsModel([
      says("", [{ tool: "read_file", input: {} }], { input: 900, output: 50 }),
      says("We were reading."),
      says("Read on."),
    ], 1000);
    const tools = toolSet(() => ({ output: "x".repeat(500), isError: false }));
    const conversation = await startConversation(worldOf(root, model, { tools }));
    const end = await runTurn(conversation, "Read all", "user", SIGNAL);
    conversation.close();

    assert.equal(end.outcome, "replied");
    assert.equal(conversation.session.baseline.epoch, 1);
    const summary = conversation.session.baseline.summary ?? "";
    assert.match(
      summary,
      /^We were reading\.\n\n## The last exchange, word for word\n\nUser: Read all\n/,
    );
    assert.match(summary, /Assistant: .*calls read_file.*\n\nResult of read_file: x+$/s);
    assert.match(model.bodies.at(-1) ?? "", /We were reading/);
    const summarizing = model.bodies.at(-2) ?? "";
    assert.ok(summarizing.startsWith(model.bodies.at(-3)?.slice(0, -2) ?? "?"));
  }));

Deno.test("runTurn() compacts when the provider says that the conversation does not fit", () =>
  withTemporaryFolder(async (root) => {
    const model = new WordsModel([
      says("Much text."),
      fails(new ContextOverflow("too long")),
      says("A summary."),
      says("Here we are."),
    ]);
    const conversation = await startConversation(worldOf(root, model));
    await runTurn(conversation, "One", "user", SIGNAL);
    const end = await runTurn(conversation, "Two", "user", SIGNAL);
    conversation.close();
    assert.equal(end.outcome, "replied");
    assert.equal(conversation.session.baseline.epoch, 1);
    const { messages } = JSON.parse(model.bodies.at(-1) ?? "");
    assert.equal(messages.at(-1).content[0].text, "Two");
  }));

for (
  const [what, json, why] of [
    ["is nested too deep", "[".repeat(5000) + "]".repeat(5000), /nested/],
    ["holds a number that became infinite", '{"line": 1e999}', /too large/],
  ] as const
) {
  Deno.test(`runTurn() hands back a call that ${what} as a malformed one`, () =>
    withTemporaryFolder(async (root) => {
      const input = JSON.parse(json);
      const seen: (string | undefined)[] = [];
      const tools = toolSet(({ malformed }) => {
        seen.push(malformed);
        return { output: "not JSON", isError: true };
      });
      const model = new WordsModel([says("", [{ tool: "x", input }]), says("Oh.")]);
      const conversation = await startConversation(worldOf(root, model, { tools }));
      await runTurn(conversation, "Go", "user", SIGNAL);
      conversation.close();
      assert.match(seen[0] ?? "", why);
    }));
}

Deno.test("runTurn() sends results for the calls of a process that was killed, also when the turn then fails", () =>
  withTemporaryFolder(async (root) => {
    const calls = [1, 2].map((path) => ({ tool: "read_file", input: { path } }));
    const world = worldOf(root, new WordsModel([says("Looking.", calls)]));
    const killed = await startConversation({
      ...world,
      tools: { ...world.tools, runCalls: () => Promise.reject(new SessionIo("x", "killed here")) },
    });
    await assert.rejects(runTurn(killed, "Look", "user", SIGNAL), SessionIo);
    killed.close();

    const roles: string[] = [];
    const answer: Answer = (call, options) => {
      roles.push(...call.prompt.map(({ role }) => role));
      return fails(new ModelError("bad-request", "no"))(call, options);
    };
    const resumed = await Conversation.resume(
      worldOf(root, new WordsModel([answer])),
      TEST_SESSION,
    );
    const end = await runTurn(resumed, "Go on", "user", SIGNAL);
    resumed.close();
    assert.equal(end.outcome, "aborted");
    assert.deepEqual(roles.slice(1, 4), ["user", "assistant", "tool"]);
    const results = (await recordsOf(root)).filter((record) => record.type === "tool_result");
    assert.deepEqual(results.map(({ call, interrupted }) => [call, interrupted]), [[1, true], [
      2,
      true,
    ]]);
  }));

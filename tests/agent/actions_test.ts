/** How a model is asked to act: the ways, over real HTTP, and the log that is the same for all of them. */
import assert from "node:assert/strict";
import { Conversation } from "../../src/agent/conversation.ts";
import { register, Registry } from "../../src/agent/registry.ts";
import { readFile } from "../../src/agent/tools/read_file.ts";
import { writeFile } from "../../src/agent/tools/write_file.ts";
import { runTurn } from "../../src/agent/turn.ts";
import { openModel } from "../../src/model/open.ts";
import type { ProviderName } from "../../src/model/providers.ts";
import type { TurnSubject } from "../../src/session/records.ts";
import type { ActionWay } from "../../src/session/side_records.ts";
import { plainBaseline, recordsOf, TEST_SESSION, worldOf } from "../support/conversations.ts";
import { assertEachBeginsWithTheOneBefore } from "../support/prefixes.ts";
import { ModelServer, type Reply } from "../support/servers/mod.ts";
import { withTemporaryFolder } from "../support/temporary.ts";

const SIGNAL = new AbortController().signal;
const TASK: TurnSubject = { phase: "execute", task: "T1" };

interface Scene {
  replies: Reply[];
  actions?: ActionWay;
  about?: TurnSubject;
  provider?: ProviderName;
}

/** A conversation with a server that answers as told, and what it came to. */
async function converse(
  { replies, actions, about, provider = "llamacpp" }: Scene,
  look: (scene: {
    conversation: Conversation;
    server: ModelServer;
    notices: string[];
    root: string;
    resume(): Promise<Conversation>;
  }) => Promise<void>,
): Promise<void> {
  await withTemporaryFolder(async (root) => {
    Deno.writeTextFileSync(`${root}/a.txt`, "one\n");
    await using server = ModelServer.start(replies);
    const choice = {
      kind: "network" as const,
      provider,
      name: "test",
      baseUrl: server.baseUrl,
      parameters: {},
      origin: "test",
    };
    const tools = new Registry([register(readFile), register(writeFile)]);
    const plain = plainBaseline();
    const baseline = {
      ...plain,
      tools: [...tools.definitions],
      model: { ...plain.model, ...(actions === undefined ? {} : { actions }) },
    };
    const open = async () => worldOf(root, await openModel(choice), { tools });
    const world = await open();
    const conversation = await Conversation.start(world, baseline, null);
    try {
      await runTurn(conversation, "What is in a.txt?", "user", SIGNAL, {
        ...(about === undefined ? {} : { about }),
      });
      const notices = world.events.flatMap((event) => event.type === "notice" ? event.text : []);
      const resume = async () => {
        conversation.close();
        return await Conversation.resume(await open(), TEST_SESSION);
      };
      await look({ conversation, server, notices, root, resume });
    } finally {
      conversation.close();
      await tools.close();
    }
  });
}

/** What the conversation came to: the calls, their results, the words, the changes of the way. */
async function storyOf(root: string): Promise<string[]> {
  return (await recordsOf(root)).flatMap((record) => {
    if (record.type === "actions") return [`${record.way}: ${record.reason}`];
    if (record.type === "tool_result") {
      return [`${record.tool} ${record.isError ? "failed" : "ok"}`];
    }
    if (record.type !== "assistant") return [];
    return record.parts.map((part) =>
      part.kind === "call" ? `calls ${part.tool} ${JSON.stringify(part.input)}` : part.text
    );
  });
}

const WRITTEN = '<tool_call>{"name": "read_file", "arguments": {"path": "a.txt"}}</tool_call>';
const ACTION = '{"tool":"read_file","input":{"path":"a.txt"}}';
const READS = ['calls read_file {"path":"a.txt"}', "read_file ok"];

Deno.test("runTurn() takes a call that was written as text for a call, and says and records once that it does", () =>
  converse({ replies: [{ text: WRITTEN }, { text: WRITTEN }, { text: "It says one." }] }, async (
    { root, server, notices },
  ) => {
    const change = "text: the model wrote a call as text";
    assert.deepEqual(await storyOf(root), [
      READS[0],
      change,
      READS[1],
      ...READS,
      "It says one.",
    ]);
    assert.deepEqual(notices, [
      "The model wrote a call as text: calls that it writes as text count from here on ([model] actions).",
    ]);
    assertEachBeginsWithTheOneBefore(server.requests);
    assert.match(server.bodies[2] ?? "", /"tool_calls":\[.*"role":"tool"/);
  }));

Deno.test("runTurn() runs no call that was written as text where native calls are wanted", () =>
  converse(
    { actions: "native", replies: [{ text: WRITTEN }, { text: WRITTEN }] },
    async ({ root }) => assert.deepEqual(await storyOf(root), [WRITTEN, WRITTEN]),
  ));

Deno.test("runTurn() asks for one JSON object an answer in the constrained way, and the log is as ever", () =>
  converse({
    actions: "constrained",
    replies: [{ text: ACTION }, { text: '{"answer":"It says one."}' }],
  }, async ({ root, server, notices, resume }) => {
    assert.deepEqual(await storyOf(root), [...READS, "It says one."]);
    assert.deepEqual(notices, []);
    assertEachBeginsWithTheOneBefore(server.requests);
    const [first, second] = server.bodies.map((body) => JSON.parse(body));
    assert.equal(first.tools, undefined);
    assert.equal(first.response_format.type, "json_schema");
    const schemas = first.response_format.json_schema.schema.anyOf;
    assert.deepEqual(schemas.map((schema: { required: string[] }) => schema.required), [
      ["answer"],
      ["tool", "input"],
      ["tool", "input"],
    ]);
    assert.deepEqual(second.messages.slice(2), [
      { role: "assistant", content: ACTION },
      { role: "user", content: "read_file:\na.txt (lines 1-1 of 1)\n1\tone" },
    ]);
    // A later process rebuilds the request to the byte.
    const resumed = await resume();
    const last = resumed.replay.lastRequest();
    assert.equal(last?.sizeBytes, server.requests[1]?.body.byteLength);
    resumed.close();
  }));

Deno.test("runTurn() allows each phase its own actions, behind messages of which each begins with the one before", () =>
  converse({
    actions: "constrained",
    about: { phase: "discuss", task: null },
    replies: [
      { text: ACTION },
      { text: '{"answer":"One."}' },
      {
        text: '{"tool":"write_file","input":{"path":"b.txt","content":"two"}}',
      },
      { text: ACTION, finish: "length" },
      { text: "{}" },
    ],
  }, async ({ conversation, server, root }) => {
    await runTurn(conversation, "Make b.txt.", "brief", SIGNAL, { about: TASK });
    assert.equal(Deno.readTextFileSync(`${root}/b.txt`), "two");
    assertEachBeginsWithTheOneBefore(server.requests);
    const names = server.bodies.map((body) =>
      JSON.parse(body).response_format.json_schema.schema.anyOf.map((
        { properties }: { properties: { tool?: { const: string } } },
      ) => properties.tool?.const ?? "answer")
    );
    assert.deepEqual(names.slice(0, 3), [
      ["answer", "read_file"],
      ["answer", "read_file"],
      ["read_file", "write_file"],
    ]);
  }));

Deno.test("runTurn() goes over to constrained answers where a call is due and none comes, once", () =>
  converse({
    about: TASK,
    replies: [{ text: "I will look." }, { text: ACTION }, { text: '{"answer":"Done."}' }],
  }, async ({ root, server, notices }) => {
    assert.deepEqual(await storyOf(root), [
      "I will look.",
      "constrained: the model called no tool where one was due",
      ...READS,
      "Done.",
    ]);
    assert.equal(notices.length, 1);
    assertEachBeginsWithTheOneBefore(server.requests.slice(1));
    assert.ok("tools" in JSON.parse(server.bodies[0] ?? ""));
    assert.ok(!("tools" in JSON.parse(server.bodies[1] ?? "")));
  }));

Deno.test("runTurn() goes over to constrained answers where the server refuses the tools", () =>
  converse({
    replies: [
      {
        status: 400,
        body: { error: { message: '"auto" tool choice requires --enable-auto-tool-choice' } },
      },
      { text: ACTION },
      { text: '{"answer":"One."}' },
    ],
    provider: "vllm",
  }, async ({ root }) => {
    assert.deepEqual(await storyOf(root), [
      "constrained: the server takes no tools for this model",
      ...READS,
      "One.",
    ]);
  }));

Deno.test("Session.beginEpoch() goes on in the way that the epoch before ended in", () =>
  converse({ replies: [{ text: WRITTEN }, { text: "One." }] }, async ({ conversation }) => {
    await conversation.session.beginEpoch("It read a.txt.", null);
    assert.equal(conversation.session.baseline.model.actions, "text");
    assert.equal(conversation.replay.isUndecided, false);
  }));

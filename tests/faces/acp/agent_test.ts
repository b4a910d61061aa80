/** m31a as an agent: sessions, prompts, questions, with one client and with several; all it sends is held against the schema. */
import assert from "node:assert/strict";
import {
  type ListSessionsResponse,
  methods,
  type NewSessionResponse,
  RequestError,
  type SessionUpdate,
  type SetSessionConfigOptionResponse,
} from "@agentclientprotocol/sdk";
import type { ConversationEvent } from "../../../src/app/events/conversation_event.ts";
import { select } from "../../support/acp_client.ts";
import { withAgent } from "../../support/acp_agent.ts";

const EDIT = {
  calls: [{
    tool: "edit_file",
    input: { path: "a.txt", old_text: "stored", new_text: "changed" },
  }],
};
const READ = { calls: [{ tool: "read_file", input: { path: "a.txt" } }] };

/** The values that `found` finds in updates. */
function all<T>(
  updates: readonly { update: SessionUpdate }[],
  found: (update: SessionUpdate) => T | undefined,
): T[] {
  return updates.flatMap(({ update }) => {
    const value = found(update);
    return value === undefined ? [] : [value];
  });
}

const accepted = (update: SessionUpdate) =>
  update.sessionUpdate === "session_info_update"
    ? JSON.stringify(update._meta ?? {}).match(/"accepted":\{"message":("?\w+"?)\}/)?.[1]
    : undefined;

Deno.test("a prompt is acknowledged when it is on disk, asked about, carried out and told", async () => {
  await withAgent([EDIT, "It is done."], async ({ folder, connect }) => {
    const client = await connect();
    const sessionId = await client.begin(folder.root);
    assert.throws(() => Deno.statSync(`${folder.root}/sessions/${sessionId}`));
    let log = "";
    const onAccepted = client.until(() => all(client.updates, accepted)[0]).then(() => {
      log = folder.read(`sessions/${sessionId}/0.jsonl`);
    });
    const ended = client.agent.request(methods.agent.session.prompt, {
      sessionId,
      prompt: [{ type: "text", text: "Change it." }],
      _meta: { m31a: { message: "m1" } },
    });
    const [{ stopReason }] = await Promise.all([ended, onAccepted]);
    assert.equal(stopReason, "end_turn");
    assert.match(log, /"text":"Change it\."/);
    assert.deepEqual(all(client.updates, accepted), ['"m1"']);
    assert.equal(folder.read("a.txt"), "changed\n");
    const [permission] = client.permissions;
    assert.equal(permission?.toolCall.toolCallId, "call-1");
    assert.equal(permission?.toolCall.kind, "edit");
    assert.deepEqual(permission?.toolCall.content, [
      { type: "diff", path: `${folder.root}/a.txt`, oldText: "stored\n", newText: "changed\n" },
    ]);
    assert.deepEqual(
      all(
        client.updates,
        (update) => "toolCallId" in update ? `${update.toolCallId} ${update.status}` : undefined,
      ),
      ["call-1 pending", "call-1 in_progress", "call-1 completed"],
    );
    assert.equal(client.words("agent_message_chunk"), "It is done.");
    assert.equal(client.words("user_message_chunk"), "", "the client shows its own words itself");
    const titles = all(
      client.updates,
      (update) =>
        update.sessionUpdate === "session_info_update" ? update.title ?? undefined : undefined,
    );
    assert.deepEqual(titles, ["Change it."]);
  });
});

Deno.test("a no reaches the model with its reason, and always covers what its option says", async () => {
  const again = { ...EDIT.calls[0], input: { path: "a.txt", old_text: "changed", new_text: "x" } };
  const script = [
    EDIT,
    { expect: "The reason: not now", text: "Well." },
    { calls: [...EDIT.calls] },
    { calls: [again] },
    "Done.",
  ];
  await withAgent(script, async ({ folder, connect }) => {
    let isAllowed = false;
    const client = await connect({
      permission: ({ options }) =>
        isAllowed
          ? select(options, "allow_always")
          : { ...select(options, "reject_once"), _meta: { m31a: { reason: "not now" } } },
    });
    const sessionId = await client.begin(folder.root);
    assert.equal(await client.prompt(sessionId, "one"), "end_turn");
    assert.equal(folder.read("a.txt"), "stored\n");
    isAllowed = true;
    assert.equal(await client.prompt(sessionId, "two"), "end_turn");
    assert.equal(folder.read("a.txt"), "x\n");
    assert.equal(client.permissions.length, 2);
  });
});

Deno.test("session/cancel ends the turn and its question", async () => {
  await withAgent([EDIT, "Later."], async ({ folder, connect }) => {
    const client = await connect({
      permission: (_, signal) =>
        new Promise((resolve) => {
          const cancelled = { outcome: { outcome: "cancelled" } } as const;
          signal.addEventListener("abort", () => resolve(cancelled));
        }),
    });
    const sessionId = await client.begin(folder.root);
    const stopped = client.prompt(sessionId, "Change it.");
    await client.until(() => client.permissions[0]);
    await client.agent.notify(methods.agent.session.cancel, { sessionId });
    assert.equal(await stopped, "cancelled");
    assert.equal(folder.read("a.txt"), "stored\n");
    assert.equal(await client.prompt(sessionId, "And now?"), "end_turn");
  });
});

Deno.test("session/load tells all that was said and done before, session/resume tells nothing of it", async () => {
  await withAgent([EDIT, "It is done.", "More."], async ({ folder, connect, restart }) => {
    const first = await connect();
    const sessionId = await first.begin(folder.root);
    await first.prompt(sessionId, "Change it.");
    await restart();
    const client = await connect();
    const { sessions } = await client.agent.request(methods.agent.session.list, {});
    assert.deepEqual(
      sessions.map((session) => [session.sessionId, session.cwd, session.title]),
      [[sessionId, folder.root, "Change it."]],
    );
    const known = { sessionId, cwd: folder.root, mcpServers: [] };
    await client.agent.request(methods.agent.session.load, known);
    const told = all(client.updates, ({ sessionUpdate }) => sessionUpdate);
    const history = told.filter((kind) => !/commands|info/.test(kind));
    assert.deepEqual(history, [
      "user_message_chunk",
      "tool_call",
      "tool_call_update",
      "agent_message_chunk",
    ]);
    assert.equal(client.words("agent_message_chunk"), "It is done.");
    const second = await connect();
    await second.agent.request(methods.agent.session.resume, known);
    await second.prompt(sessionId, "Go on.");
    assert.equal(second.words("agent_message_chunk"), "More.");
    assert.equal(second.words("user_message_chunk"), "");
    // The other client is on it, too.
    await client.until(() =>
      client.words("agent_message_chunk") === "It is done.More." ? true : undefined
    );
    assert.equal(client.words("user_message_chunk"), "Change it.Go on.");
  });
});

Deno.test("of several clients each is asked, the first answer counts, and the others' question is taken back", async () => {
  await withAgent([EDIT, "It is done."], async ({ folder, connect }) => {
    let isTakenBack = false;
    const slow = await connect({
      permission: ({ options }, signal) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            isTakenBack = true;
            resolve(select(options, "reject_once"));
          });
        }),
    });
    const sessionId = await slow.begin(folder.root);
    const quick = await connect({
      permission: async ({ options }) => {
        await slow.until(() => slow.permissions[0]);
        return select(options, "allow_once");
      },
    });
    const known = { sessionId, cwd: folder.root, mcpServers: [] };
    await quick.agent.request(methods.agent.session.resume, known);
    assert.equal(await slow.prompt(sessionId, "Change it."), "end_turn");
    assert.equal(folder.read("a.txt"), "changed\n");
    assert.equal(isTakenBack, true);
    await quick.until(() => quick.words("agent_message_chunk") === "It is done." || undefined);
    assert.equal(quick.words("user_message_chunk"), "Change it.");
  });
});

Deno.test("in the mode plan nothing is changed; the mode is told to every client", async () => {
  await withAgent(
    [EDIT, { expect: "edit_file is not allowed now", text: "I would." }],
    async (agent) => {
      const { folder, connect } = agent;
      const client = await connect();
      const sessionId = await client.begin(folder.root);
      await client.agent.request(methods.agent.session.setMode, { sessionId, modeId: "plan" });
      assert.equal(await client.prompt(sessionId, "Change it."), "end_turn");
      assert.equal(folder.read("a.txt"), "stored\n");
      assert.deepEqual(client.permissions, []);
      const modes = all(
        client.updates,
        (update) =>
          update.sessionUpdate === "current_mode_update" ? update.currentModeId : undefined,
      );
      assert.deepEqual(modes, ["plan"]);
      const wrong = { sessionId, modeId: "fast" };
      await assert.rejects(
        client.agent.request(methods.agent.session.setMode, wrong),
        /is no mode/,
      );
    },
  );
});

Deno.test("a file that is open in an editor is read as the editor has it", async () => {
  await withAgent([READ, { expect: "typed", text: "Seen." }], async ({ folder, connect }) => {
    const client = await connect({ open: { [`${folder.root}/a.txt`]: "typed\n" } });
    const sessionId = await client.begin(folder.root);
    assert.equal(await client.prompt(sessionId, "Read it."), "end_turn");
    assert.equal(client.words("agent_message_chunk"), "Seen.");
  });
});

Deno.test("a prompt may be a command of the chat", async () => {
  await withAgent([EDIT, "It is done."], async ({ folder, connect }) => {
    const client = await connect();
    const sessionId = await client.begin(folder.root);
    const commands = await client.until(() =>
      all(
        client.updates,
        (update) =>
          update.sessionUpdate === "available_commands_update"
            ? update.availableCommands.map(({ name }) => name)
            : undefined,
      )[0]
    );
    assert.ok(commands.includes("undo") && commands.includes("goal") && !commands.includes("exit"));
    await client.prompt(sessionId, "/hlep");
    assert.match(client.words("agent_message_chunk"), /no command \/hlep.*\/help/);
    await client.prompt(sessionId, "/help");
    assert.match(client.words("agent_message_chunk"), /^- `\/undo \[N\]`: take back/m);
    await client.prompt(sessionId, "Change it.");
    assert.equal(folder.read("a.txt"), "changed\n");
    assert.equal(await client.prompt(sessionId, "/undo"), "end_turn");
    assert.equal(folder.read("a.txt"), "stored\n");
    assert.match(client.permissions.at(-1)?.toolCall.title ?? "", /Take this back/);
    await assert.rejects(client.prompt(sessionId, "/undo x"), /takes how many checkpoints/);
  });
});

/** What a model answers that reaches a goal in one task, and what it finds there. */
const GOAL_SCRIPT = [
  { calls: [{ tool: "ask_user", input: { question: "Which way?", options: ["left", "right"] } }] },
  "Add goes wrong.",
  {
    calls: [{
      tool: "submit_plan",
      input: {
        summary: "Mend it.",
        tasks: [{ id: "1", title: "Mend add", files: ["add.js"], acceptance: "It adds." }],
      },
    }],
  },
  {
    calls: [
      { tool: "edit_file", input: { path: "add.js", old_text: "a - b", new_text: "a + b" } },
      { tool: "finish_task", input: { summary: "It adds." } },
    ],
  },
  "It adds now.",
];
const GOAL_FILES = {
  "package.json": '{ "scripts": { "test": "node test.js" } }',
  "add.js": "module.exports = (a, b) => a - b;\n",
  "test.js": "if (require('./add.js')(2, 3) !== 5) { console.log('not 5'); process.exit(1); }\n",
};

Deno.test("in the mode goal a message is planned, carried out, checked and shipped, with the client's word at each gate", async () => {
  await withAgent(GOAL_SCRIPT, async ({ folder, connect }) => {
    for (const [path, text] of Object.entries(GOAL_FILES)) folder.write(path, text);
    folder.commitAll();
    const client = await connect({
      form: ({ message }) => ({
        action: "accept",
        content: message === "Which way?" ? { words: "straight on" } : { choice: "carry it out" },
      }),
    });
    const sessionId = await client.begin(folder.root);
    await client.agent.request(methods.agent.session.setMode, { sessionId, modeId: "goal" });
    assert.equal(await client.prompt(sessionId, "Mend add."), "end_turn");
    assert.deepEqual(all(client.updates, accepted), ["null"]);
    assert.equal(client.forms.length, 2);
    assert.match(folder.read(`sessions/${sessionId}/0.jsonl`), /"text":"straight on"/);
    const plans = all(
      client.updates,
      (update) =>
        update.sessionUpdate === "plan"
          ? update.entries.map(({ content, status }) => `${content} ${status}`).join()
          : undefined,
    );
    assert.equal(plans[0], "1: Mend add pending");
    assert.equal(plans.at(-1), "1: Mend add completed");
    const checks = all(
      client.updates,
      (update) =>
        "toolCallId" in update && /^check-/.test(update.toolCallId)
          ? `${update.toolCallId} ${update.status}`
          : undefined,
    );
    assert.deepEqual(checks.slice(0, 2), ["check-1 in_progress", "check-1 failed"]);
    assert.equal(checks.at(-1)?.split(" ")[1], "completed");
    assert.match(client.permissions.at(-1)?.toolCall.title ?? "", /Commit this now/);
    assert.match(client.words("agent_message_chunk"), /Verified.*Shipped: commit/s);
    assert.match(folder.run("log", "-1", "--format=%s"), /: mend add$/m);
    assert.equal(client.words("user_message_chunk"), "");
  });
});

/** An MCP server with one tool, as a program for node. */
const SERVER = `
  const tool = { name: "go", description: "Goes.", inputSchema: { type: "object" } };
  const init = { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } };
  const said = [{ type: "text", text: "gone " + process.env.WHERE }];
  require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line);
    const results = { initialize: init, "tools/list": { tools: [tool] }, "tools/call": { content: said } };
    const result = results[method];
    if (result !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
  });`;

Deno.test("an MCP server that a client brings is started with its leave, and its tools are called", async () => {
  const call = { calls: [{ tool: "call_tool", input: { name: "my-tools/go" } }] };
  await withAgent([call, { expect: "gone home", text: "Done." }], async ({ folder, connect }) => {
    const client = await connect();
    const env = [{ name: "WHERE", value: "home" }];
    const begun: NewSessionResponse = await client.agent.request(methods.agent.session.new, {
      cwd: folder.root,
      mcpServers: [{ name: "my tools", command: "node", args: ["-e", SERVER], env }],
    });
    assert.equal(await client.prompt(begun.sessionId, "Go."), "end_turn");
    assert.deepEqual(client.permissions.map(({ toolCall }) => toolCall.title), [
      "start the server my-tools, outside the sandbox",
      "call my-tools/go",
    ]);
    assert.equal(client.words("agent_message_chunk"), "Done.");
  });
});

Deno.test("the model and its effort are options, before the first message and behind it", async () => {
  await withAgent(["Hello.", "Harder."], async ({ folder, connect }) => {
    const client = await connect();
    const sessionId = await client.begin(folder.root);
    const set = async (configId: string, value: string) => {
      const response: SetSessionConfigOptionResponse = await client.agent.request(
        methods.agent.session.setConfigOption,
        { sessionId, configId, value },
      );
      return response.configOptions.map(({ currentValue }) => currentValue);
    };
    const model = `script:${folder.root}/answers.script`;
    assert.deepEqual(await set("effort", "low"), [model, "low"]);
    await client.prompt(sessionId, "Hi.");
    assert.deepEqual(await set("effort", "high"), [model, "high"]);
    await client.until(() =>
      all(client.updates, ({ sessionUpdate }) => sessionUpdate).find((kind) =>
        kind === "config_option_update"
      )
    );
    await client.prompt(sessionId, "Try harder.");
    assert.equal(client.words("agent_message_chunk"), "Hello.Harder.");
    await assert.rejects(set("effort", "enormous"), /is no effort/);
    await assert.rejects(set("colour", "red"), /is no option/);
    await assert.rejects(set("model", "nobody:x"), /nobody/);
    assert.deepEqual(await set("model", model), [model, "high"]);
  });
});

Deno.test("session/list goes on where its last page ended, and says when that cannot be", async () => {
  await withAgent(["Hello."], async ({ folder, connect }) => {
    const ids = Array.from(
      { length: 230 },
      (_, n) => `20260101-000000-0${String(n).padStart(3, "0")}`,
    );
    for (const id of ids) Deno.mkdirSync(`${folder.root}/sessions/${id}`, { recursive: true });
    const { agent } = await connect();
    const pages: ListSessionsResponse[] = [];
    do {
      const cursor = pages.at(-1)?.nextCursor ?? null;
      pages.push(await agent.request(methods.agent.session.list, { cursor }));
    } while (pages.at(-1)?.nextCursor !== undefined);
    assert.deepEqual(pages.map(({ sessions }) => sessions.length), [100, 100, 30]);
    const listed = pages.flatMap(({ sessions }) => sessions.map(({ sessionId }) => sessionId));
    assert.deepEqual(listed.sort(), ids);
    const gone = { cursor: "20260101-000000-ffff" };
    await assert.rejects(agent.request(methods.agent.session.list, gone), /from its beginning/);
  });
});

Deno.test("what a client cannot be on is refused with the protocol's codes", async () => {
  await withAgent(["Hello."], async ({ folder, connect }) => {
    const client = await connect();
    const code = (number: number) => (error: unknown) =>
      error instanceof RequestError && error.code === number;
    const unknown = { sessionId: "20260101-000000-0000", cwd: folder.root, mcpServers: [] };
    await assert.rejects(client.agent.request(methods.agent.session.load, unknown), code(-32002));
    await assert.rejects(client.prompt(unknown.sessionId, "Hi."), code(-32002));
    const sse = { type: "sse", name: "old", url: "https://example.org", headers: [] } as const;
    const brought = { cwd: folder.root, mcpServers: [sse] };
    await assert.rejects(client.agent.request(methods.agent.session.new, brought), code(-32602));
    const more = { cwd: folder.root, mcpServers: [], additionalDirectories: ["/elsewhere"] };
    await assert.rejects(client.agent.request(methods.agent.session.new, more), /\/elsewhere/);
    const sessionId = await client.begin(folder.root);
    await assert.rejects(client.prompt(sessionId, " "), code(-32602));
    assert.equal(await client.prompt(sessionId, "Hi."), "end_turn");
    await client.agent.request(methods.agent.session.close, { sessionId });
    await assert.rejects(client.prompt(sessionId, "Hi."), code(-32002));
    await assert.rejects(connect().then((other) => other.prompt(sessionId, "Hi.")), code(-32002));
  });
});

Deno.test("a prompt that waits is acknowledged, and outlives m31a", async () => {
  const script = [EDIT, "It is done.", "About the second.", "About the third."];
  await withAgent(script, async ({ folder, connect, restart }) => {
    const client = await connect({ permission: () => new Promise(() => {}) });
    const sessionId = await client.begin(folder.root);
    const stopped = [client.prompt(sessionId, "Change it."), client.prompt(sessionId, "second")];
    await client.until(() => client.permissions[0]);
    await client.until(() => all(client.updates, accepted).length === 2 || undefined);
    assert.match(folder.read(`sessions/${sessionId}/queue.json`), /"second"/);
    await restart();
    assert.deepEqual(await Promise.all(stopped), ["cancelled", "cancelled"]);
    const next = await connect();
    const known = { sessionId, cwd: folder.root, mcpServers: [] };
    await next.agent.request(methods.agent.session.load, known);
    const waiting = all(next.updates, ({ _meta }) => {
      const text = JSON.stringify(_meta?.m31a ?? {});
      return text.includes('"waiting":[{') ? text : undefined;
    });
    assert.match(waiting[0] ?? "", /"text":"second"/);
    await next.prompt(sessionId, "third");
    const said = folder.read(`sessions/${sessionId}/0.jsonl`);
    assert.match(said, /"text":"Change it\.".*"text":"second".*"text":"third"/s);
  });
});

Deno.test("a client that takes events comes back to what it has not got, none lost and none doubled", async () => {
  await withAgent([READ, "Read.", READ, "Again."], async ({ folder, connect }) => {
    const capabilities = { _meta: { m31a: { events: true } } };
    const steady = await connect({ capabilities });
    const sessionId = await steady.begin(folder.root);
    const known = { sessionId, cwd: folder.root, mcpServers: [] };
    const leaving = await connect({ capabilities });
    await leaving.agent.request(methods.agent.session.resume, known);
    await steady.prompt(sessionId, "one");
    const reply = await leaving.until(() =>
      leaving.events.find(({ body }) => body.type === "reply")
    );
    await leaving.close();
    const got = leaving.events.slice(0, leaving.events.indexOf(reply) + 1);
    await steady.prompt(sessionId, "two");
    const back = await connect({ capabilities });
    await back.agent.request(methods.agent.session.resume, {
      ...known,
      _meta: { m31a: { after: reply.number } },
    });
    const numbers = (events: ConversationEvent[]) =>
      events.filter(({ seq }) => seq !== undefined).map(({ number }) => number);
    assert.deepEqual(numbers([...got, ...back.events]), numbers(steady.events));
    assert.deepEqual(steady.updates.filter(({ update }) => "content" in update), []);
  });
});

Deno.test("m31a's own methods say how a conversation stands, and refuse what makes no sense", async () => {
  await withAgent(["Hello."], async ({ folder, connect }) => {
    const client = await connect({ capabilities: { _meta: { m31a: { events: true } } } });
    const sessionId = await client.begin(folder.root);
    await client.prompt(sessionId, "Hi.");
    const status: unknown = await client.agent.request("_m31a/status", { sessionId });
    assert.match(JSON.stringify(status), /"mode":"chat","activity":"idle","questions":\[\]/);
    assert.match(JSON.stringify(await client.agent.request("_m31a/stats", {})), /"sessions"/);
    const answer = { kind: "choice", text: "x" };
    const asked = { sessionId, question: "none", answer };
    assert.deepEqual(await client.agent.request("_m31a/answer", asked), { counts: false });
    await assert.rejects(
      client.agent.request("_m31a/undo", { sessionId, steps: 0 }),
      (error) => error instanceof RequestError && error.code === -32602,
    );
    const elsewhere = { sessionId: "20260101-000000-0000" };
    await assert.rejects(
      client.agent.request("_m31a/ship", elsewhere),
      (error) => error instanceof RequestError && error.code === -32002,
    );
    await assert.rejects(client.agent.request("_m31a/nothing", {}), /not found/i);
    const steered = { sessionId, text: "And now?" };
    assert.deepEqual(await client.agent.request("_m31a/steer", steered), {});
    assert.match(folder.read(`sessions/${sessionId}/0.jsonl`), /"text":"And now\?"/);
    assert.deepEqual(client.words("agent_message_chunk"), "", "it has asked for events");
  });
});

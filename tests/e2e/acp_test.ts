/** `m31a acp`, the executable, with the SDK's client: what is typed outlives it, and other projects are served. */
import assert from "node:assert/strict";
import { type ListSessionsResponse, methods, type SessionUpdate } from "@agentclientprotocol/sdk";
import { join } from "@std/path";
import { AcpProcess } from "../support/acp_process.ts";
import type { AcpClient } from "../support/acp_client.ts";
import { type Project, withProject } from "../support/project.ts";
import { ModelServer, strictly } from "../support/servers/mod.ts";
import { openAi } from "./protocols.ts";
import { assertSound } from "./soundness.ts";

const EDIT = {
  calls: [{
    tool: "edit_file",
    input: { path: "src/greet.ts", old_text: "Hello", new_text: "Good day" },
  }],
};

/** Waits for an update of a kind. */
async function until(
  client: AcpClient,
  kind: SessionUpdate["sessionUpdate"],
  isIt: (update: SessionUpdate) => boolean = () => true,
): Promise<void> {
  await client.until(() =>
    client.updates.some(({ update }) => update.sessionUpdate === kind && isIt(update)) || undefined
  );
}

/** A client that is on the session, and has been told all of it. */
async function loaded(agent: AcpProcess, project: Project, sessionId: string): Promise<AcpClient> {
  const { client } = agent;
  await client.initialize();
  const known = { sessionId, cwd: project.root, mcpServers: [] };
  await client.agent.request(methods.agent.session.load, known);
  return client;
}

Deno.test("acp killed in a reply, at a question and in a command loses no message that it has acknowledged", async () => {
  await using server = ModelServer.start(strictly([
    { text: "This half must never be seen again.", isStalled: true, endBeforeEvent: 4 },
    EDIT,
    { calls: [{ tool: "run_command", input: { command: "echo begun; sleep 60" } }] },
    { text: "All four." },
  ]));
  await withProject(async (project) => {
    project.use(openAi(server));
    let sessionId = "";
    {
      await using agent = new AcpProcess(project);
      const { client } = agent;
      await client.initialize();
      sessionId = await client.begin(project.root);
      client.prompt(sessionId, "one").catch(() => {});
      await until(client, "session_info_update", ({ _meta }) => "accepted" in Object(_meta?.m31a));
      assert.match(Deno.readTextFileSync(project.sessionFile("0.jsonl")), /"text":"one"/);
      await until(client, "agent_message_chunk");
      await agent.kill();
    }
    {
      const answer = Promise.withResolvers<never>();
      await using agent = new AcpProcess(project, { permission: () => answer.promise });
      const client = await loaded(agent, project, sessionId);
      assert.equal(client.words("user_message_chunk"), "one");
      assert.match(client.words("agent_thought_chunk"), /has had no answer.*"one"/);
      client.prompt(sessionId, "two").catch(() => {});
      await client.until(() => client.permissions[0]);
      await agent.kill();
    }
    {
      await using agent = new AcpProcess(project);
      const client = await loaded(agent, project, sessionId);
      assert.equal(client.words("user_message_chunk"), "onetwo");
      client.prompt(sessionId, "three").catch(() => {});
      await until(
        client,
        "tool_call_update",
        (update) => JSON.stringify(update).includes("begun\\n"),
      );
      await agent.kill();
    }
    await using agent = new AcpProcess(project);
    const client = await loaded(agent, project, sessionId);
    assert.equal(client.words("user_message_chunk"), "onetwothree");
    assert.equal(await client.prompt(sessionId, "four"), "end_turn");
    assert.equal(client.words("agent_message_chunk"), "All four.");
    const asked = server.bodies.at(-1) ?? "";
    for (const word of ["one", "two", "three", "four"]) {
      assert.ok(asked.includes(`"${word}"`), word);
    }
    assert.ok(!asked.includes("This half"));
    const { code, stderr } = await agent.leave();
    assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
    await assertSound(project);
  });
});

Deno.test("acp serves another project by an m31a that is started there, and ends it with the editor", async () => {
  await using server = ModelServer.start(strictly([EDIT, { text: "It is done." }]));
  await withProject(async (project) => {
    project.use(openAi(server));
    const other = join(project.outside, "other");
    Deno.mkdirSync(join(other, "src"), { recursive: true });
    Deno.writeTextFileSync(join(other, "src", "greet.ts"), 'console.log("Hello");\n');
    await project.git("init", "--quiet", other);
    await using agent = new AcpProcess(project);
    const { client } = agent;
    await client.initialize();
    const sessionId = await client.begin(other);
    assert.equal(await client.prompt(sessionId, "Greet better."), "end_turn");
    assert.match(Deno.readTextFileSync(join(other, "src", "greet.ts")), /Good day/);
    assert.match(Deno.readTextFileSync(join(project.root, "src", "greet.ts")), /Hello/);
    assert.ok(Deno.statSync(join(other, "sessions", sessionId)).isDirectory);
    const listed: ListSessionsResponse = await client.agent.request(methods.agent.session.list, {
      cwd: other,
    });
    assert.deepEqual(listed.sessions.map((session) => session.sessionId), [sessionId]);
    const { code, stderr } = await agent.leave();
    assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  });
});

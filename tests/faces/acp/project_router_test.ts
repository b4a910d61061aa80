/** Sessions in other projects: agents in memory in place of other processes. */
import assert from "node:assert/strict";
import { agent, type AgentApp, methods, RequestError } from "@agentclientprotocol/sdk";
import { isInProject, routeProjects } from "../../../src/faces/acp/project_router.ts";
import { streamPair } from "../../support/acp_agent.ts";
import { withTemporaryFolder } from "../../support/temporary.ts";
import { AcpClient } from "../../support/acp_client.ts";

/** An agent with one session, which asks and says in it where it is. */
function agentIn(place: string): AgentApp {
  return agent({ name: place })
    .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1 }))
    .onRequest(methods.agent.session.new, () => ({ sessionId: `session-${place}` }))
    .onRequest(methods.agent.session.prompt, async ({ params, client, signal }) => {
      const { sessionId } = params;
      const content = { type: "text", text: place } as const;
      await client.notify(methods.client.session.update, {
        sessionId,
        update: { sessionUpdate: "agent_message_chunk", content },
      });
      const { outcome } = await client.request(methods.client.session.requestPermission, {
        sessionId,
        toolCall: { toolCallId: "1" },
        options: [{ optionId: place, name: place, kind: "allow_once" }],
      });
      const isWaiting = params.prompt.length === 0;
      if (isWaiting && !signal.aborted) {
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      }
      if (signal.aborted) return { stopReason: "cancelled" };
      const isMine = outcome.outcome === "selected" && outcome.optionId === place;
      return { stopReason: isMine ? "end_turn" : "refusal" };
    });
}

/** A client of an agent in /here, with agents in other folders that are started when they are needed. */
function projects(canStart = true): { client: AcpClient; started: string[]; stop: () => void } {
  const [clientEnd, agentEnd] = streamPair();
  const started: string[] = [];
  const stops: (() => void)[] = [];
  const start = (cwd: string) => {
    if (cwd === "/broken") throw new Error("no such folder");
    started.push(cwd);
    const [ours, theirs] = streamPair();
    const connection = agentIn(cwd.slice(1)).connect(theirs);
    stops.push(() => {
      connection.close();
      theirs.writable.close().catch(() => {});
    });
    return ours;
  };
  const isHere = (cwd: string) => cwd === "/here";
  agentIn("here").connect(routeProjects(agentEnd, { isHere, ...(canStart && { start }) }));
  return { client: new AcpClient(clientEnd), started, stop: () => stops.forEach((stop) => stop()) };
}

Deno.test("routeProjects() serves each folder by an agent of its own, and keeps their questions apart", async () => {
  const { client, started } = projects();
  await client.initialize();
  const ids = [
    await client.begin("/here"),
    await client.begin("/there"),
    await client.begin("/beyond"),
    await client.begin("/there"),
  ];
  assert.deepEqual(ids, ["session-here", "session-there", "session-beyond", "session-there"]);
  assert.deepEqual(started, ["/there", "/beyond"]);
  const reasons = await Promise.all(ids.slice(0, 3).map((id) => client.prompt(id, "where?")));
  assert.deepEqual(reasons, ["end_turn", "end_turn", "end_turn"]);
  const said = client.updates.map(({ sessionId }) => sessionId).sort();
  assert.deepEqual(said, ["session-beyond", "session-here", "session-there"]);
  await client.close();
});

Deno.test("routeProjects() hands on that a request is cancelled", async () => {
  const { client } = projects();
  await client.initialize();
  const sessionId = await client.begin("/there");
  const cancelling = new AbortController();
  const response = client.agent.request(methods.agent.session.prompt, { sessionId, prompt: [] }, {
    cancellationSignal: cancelling.signal,
  });
  await client.until(() => client.permissions[0]);
  cancelling.abort();
  assert.deepEqual(await response, { stopReason: "cancelled" });
  await client.close();
});

Deno.test("routeProjects() says so when another project cannot be served, or its agent has ended", async () => {
  const refusal = (message: RegExp) => (error: unknown) =>
    error instanceof RequestError && message.test(error.message);
  const lonely = projects(false);
  await lonely.client.initialize();
  await assert.rejects(lonely.client.begin("/there"), refusal(/^\/there: .*and no other$/));
  await lonely.client.close();
  const { client, stop } = projects();
  await client.initialize();
  await assert.rejects(client.begin("/broken"), refusal(/^\/broken: no such folder$/));
  const sessionId = await client.begin("/there");
  const response = client.agent.request(methods.agent.session.prompt, { sessionId, prompt: [] });
  await client.until(() => client.permissions[0]);
  stop();
  await assert.rejects(response, refusal(/there has ended; load the session again/));
  await client.close();
});

Deno.test("isInProject() takes folders of the project, and none that is a project of its own", () =>
  withTemporaryFolder((folder) => {
    const root = `${folder}/project`;
    Deno.mkdirSync(`${root}/packages/a`, { recursive: true });
    Deno.mkdirSync(`${root}/vendor/b/.git`, { recursive: true });
    const isIn = (cwd: string) => isInProject(root, cwd);
    assert.deepEqual([root, `${root}/`, `${root}/packages/a`].map(isIn), [true, true, true]);
    const others = [folder, "/", `${root}-2`, `${root}/../x`, `${root}/vendor/b`];
    assert.deepEqual(others.map(isIn), others.map(() => false));
  }));

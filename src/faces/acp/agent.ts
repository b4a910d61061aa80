/**
 * m31a as an agent of the Agent Client Protocol, for one client at the other end of a stream.
 * Rule: it does not know what the stream runs over, nor who else is on a conversation.
 */
import { agent, type AgentConnection, methods, type Stream } from "@agentclientprotocol/sdk";
import { answered } from "./acp_error.ts";
import { ClientFace } from "./client_face.ts";
import { OWN_METHODS } from "./own_methods.ts";
import type { AcpPlace } from "./place.ts";

/** Serves the client at the other end of `stream`, until either closes it. */
export function serveClient(place: AcpPlace, stream: Stream): AgentConnection {
  const { initialize, authenticate, session } = methods.agent;
  const { promise: client, resolve: meet } = Promise.withResolvers<ClientFace>();
  const app = agent({ name: "m31a" })
    .onConnect((connection) => meet(new ClientFace(place, connection.client)))
    .onRequest(initialize, async ({ params }) => (await client).introduce(params))
    .onRequest(authenticate, () => answered(async () => await (await client).authenticate()))
    .onRequest(
      session.new,
      ({ params }) => answered(async () => await (await client).begin(params)),
    )
    .onRequest(
      session.load,
      ({ params }) => answered(async () => await (await client).load(params)),
    )
    .onRequest(
      session.resume,
      ({ params }) => answered(async () => await (await client).resume(params)),
    )
    .onRequest(session.list, ({ params }) => answered(async () => (await client).list(params)))
    .onRequest(
      session.close,
      ({ params }) => answered(async () => await (await client).closeSession(params)),
    )
    .onRequest(
      session.setMode,
      ({ params }) => answered(async () => (await client).setMode(params)),
    )
    .onRequest(
      session.setConfigOption,
      ({ params }) => answered(async () => await (await client).setOption(params)),
    )
    .onRequest(
      session.prompt,
      ({ params }) => answered(async () => await (await client).prompt(params)),
    )
    .onNotification(session.cancel, async ({ params }) => (await client).cancel(params));
  for (const [name, run] of Object.entries(OWN_METHODS)) {
    const handler = ({ params }: { params: unknown }) =>
      answered(async () => await run(await client, params));
    app.onRequest(name, (params: unknown) => params, handler);
  }
  const connection = app.connect(stream);
  connection.closed.then(async () => (await client).close());
  return connection;
}

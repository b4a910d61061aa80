/** The socket of a live conversation: whose it is, what is left of a killed one, and who is there. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import type { AnyMessage } from "@agentclientprotocol/sdk";
import { connectionStream } from "../../../src/faces/live/connection_stream.ts";
import { connectLive, listenLive, type LivePlace } from "../../../src/faces/live/live_socket.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import { withTemporaryFolder } from "../../support/temporary.ts";

const SESSION = "20261130-120000-abcd";

async function echo(client: Deno.Conn): Promise<void> {
  const { readable, writable } = connectionStream(client, systemClock);
  // A client that goes ends it, in whatever way.
  await readable.pipeTo(writable).catch(() => {});
}

async function withPlace(test: (place: LivePlace, path: string) => Promise<void>): Promise<void> {
  await withTemporaryFolder(async (root) => {
    const folder = join(root, "sessions", SESSION);
    Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
    await test({ root, session: SESSION }, join(folder, "live.sock"));
  });
}

async function said(place: LivePlace, message: AnyMessage): Promise<AnyMessage | undefined> {
  const connection = await connectLive(place);
  assert.ok(connection !== undefined);
  const stream = connectionStream(connection, systemClock);
  const writer = stream.writable.getWriter();
  const reader = stream.readable.getReader();
  await writer.write(message);
  const { value } = await reader.read();
  await writer.close();
  return value;
}

const NOTE = { jsonrpc: "2.0", method: "a", params: { text: "x".repeat(300_000) } } as const;

Deno.test("listenLive() serves clients on a socket that is its user's alone, and removes it", () =>
  withPlace(async (place, path) => {
    const live = listenLive(place, echo);
    assert.equal((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
    assert.deepEqual(await Promise.all([said(place, NOTE), said(place, NOTE)]), [NOTE, NOTE]);
    live.close();
    assert.throws(() => Deno.lstatSync(path), Deno.errors.NotFound);
    assert.equal(await connectLive(place), undefined);
  }));

Deno.test("listenLive() replaces the socket that a killed process has left, to which nobody connects", () =>
  withPlace(async (place, path) => {
    const left = Deno.listen({ transport: "unix", path });
    left.close();
    assert.ok(Deno.lstatSync(path).isSocket);
    assert.equal(await connectLive(place), undefined);
    const live = listenLive(place, echo);
    assert.deepEqual(await said(place, NOTE), NOTE);
    live.close();
  }));

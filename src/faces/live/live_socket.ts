/**
 * The Unix socket of a conversation that is held by a process: sessions/<id>/live.sock.
 * Rule: its user's alone, and made by whoever holds the lock of the session's log; what a killed process has left is
 * replaced. The path is relative, because systems allow a socket's path about a hundred bytes.
 */
import { join, relative } from "@std/path";
import { ndJsonStream, type Stream } from "@agentclientprotocol/sdk";
import type { Clock } from "../../platform/clock.ts";
import { M31aError } from "../../platform/errors.ts";
import { removeIfExists } from "../../platform/files.ts";
import { sessionDirectory } from "../../session/layout.ts";
import { LARGEST_MESSAGE, STUCK_MS } from "../serve/client_stream.ts";

/** A socket that is listened on. */
export interface LiveSocket {
  /** Takes no new client, lets those that are there go, and removes the socket. */
  close(): void;
}

/** Whose conversation it is. */
export interface LivePlace {
  /** The project's root. */
  root: string;
  /** The session's id. */
  session: string;
}

function pathOf({ root, session }: LivePlace): string {
  return join(relative(Deno.cwd(), root), sessionDirectory(session), "live.sock");
}

/**
 * Listens. To be called by whoever holds the lock of the session's log.
 *
 * @param serveClient serves one client until its stream ends
 * @throws {M31aError} when a socket cannot be made there
 */
export function listenLive(
  place: LivePlace,
  clock: Clock,
  serveClient: (stream: Stream) => Promise<void>,
): LiveSocket {
  const path = pathOf(place);
  removeIfExists(path);
  const listener = bound(path);
  const clients = new Set<Deno.Conn>();
  const accept = async () => {
    for await (const client of listener) {
      clients.add(client);
      serveClient(connectionStream(client, clock)).finally(() => {
        clients.delete(client);
        closed(client);
      });
    }
  };
  let isClosed = false;
  accept().catch((error) => {
    // Waiting for the next client is cut off by the end.
    if (!isClosed) throw error;
  });
  return {
    close() {
      isClosed = true;
      listener.close();
      for (const client of clients) closed(client);
      removeIfExists(path);
    },
  };
}

/**
 * Connects to a conversation that another process holds; undefined when none does.
 */
export async function connectLive(place: LivePlace, clock: Clock): Promise<Stream | undefined> {
  try {
    const connection = await Deno.connect({ transport: "unix", path: pathOf(place) });
    return connectionStream(connection, clock);
  } catch (error) {
    const isNobodyThere = error instanceof Deno.errors.NotFound ||
      error instanceof Deno.errors.ConnectionRefused;
    if (isNobodyThere) return undefined;
    throw error;
  }
}

function bound(path: string): Deno.UnixListener {
  try {
    const listener = Deno.listen({ transport: "unix", path });
    Deno.chmodSync(path, 0o600);
    return listener;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new M31aError(`${path}: nobody can attach to this conversation: ${error.message}`, 1);
  }
}

/** A connection as a stream of messages, one a line. */
function connectionStream(connection: Deno.Conn, clock: Clock): Stream {
  const writable = new WritableStream<Uint8Array>({
    write: (bytes) => writeAll(connection, bytes, clock),
    close: () => closed(connection),
  });
  return ndJsonStream(writable, connection.readable, { maxMessageBytes: LARGEST_MESSAGE });
}

/** Writes all of it, as fast as the other side takes it; one that takes nothing for too long is let go. */
async function writeAll(connection: Deno.Conn, bytes: Uint8Array, clock: Clock): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    const timer = new AbortController();
    const stuck = clock.sleep(STUCK_MS, timer.signal).then(() => {
      closed(connection);
      throw new Error("the other side reads nothing");
    });
    // The timer that is stopped rejects, and nobody waits for it any more.
    stuck.catch(() => {});
    written += await Promise.race([connection.write(bytes.subarray(written)), stuck]);
    timer.abort();
  }
}

function closed(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch (error) {
    if (!(error instanceof Deno.errors.BadResource)) throw error;
  }
}

/**
 * The Unix socket of a conversation that is held by a process: sessions/<id>/live.sock.
 * Rule: its user's alone, and made by whoever holds the lock of the session's log; what a killed process has left is
 * replaced. The path is relative, because systems allow a socket's path about a hundred bytes.
 */
import { join, relative } from "@std/path";
import { messageOf, WorkFailed } from "../../platform/errors.ts";
import { removeIfExists } from "../../platform/files.ts";
import { sessionDirectory } from "../../session/layout.ts";

/** Whose conversation it is. */
export interface LivePlace {
  /** The project's root. */
  root: string;
  /** The session's id. */
  session: string;
}

/** A socket that is listened on. */
export interface LiveSocket {
  /** Takes no new client, lets those that are there go, and removes the socket. */
  close(): void;
}

function pathOf({ root, session }: LivePlace): string {
  return join(relative(Deno.cwd(), root), sessionDirectory(session), "live.sock");
}

/**
 * Listens. To be called by whoever holds the lock of the session's log.
 *
 * @param serve serves one client, and resolves when it has gone
 * @throws {WorkFailed} when a socket cannot be made there
 */
export function listenLive(
  place: LivePlace,
  serve: (client: Deno.Conn) => Promise<void>,
): LiveSocket {
  const path = pathOf(place);
  removeIfExists(path);
  const listener = bound(path);
  const clients = new Set<Deno.Conn>();
  const accept = async () => {
    for await (const client of listener) {
      clients.add(client);
      serve(client).finally(() => {
        clients.delete(client);
        closeConnection(client);
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
      for (const client of clients) closeConnection(client);
      removeIfExists(path);
    },
  };
}

/** Connects to a conversation that another process holds; undefined when none does. */
export async function connectLive(place: LivePlace): Promise<Deno.Conn | undefined> {
  try {
    return await Deno.connect({ transport: "unix", path: pathOf(place) });
  } catch (error) {
    const isNobodyThere = error instanceof Deno.errors.NotFound ||
      error instanceof Deno.errors.ConnectionRefused;
    if (isNobodyThere) return undefined;
    throw error;
  }
}

/** Closes it, if it is open. */
export function closeConnection(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch (error) {
    if (!(error instanceof Deno.errors.BadResource)) throw error;
  }
}

function bound(path: string): Deno.UnixListener {
  try {
    const listener = Deno.listen({ transport: "unix", path });
    Deno.chmodSync(path, 0o600);
    return listener;
  } catch (error) {
    throw new WorkFailed(
      `${path}: nobody can attach to this conversation: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

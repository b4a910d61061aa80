/**
 * A connection over a live conversation's socket as a stream of the protocol's messages, one a line.
 * Rule: a write ends when the other side has taken it; one that takes nothing for too long is let go.
 */
import { ndJsonStream, type Stream } from "@agentclientprotocol/sdk";
import type { Clock } from "../../platform/clock.ts";
import { LARGEST_MESSAGE, STUCK_MS } from "../serve/client_stream.ts";
import { closeConnection } from "./live_socket.ts";

/** See the head of this file. */
export function connectionStream(connection: Deno.Conn, clock: Clock): Stream {
  const writable = new WritableStream<Uint8Array>({
    write: (bytes) => writeAll(connection, bytes, clock),
    close: () => closeConnection(connection),
  });
  return ndJsonStream(writable, connection.readable, { maxMessageBytes: LARGEST_MESSAGE });
}

async function writeAll(connection: Deno.Conn, bytes: Uint8Array, clock: Clock): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    const timer = new AbortController();
    const stuck = clock.sleep(STUCK_MS, timer.signal).then(() => {
      closeConnection(connection);
      throw new Error("the other side reads nothing");
    });
    // The timer that is stopped rejects, and nobody waits for it any more.
    stuck.catch(() => {});
    written += await Promise.race([connection.write(bytes.subarray(written)), stuck]);
    timer.abort();
  }
}

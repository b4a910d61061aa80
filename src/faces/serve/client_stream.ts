/**
 * A client of the server as a stream of the protocol's messages.
 * Rule: a write ends when the client has taken it; one who takes nothing for too long is dropped with a word, and
 * nobody waits for them any longer.
 */
import type { AnyMessage, Stream } from "@agentclientprotocol/sdk";
import type { Clock } from "../../platform/clock.ts";

/** For how long a client may read nothing while there is something to read. */
export const STUCK_MS = 60_000;

/** The most bytes that one message of a client's may have. */
export const LARGEST_MESSAGE = 32 * 1024 * 1024;

/** What may lie in the socket before a write waits. */
const FULL_BYTES = 256 * 1024;

const LOOK_AGAIN_MS = 20;

/** Codes with which the server closes; those from 4000 on are its own, and the page knows them. */
export const CLOSED = {
  wrongToken: 4401,
  tooSlow: 4408,
  tooLarge: 4413,
  notJson: 4400,
  ending: 1001,
} as const;

/** A WebSocket as a stream. It has to be open. */
export function webSocketStream(socket: WebSocket, clock: Clock): Stream {
  let isOver = false;
  const readable = new ReadableStream<AnyMessage>({
    start(controller) {
      socket.onmessage = ({ data }) => {
        const message = isOver ? undefined : parsed(socket, data);
        if (message !== undefined) controller.enqueue(message);
      };
      socket.onclose = () => {
        if (!isOver) controller.close();
        isOver = true;
      };
    },
    cancel() {
      isOver = true;
      socket.close();
    },
  });
  const writable = new WritableStream<AnyMessage>({
    async write(message) {
      if (socket.readyState !== WebSocket.OPEN) throw new Error("the client has gone");
      socket.send(JSON.stringify(message));
      await taken(socket, clock);
    },
    close: () => socket.close(),
  });
  return { readable, writable };
}

function parsed(socket: WebSocket, data: unknown): AnyMessage | undefined {
  if (typeof data !== "string") {
    socket.close(CLOSED.notJson, "messages are JSON in text frames");
    return undefined;
  }
  if (data.length > LARGEST_MESSAGE) {
    socket.close(CLOSED.tooLarge, `a message may have ${LARGEST_MESSAGE} bytes`);
    return undefined;
  }
  try {
    return JSON.parse(data);
  } catch {
    socket.close(CLOSED.notJson, "a message was not JSON");
    return undefined;
  }
}

/** Resolves once there is room in the socket. */
async function taken(socket: WebSocket, clock: Clock): Promise<void> {
  let left = socket.bufferedAmount;
  let sinceMs = clock.monotonicMs();
  while (socket.bufferedAmount > FULL_BYTES && socket.readyState === WebSocket.OPEN) {
    await clock.sleep(LOOK_AGAIN_MS);
    const nowMs = clock.monotonicMs();
    if (socket.bufferedAmount < left) {
      left = socket.bufferedAmount;
      sinceMs = nowMs;
    }
    if (nowMs - sinceMs > STUCK_MS) {
      socket.close(CLOSED.tooSlow, `nothing was read for ${STUCK_MS / 1000} s`);
      throw new Error("the client reads nothing");
    }
  }
}

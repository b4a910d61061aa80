/**
 * The other end of a live conversation's socket, for a terminal that attaches.
 * Rule: what happens is told as the events that the holder has; what is asked for is asked there.
 */
import { client, type ClientConnection, methods } from "@agentclientprotocol/sdk";
import type { ConversationEvent } from "../../app/events/conversation_event.ts";
import type { Answer } from "../../app/questions.ts";
import type { Clock } from "../../platform/clock.ts";
import { UsageError, WorkFailed } from "../../platform/errors.ts";
import { EVENT_METHOD } from "../acp/own_protocol.ts";
import { connectionStream } from "./connection_stream.ts";
import { connectLive, type LivePlace } from "./live_socket.ts";

/** See the head of this file. */
export class LiveClient {
  readonly #connection: ClientConnection;
  readonly #session: string;

  private constructor(connection: ClientConnection, session: string) {
    this.#connection = connection;
    this.#session = session;
  }

  /**
   * Attaches, and is told of the conversation from its beginning.
   *
   * @param name what the others are told an answer from here is by
   * @throws {UsageError} when no process holds it
   */
  static async attach(
    place: LivePlace,
    { clock, name, onEvent }: {
      clock: Clock;
      name: string;
      onEvent: (event: ConversationEvent) => void;
    },
  ): Promise<LiveClient> {
    const socket = await connectLive(place);
    if (socket === undefined) {
      throw new UsageError(
        `no m31a holds session ${place.session} at the moment; m31a chat --resume ${place.session} goes on with it`,
      );
    }
    const connection = client({ name })
      .onNotification(EVENT_METHOD, eventIn, ({ params }) => onEvent(params))
      .connect(connectionStream(socket, clock));
    const { agent } = connection;
    await agent.request(methods.agent.initialize, {
      protocolVersion: 1,
      clientInfo: { name: "m31a-attach", title: name, version: "1" },
      clientCapabilities: { _meta: { m31a: { events: true } } },
    });
    const { root, session } = place;
    const known = { sessionId: session, cwd: root, mcpServers: [] };
    await agent.request(methods.agent.session.load, known);
    return new LiveClient(connection, session);
  }

  /** Resolves when the holder has gone. */
  get closed(): Promise<void> {
    return this.#connection.closed;
  }

  /** Says something, or gives a command; resolves when what comes of it has ended. @throws {WorkFailed} */
  async say(text: string): Promise<void> {
    await this.#request(methods.agent.session.prompt, { prompt: [{ type: "text", text }] });
  }

  /** Answers a question; resolves to whether the answer counts. @throws {WorkFailed} */
  async answer(question: string, answer: Answer): Promise<void> {
    await this.#request("_m31a/answer", { question, answer });
  }

  /** Ends what goes on. */
  async cancel(): Promise<void> {
    await this.#connection.agent.notify(methods.agent.session.cancel, { sessionId: this.#session });
  }

  /** Leaves; the conversation goes on. */
  leave(): void {
    this.#connection.close();
  }

  async #request(method: string, params: object): Promise<void> {
    try {
      await this.#connection.agent.request(method, { sessionId: this.#session, ...params });
    } catch (error) {
      const { message, data } = Object(error);
      const details = Object(data).details;
      throw new WorkFailed(typeof details === "string" ? details : String(message), {
        cause: error,
      });
    }
  }
}

/** The event of a notification: made by the same program, at the other end of its user's own socket. */
function eventIn(params: unknown): ConversationEvent {
  const { event } = Object(params);
  if (!isEvent(event)) throw new TypeError("this is no event of m31a's");
  return event;
}

function isEvent(value: unknown): value is ConversationEvent {
  const { number, body } = Object(value);
  return typeof number === "string" && typeof Object(body).type === "string";
}

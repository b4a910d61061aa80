/**
 * A client of the Agent Client Protocol for tests: the SDK's own, which notes what it is sent.
 * Rule: whatever the agent sends is held against the schema; waiting is for something that was sent, never for time.
 */
import assert from "node:assert/strict";
import {
  client,
  type ClientCapabilities,
  type ClientConnection,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  type InitializeResponse,
  methods,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
  type Stream,
} from "@agentclientprotocol/sdk";
import { z } from "zod";
import type { ConversationEvent } from "../../src/app/events/conversation_event.ts";
import { EVENT_METHOD } from "../../src/faces/acp/own_protocol.ts";
import { checkedStream } from "./acp_schema.ts";

const eventNotification = z.object({
  sessionId: z.string(),
  event: z.custom<ConversationEvent>((value) => typeof value === "object"),
});

/** How a test's client answers what it is asked. */
export interface ClientAnswers {
  /** Allows once by default. */
  permission?: (
    request: RequestPermissionRequest,
    signal: AbortSignal,
  ) => RequestPermissionResponse | Promise<RequestPermissionResponse>;
  /** Answers a question with a form; it offers forms where this is given. */
  form?: (request: CreateElicitationRequest) => CreateElicitationResponse;
  /** The files that the editor has open, by their absolute paths; it offers to read them where this is given. */
  open?: Readonly<Record<string, string>>;
  capabilities?: ClientCapabilities;
}

/** An update, and the session that it belongs to. */
export interface NotedUpdate {
  sessionId: string;
  update: SessionUpdate;
}

/** See the head of this file. */
export class AcpClient {
  readonly updates: NotedUpdate[] = [];
  /** What came by `_m31a/event`. */
  readonly events: ConversationEvent[] = [];
  readonly permissions: RequestPermissionRequest[] = [];
  readonly forms: CreateElicitationRequest[] = [];
  readonly problems: string[] = [];
  readonly #connection: ClientConnection;
  readonly #answers: ClientAnswers;
  #waiting: (() => void)[] = [];

  constructor(stream: Stream, answers: ClientAnswers = {}) {
    this.#answers = answers;
    this.#connection = client({ name: "test" })
      .onNotification(methods.client.session.update, ({ params }) => {
        this.updates.push(params);
        this.#wake();
      })
      .onNotification(EVENT_METHOD, eventNotification, ({ params }) => {
        this.events.push(params.event);
        this.#wake();
      })
      .onRequest(methods.client.session.requestPermission, async ({ params, signal }) => {
        this.permissions.push(params);
        this.#wake();
        return await (answers.permission ?? allowOnce)(params, signal);
      })
      .onRequest(methods.client.elicitation.create, ({ params }) => {
        this.forms.push(params);
        this.#wake();
        return answers.form?.(params) ?? { action: "cancel" };
      })
      .onRequest(methods.client.fs.readTextFile, ({ params }) => {
        const content = answers.open?.[params.path];
        if (content === undefined) throw new Error(`${params.path} is not open`);
        return { content };
      })
      .connect(checkedStream(stream, this.problems));
  }

  get agent(): ClientConnection["agent"] {
    return this.#connection.agent;
  }

  async initialize(): Promise<InitializeResponse> {
    const { open, form, capabilities } = this.#answers;
    return await this.agent.request(methods.agent.initialize, {
      protocolVersion: 1,
      clientInfo: { name: "test", version: "1" },
      clientCapabilities: {
        ...(open !== undefined && { fs: { readTextFile: true } }),
        ...(form !== undefined && { elicitation: { form: {} } }),
        ...capabilities,
      },
    });
  }

  /** Begins a session, and gives its id. */
  async begin(cwd: string): Promise<string> {
    const begun = await this.agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
    return begun.sessionId;
  }

  /** Says something, and gives why the turn stopped. */
  async prompt(sessionId: string, text: string): Promise<string> {
    const ended = await this.agent.request(methods.agent.session.prompt, {
      sessionId,
      prompt: [{ type: "text", text }],
    });
    return ended.stopReason;
  }

  /** Waits until something was sent that `found` finds. */
  async until<T>(found: () => T | undefined): Promise<T> {
    for (;;) {
      const value = found();
      if (value !== undefined) return value;
      await new Promise<void>((resolve, reject) => {
        this.#waiting.push(resolve);
        this.#connection.closed.then(() =>
          reject(new Error("the agent has closed the connection"))
        );
      });
    }
  }

  /** All words of one kind that a session was sent, put together. */
  words(kind: SessionUpdate["sessionUpdate"], sessionId?: string): string {
    return this.updates.flatMap((noted) => {
      if (sessionId !== undefined && noted.sessionId !== sessionId) return [];
      const { update } = noted;
      if (update.sessionUpdate !== kind || !("content" in update)) return [];
      const { content } = update;
      return content !== null && content !== undefined && !Array.isArray(content) &&
          content.type === "text"
        ? [content.text]
        : [];
    }).join("");
  }

  /** Ends the connection, and expects that nothing was wrong with what the agent has sent. */
  async close(): Promise<void> {
    this.#connection.close();
    await this.#connection.closed;
    assert.deepEqual(this.problems, []);
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

function allowOnce({ options }: RequestPermissionRequest): RequestPermissionResponse {
  return select(options, "allow_once");
}

/** The answer that takes the option of that kind. */
export function select(
  options: RequestPermissionRequest["options"],
  kind: RequestPermissionRequest["options"][number]["kind"],
): RequestPermissionResponse {
  const option = options.find((candidate) => candidate.kind === kind);
  if (option === undefined) return { outcome: { outcome: "cancelled" } };
  return { outcome: { outcome: "selected", optionId: option.optionId } };
}

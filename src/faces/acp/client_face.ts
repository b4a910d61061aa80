/**
 * One client of the protocol: what it has said of itself, and the conversations that it is on.
 * Rule: it holds no conversation; what becomes of one when its client has gone is decided by whoever holds it.
 */
import {
  type AgentContext,
  type CancelNotification,
  type ClientCapabilities,
  type CloseSessionRequest,
  type InitializeRequest,
  type InitializeResponse,
  type ListSessionsRequest,
  type ListSessionsResponse,
  type LoadSessionResponse,
  type McpServer,
  type NewSessionResponse,
  type PromptRequest,
  type PromptResponse,
  PROTOCOL_VERSION,
  RequestError,
  type SetSessionConfigOptionRequest,
  type SetSessionConfigOptionResponse,
  type SetSessionModeRequest,
} from "@agentclientprotocol/sdk";
import type { EventNumber } from "../../app/events/event_number.ts";
import { oneLine } from "../../app/telling/call_summary.ts";
import { UsageError } from "../../platform/errors.ts";
import { listSessions } from "../../session/catalog.ts";
import { configOptions, wantedOption } from "./config_options.ts";
import type { HeldConversation } from "./held_conversation.ts";
import { broughtServers } from "./mcp_servers.ts";
import { availableCommands, isMode, modeState } from "./modes.ts";
import { obey } from "./obey.ts";
import { lastEventIn, messageIn, ownCapabilities } from "./own_protocol.ts";
import type { AcpPlace } from "./place.ts";
import { promptMessage } from "./prompt_content.ts";
import { SessionFace } from "./session_face.ts";

/** How many sessions a list holds; the next ones come with its cursor. */
const SESSIONS_A_PAGE = 100;

/** What a client brings to a session, as far as m31a takes it. */
interface Wanted {
  mcpServers?: McpServer[];
  additionalDirectories?: string[];
}

/** What is asked of a session that is there already. */
interface KnownSession extends Wanted {
  sessionId: string;
  _meta?: { [key: string]: unknown } | null;
}

/** See the head of this file. */
export class ClientFace {
  readonly #place: AcpPlace;
  readonly #context: AgentContext;
  readonly #faces = new Map<string, SessionFace>();
  #name = "a client";
  #capabilities: ClientCapabilities = {};

  constructor(place: AcpPlace, context: AgentContext) {
    this.#place = place;
    this.#context = context;
  }

  /** What the client is called, for others. */
  get name(): string {
    return this.#name;
  }

  introduce({ clientInfo, clientCapabilities }: InitializeRequest): InitializeResponse {
    this.#name = oneLine(clientInfo?.title ?? clientInfo?.name ?? this.#name);
    this.#capabilities = clientCapabilities ?? {};
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: "m31a", title: "m31a", version: this.#place.version },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, embeddedContext: true },
        mcpCapabilities: { http: true },
        sessionCapabilities: { list: {}, resume: {}, close: {} },
      },
      authMethods: [{
        id: "environment",
        name: "A model from the environment or the configuration",
        description: "m31a doctor says which model would be used, and what is missing.",
      }],
    };
  }

  /** There is nothing to log in to: there is a model or there is none. */
  async authenticate(): Promise<Record<never, never>> {
    await this.#place.expectModel();
    return {};
  }

  async begin(wanted: Wanted): Promise<NewSessionResponse> {
    const servers = serversOf(wanted);
    await this.#place.expectModel();
    const held = await this.#place.begin(servers);
    const settings = await this.#settingsOf(held);
    this.#join(held, undefined);
    return { sessionId: held.id, ...settings };
  }

  /** Goes on with a session, and tells all of it before the answer. */
  async load(request: KnownSession): Promise<LoadSessionResponse> {
    const held = await this.#hold(request);
    await this.#join(held, undefined);
    return await this.#settingsOf(held);
  }

  /** Goes on with a session; of what came before it tells what is behind the last event that the client has. */
  async resume(request: KnownSession): Promise<LoadSessionResponse> {
    const held = await this.#hold(request);
    await this.#join(held, lastEventIn(request._meta) ?? held.live.lastRecorded);
    return await this.#settingsOf(held);
  }

  list({ cursor }: ListSessionsRequest): ListSessionsResponse {
    const all = listSessions(this.#place.root);
    const from = typeof cursor === "string" ? all.findIndex(({ id }) => id === cursor) + 1 : 0;
    if (typeof cursor === "string" && from === 0) {
      throw new UsageError(`${cursor}: is not in the list any more; ask for it from its beginning`);
    }
    const page = all.slice(from, from + SESSIONS_A_PAGE);
    const isLast = from + page.length >= all.length;
    const last = page.at(-1)?.id;
    return {
      sessions: page.map(({ id, title, updatedAt }) => ({
        sessionId: id,
        cwd: this.#place.root,
        title: oneLine(title),
        ...(updatedAt !== undefined && { updatedAt: updatedAt.toISOString() }),
      })),
      ...(!isLast && last !== undefined && { nextCursor: last }),
    };
  }

  async prompt(request: PromptRequest): Promise<PromptResponse> {
    const face = this.face(request.sessionId);
    const message = promptMessage(this.#place.root, request.prompt);
    return { stopReason: await obey(face, message, messageIn(request._meta)) };
  }

  cancel({ sessionId }: CancelNotification): void {
    this.#faces.get(sessionId)?.held.live.cancel();
  }

  setMode({ sessionId, modeId }: SetSessionModeRequest): Record<never, never> {
    const { held } = this.face(sessionId);
    if (!isMode(modeId)) throw new UsageError(`${modeId}: is no mode of m31a's`);
    held.company.setMode(modeId);
    return {};
  }

  /** Goes on with another model, or another effort. */
  async setOption(
    { sessionId, configId, value }: SetSessionConfigOptionRequest,
  ): Promise<SetSessionConfigOptionResponse> {
    const { held } = this.face(sessionId);
    await held.live.changeModel(wantedOption(configId, value));
    return { configOptions: configOptions(await held.live.model(), this.#place.environment) };
  }

  async closeSession({ sessionId }: CloseSessionRequest): Promise<Record<never, never>> {
    const face = this.face(sessionId);
    this.#faces.delete(sessionId);
    face.close();
    await this.#place.release(face.held);
    return {};
  }

  /** How a conversation stands. */
  async status(sessionId: string): Promise<unknown> {
    const { live, company } = this.face(sessionId).held;
    const { goal, phase, tasks, checkpoints, lastAction } = live.workflow;
    return {
      description: await live.answer("status"),
      mode: company.mode,
      ...live.state,
      workflow: { goal, phase, tasks, checkpoints: checkpoints.length, lastAction },
    };
  }

  /** The statistics of the project's finished sessions. */
  async stats(): Promise<unknown> {
    return await this.#place.stats();
  }

  /** The client has gone. */
  close(): void {
    for (const face of this.#faces.values()) face.close();
    this.#faces.clear();
  }

  /** @throws {RequestError} when the client is not on that session */
  face(sessionId: string): SessionFace {
    const face = this.#faces.get(sessionId);
    if (face !== undefined) return face;
    throw new RequestError(
      -32002,
      `session ${sessionId} is not open here; session/load or session/resume opens it`,
    );
  }

  async #hold(wanted: KnownSession): Promise<HeldConversation> {
    return await this.#place.hold(wanted.sessionId, serversOf(wanted));
  }

  /** @returns what resolves when the client has been told what came before */
  async #join(held: HeldConversation, after: EventNumber | undefined): Promise<void> {
    this.#faces.get(held.id)?.close();
    const face = new SessionFace(held, this.#place, {
      context: this.#context,
      name: this.#name,
      capabilities: this.#capabilities,
      own: ownCapabilities(this.#capabilities),
    });
    this.#faces.set(held.id, face);
    // A client knows a session by the answer that brings its id: what is told of it comes behind that.
    setTimeout(() => {
      const update = { sessionUpdate: "available_commands_update" as const };
      face.tell({ ...update, availableCommands: availableCommands() }).catch(() => {});
    });
    await face.begin(after);
  }

  async #settingsOf(
    { company, live }: HeldConversation,
  ): Promise<Pick<LoadSessionResponse, "modes" | "configOptions">> {
    return {
      modes: modeState(company.mode),
      configOptions: configOptions(await live.model(), this.#place.environment),
    };
  }
}

/** @throws {UsageError} for what m31a does not take */
function serversOf({ mcpServers = [], additionalDirectories = [] }: Wanted) {
  if (additionalDirectories.length === 0) return broughtServers(mcpServers);
  throw new UsageError(
    `m31a reads the project alone; it takes no additional directories (${
      additionalDirectories.join(", ")
    })`,
  );
}

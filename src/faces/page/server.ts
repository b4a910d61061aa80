/**
 * m31a at the other end of the connection, in the page's terms.
 * Rule: the one place of the page that knows the protocol's methods.
 */
import { Connection, RequestFailed } from "./connection.ts";
import type {
  PermissionRequest,
  SessionInfo,
  SessionNotification,
  SessionUpdate,
} from "./protocol.ts";
import type { OpenQuestion } from "./question.tsx";

/** Something that was called for, and waits. */
export interface WaitingMessage {
  id: string;
  text: string;
}

/** What the page is told. */
export interface ServerListener {
  onSessions(sessions: readonly SessionInfo[]): void;
  /** From here on updates tell this conversation from its beginning. */
  onLoading(session: string): void;
  onUpdate(update: SessionUpdate): void;
  /** The page says this; the server does not tell it back. */
  onSaying(text: string): void;
  /** Something for people that is no part of the conversation. */
  onNotice(text: string): void;
  onQuestion(question: OpenQuestion): void;
  /** The question is not open any more, whoever has answered it. */
  onAnswered(question: OpenQuestion): void;
  onWorking(isWorking: boolean): void;
  /** What waits until it is its turn. */
  onWaiting(calls: readonly WaitingMessage[]): void;
  /** Why nothing is heard of m31a; empty when it is. */
  onLost(reason: string): void;
}

/** What the page asks for. */
export interface Server {
  load(session: string): Promise<void>;
  begin(): Promise<void>;
  /** Resolves once the message was taken; what becomes of it comes as updates. */
  say(text: string): Promise<void>;
  /** Takes out what waits. */
  remove(waiting: string): Promise<void>;
  cancel(): void;
  close(): void;
}

/** The protocol wants a folder and servers; the server has a project and those of its configuration. */
const PLACE = { cwd: "/", mcpServers: [] };

/** Connects, and stays connected. */
export function openServer(address: string, token: string, listener: ServerListener): Server {
  let current: string | undefined;
  /** What resolves when a message is on disk, by the page's name for it. */
  const accepting = new Map<string, () => void>();

  const complaining = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error;
      listener.onNotice(error.message);
    }
  };
  const list = async () => {
    const sessions = fieldOf(await connection.request("session/list", {}), "sessions");
    const known = Array.isArray(sessions) ? sessions.filter(isSession) : [];
    listener.onSessions(known);
    return known;
  };
  const load = (session: string) =>
    complaining(async () => {
      current = session;
      listener.onLoading(session);
      await connection.request("session/load", { ...PLACE, sessionId: session });
    });
  const begin = () =>
    complaining(async () => {
      const made = fieldOf(
        await connection.request("session/new", PLACE),
        "sessionId",
      );
      if (typeof made !== "string") return;
      current = made;
      listener.onLoading(made);
      await list();
    });

  const connection = new Connection(address, token, {
    onOpen: () =>
      void complaining(async () => {
        await connection.request("initialize", {
          protocolVersion: 1,
          clientCapabilities: { session: { notices: {} } },
          clientInfo: { name: "m31a-page", title: "the browser", version: "1" },
        });
        const sessions = await list();
        const wanted = current ?? sessions[0]?.sessionId;
        await (wanted === undefined ? begin() : load(wanted));
        listener.onLost("");
      }),
    onClose: (reason, isFinal) => {
      listener.onWorking(false);
      listener.onLost(isFinal ? reason : `${reason}; trying again`);
    },
    onNotification(method, params) {
      if (method !== "session/update" || !isNotification(params)) return;
      if (params.sessionId !== current) return;
      const own = fieldOf(fieldOf(params.update, "_meta"), "m31a");
      const activity = fieldOf(own, "activity");
      if (typeof activity === "string") listener.onWorking(activity !== "idle");
      const waiting = fieldOf(own, "waiting");
      if (Array.isArray(waiting)) listener.onWaiting(waiting.filter(isWaiting));
      const accepted = fieldOf(fieldOf(own, "accepted"), "message");
      if (typeof accepted === "string") accepting.get(accepted)?.();
      listener.onUpdate(params.update);
    },
    onRequest(method, params, signal) {
      if (method !== "session/request_permission" || !isPermission(params)) {
        return Promise.reject(new RequestFailed(`the page does not know ${method}`));
      }
      return new Promise((resolve) => {
        const question: OpenQuestion = {
          request: params,
          answer(optionId, reason) {
            listener.onAnswered(question);
            const outcome = { outcome: "selected", optionId };
            resolve({ outcome, ...(reason !== "" && { _meta: { m31a: { reason } } }) });
          },
        };
        signal.addEventListener("abort", () => {
          listener.onAnswered(question);
          resolve({ outcome: { outcome: "cancelled" } });
        });
        listener.onQuestion(question);
      });
    },
  });

  return {
    load,
    begin,
    async say(text) {
      if (current === undefined) {
        listener.onNotice("no conversation is open yet");
        throw new RequestFailed("no conversation is open yet");
      }
      const message = crypto.randomUUID();
      const { promise: accepted, resolve } = Promise.withResolvers<void>();
      accepting.set(message, resolve);
      if (connection.isOpen) listener.onSaying(text);
      const prompt = [{ type: "text", text }];
      const params = { sessionId: current, prompt, _meta: { m31a: { message } } };
      const ended = connection.request("session/prompt", params);
      const told = complaining(async () => {
        await ended;
        await list();
      });
      try {
        // A command ends without having been a message.
        await Promise.race([accepted, ended]);
      } finally {
        accepting.delete(message);
      }
      told.catch(reportError);
    },
    remove: (waiting) =>
      complaining(async () => {
        await connection.request("_m31a/queue", { sessionId: current, id: waiting });
      }),
    cancel: () => connection.notify("session/cancel", { sessionId: current }),
    close: () => connection.close(),
  };
}

function isNotification(value: unknown): value is SessionNotification {
  return typeof fieldOf(value, "sessionId") === "string" &&
    typeof fieldOf(fieldOf(value, "update"), "sessionUpdate") === "string";
}

function isPermission(value: unknown): value is PermissionRequest {
  return Array.isArray(fieldOf(value, "options")) && typeof fieldOf(value, "toolCall") === "object";
}

function isWaiting(value: unknown): value is WaitingMessage {
  return typeof fieldOf(value, "id") === "string" && typeof fieldOf(value, "text") === "string";
}

function isSession(value: unknown): value is SessionInfo {
  return typeof fieldOf(value, "sessionId") === "string";
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

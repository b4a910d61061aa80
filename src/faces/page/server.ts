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

/** What the page is told. */
export interface ServerListener {
  onSessions(sessions: readonly SessionInfo[]): void;
  /** From here on updates tell this conversation from its beginning. */
  onLoading(session: string): void;
  onUpdate(update: SessionUpdate): void;
  /** Something for people that is no part of the conversation. */
  onNotice(text: string): void;
  onQuestion(question: OpenQuestion): void;
  /** The question is not open any more, whoever has answered it. */
  onAnswered(question: OpenQuestion): void;
  onWorking(isWorking: boolean): void;
  /** Why nothing is heard of m31a; empty when it is. */
  onLost(reason: string): void;
}

/** What the page asks for. */
export interface Server {
  load(session: string): Promise<void>;
  begin(): Promise<void>;
  /** Resolves once the message was taken; what becomes of it comes as updates. */
  say(text: string): Promise<void>;
  cancel(): void;
  close(): void;
}

/** Connects, and stays connected. */
export function openServer(address: string, token: string, listener: ServerListener): Server {
  let current: string | undefined;
  let cwd = "/";

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
      await connection.request("session/load", { sessionId: session, cwd, mcpServers: [] });
    });
  const begin = () =>
    complaining(async () => {
      const made = fieldOf(
        await connection.request("session/new", { cwd, mcpServers: [] }),
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
        const agent = await connection.request("initialize", {
          protocolVersion: 1,
          clientCapabilities: {},
          clientInfo: { name: "m31a page", version: "1" },
        });
        const project = fieldOf(fieldOf(agent, "_meta"), "_m31a/project");
        if (typeof project === "string") cwd = project;
        listener.onLost("");
        const sessions = await list();
        const wanted = current ?? sessions[0]?.sessionId;
        await (wanted === undefined ? begin() : load(wanted));
      }),
    onClose: (reason, isFinal) => {
      listener.onWorking(false);
      listener.onLost(isFinal ? reason : `${reason}; trying again`);
    },
    onNotification(method, params) {
      if (method === "session/update" && isNotification(params)) {
        if (params.sessionId === current) listener.onUpdate(params.update);
        return;
      }
      if (fieldOf(params, "sessionId") !== current) return;
      if (method === "_m31a/working") listener.onWorking(fieldOf(params, "isWorking") === true);
      if (method === "_m31a/notice") listener.onNotice(String(fieldOf(params, "text")));
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
            resolve({ outcome, ...(reason !== "" && { _meta: { "_m31a/reason": reason } }) });
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
      const prompt = [{ type: "text", text }];
      await connection.request("_m31a/say", { sessionId: current, prompt });
    },
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

function isSession(value: unknown): value is SessionInfo {
  return typeof fieldOf(value, "sessionId") === "string";
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

/// <reference lib="dom" />
/**
 * The page's connection: JSON-RPC 2.0 over one WebSocket, the token first.
 * Rule: every request ends, with a result or with an error that can be shown; a socket that closed is opened again.
 */

/** Whoever is asked, or told, by the other side. */
export interface Handlers {
  /** Resolves to the result. `signal` is aborted when the other side takes the request back. */
  onRequest(method: string, params: unknown, signal: AbortSignal): Promise<unknown>;
  onNotification(method: string, params: unknown): void;
  /** The token was taken: what was subscribed to has to be asked for anew. */
  onOpen(): void;
  /** The socket closed; `reason` is for people. It is opened again unless `isFinal`. */
  onClose(reason: string, isFinal: boolean): void;
}

/** An error that the other side answered with. */
export class RequestFailed extends Error {}

/** The server closes with this code when the token is not right; asking again with it would not help. */
const WRONG_TOKEN = 4401;

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8000;

type Waiting = { resolve: (result: unknown) => void; reject: (error: Error) => void };

/** See the head of this file. */
export class Connection {
  readonly #address: string;
  readonly #token: string;
  readonly #handlers: Handlers;
  readonly #waiting = new Map<number, Waiting>();
  readonly #asked = new Map<unknown, AbortController>();
  #socket: WebSocket | undefined;
  #nextId = 1;
  #waitMs = FIRST_WAIT_MS;

  constructor(address: string, token: string, handlers: Handlers) {
    this.#address = address;
    this.#token = token;
    this.#handlers = handlers;
    this.#open();
  }

  /**
   * Asks the other side.
   *
   * @throws {RequestFailed} when it answers with an error, or the connection is lost before it answers
   */
  request(method: string, params: unknown): Promise<unknown> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      if (!this.isOpen) {
        reject(new RequestFailed("m31a is not reached at the moment"));
        return;
      }
      this.#waiting.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  /** Tells the other side. Lost when there is no connection. */
  notify(method: string, params: unknown): void {
    if (this.isOpen) this.#send({ method, params });
  }

  /** Whether something can be asked now. */
  get isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Ends it for good. */
  close(): void {
    const socket = this.#socket;
    if (socket !== undefined) socket.onclose = null;
    socket?.close();
  }

  #send(message: Record<string, unknown>): void {
    this.#socket?.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }

  #open(): void {
    const socket = new WebSocket(this.#address);
    this.#socket = socket;
    socket.onopen = async () => {
      try {
        await this.request("_m31a/hello", { token: this.#token });
      } catch {
        return;
      }
      this.#waitMs = FIRST_WAIT_MS;
      this.#handlers.onOpen();
    };
    socket.onmessage = ({ data }) => {
      if (typeof data === "string") this.#take(data);
    };
    socket.onclose = ({ code, reason }) => this.#closed(code, reason);
  }

  #closed(code: number, reason: string): void {
    for (const { reject } of this.#waiting.values()) {
      reject(new RequestFailed("the connection to m31a was lost"));
    }
    this.#waiting.clear();
    for (const controller of this.#asked.values()) controller.abort();
    this.#asked.clear();
    const isFinal = code === WRONG_TOKEN;
    this.#handlers.onClose(reason || "the connection to m31a was lost", isFinal);
    if (isFinal) return;
    setTimeout(() => this.#open(), this.#waitMs);
    this.#waitMs = Math.min(this.#waitMs * 2, LONGEST_WAIT_MS);
  }

  #take(text: string): void {
    const message: unknown = JSON.parse(text);
    for (const one of Array.isArray(message) ? message : [message]) {
      if (typeof one === "object" && one !== null) this.#handle({ ...one });
    }
  }

  #handle(message: Record<string, unknown>): void {
    const { id, method, params, result, error } = message;
    if (typeof method !== "string") {
      const waiting = typeof id === "number" ? this.#waiting.get(id) : undefined;
      if (waiting === undefined || typeof id !== "number") return;
      this.#waiting.delete(id);
      if (error === undefined) waiting.resolve(result);
      else waiting.reject(new RequestFailed(messageOf(error)));
      return;
    }
    if (method === "$/cancel_request") {
      this.#asked.get(fieldOf(params, "requestId"))?.abort();
      return;
    }
    if (id === undefined) {
      this.#handlers.onNotification(method, params);
      return;
    }
    this.#answer(id, method, params);
  }

  async #answer(id: unknown, method: string, params: unknown): Promise<void> {
    const controller = new AbortController();
    this.#asked.set(id, controller);
    try {
      const result = await this.#handlers.onRequest(method, params, controller.signal);
      if (this.#asked.get(id) === controller) this.#send({ id, result });
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      this.#send({ id, error: { code: -32603, message: text } });
    } finally {
      this.#asked.delete(id);
    }
  }
}

function messageOf(error: unknown): string {
  const message = fieldOf(error, "message");
  const details = fieldOf(fieldOf(error, "data"), "details");
  return typeof details === "string" ? details : String(message ?? "the request failed");
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

/**
 * A scripted model server on loopback: chat completions at `/v1/chat/completions`, Anthropic messages at
 * `/v1/messages`, both streamed. It records each request's bytes and misbehaves as told.
 */
import { anthropicDelta, anthropicEndlessStart, anthropicEvents } from "./anthropic_events.ts";
import { HttpConnection, type RecordedRequest } from "./http_connection.ts";
import { openAiDelta, openAiEvents } from "./openai_events.ts";
import type { Reply } from "./reply.ts";

/** Decides the answer to request `number` (from 0). */
export type Replier = (request: RecordedRequest, number: number) => Reply | Promise<Reply>;

/**
 * The server. Use it with `await using`:
 *
 *     await using server = ModelServer.start([{ text: "Hello." }, { status: 500 }]);
 *     // … M31A_MODEL=openai-compatible:test M31A_BASE_URL=server.baseUrl …
 *     assert.equal(server.requests.length, 2);
 *
 * When the list of answers is used up, further requests get status 400.
 */
export class ModelServer implements AsyncDisposable {
  /** The POST requests that have come, in order. */
  readonly requests: RecordedRequest[] = [];
  /** What `GET path` answers, as JSON; anything else is 404. */
  readonly pages = new Map<string, unknown>([["/v1/models", { data: [{ id: "test" }] }]]);
  readonly #listener: Deno.Listener;
  readonly #replier: Replier;
  readonly #connections = new Set<HttpConnection>();
  readonly #work = new Set<Promise<void>>();
  readonly #closed = new AbortController();

  private constructor(replier: Replier) {
    this.#replier = replier;
    this.#listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    this.#track(this.#accept());
  }

  /** Starts a server with these answers, or with a function that decides them. */
  static start(replies: Reply[] | Replier): ModelServer {
    if (typeof replies === "function") return new ModelServer(replies);
    return new ModelServer((_, number) =>
      replies[number] ??
        { status: 400, body: { error: { message: `no answer for request ${number}` } } }
    );
  }

  /** The address without a path. */
  get url(): string {
    const address = this.#listener.addr;
    if (address.transport !== "tcp") throw new TypeError("not a TCP listener");
    return `http://127.0.0.1:${address.port}`;
  }

  /** The address for `M31A_BASE_URL`, OPENAI_BASE_URL and ANTHROPIC_BASE_URL. */
  get baseUrl(): string {
    return `${this.url}/v1`;
  }

  /** The bodies of the requests as text. */
  get bodies(): string[] {
    return this.requests.map((request) => new TextDecoder().decode(request.body));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort();
    this.#listener.close();
    for (const connection of this.#connections) connection.close();
    await Promise.all(this.#work);
  }

  #track(work: Promise<void>): void {
    // A client that leaves, or the end of the server, breaks reads and writes: that is expected here.
    const settled = work.catch((error) => {
      if (!isDisconnection(error)) throw error;
    }).finally(() => this.#work.delete(settled));
    this.#work.add(settled);
  }

  async #accept(): Promise<void> {
    for await (const raw of this.#listener) {
      const connection = new HttpConnection(raw);
      this.#connections.add(connection);
      this.#track(this.#serve(connection));
    }
  }

  async #serve(connection: HttpConnection): Promise<void> {
    try {
      for (;;) {
        const request = await connection.read();
        if (request === undefined) return;
        if (request.method !== "POST") {
          await this.#answerPage(connection, request.path);
          continue;
        }
        const number = this.requests.push(request) - 1;
        const reply = await this.#replier(request, number);
        if (!await this.#answer(connection, request, reply, number)) return;
      }
    } finally {
      connection.close();
      this.#connections.delete(connection);
    }
  }

  async #answerPage(connection: HttpConnection, path: string): Promise<void> {
    const page = this.pages.get(path);
    await writeWhole(
      connection,
      page === undefined ? 404 : 200,
      page ?? { error: "not found" },
      {},
    );
  }

  /** Answers; gives whether the connection is kept. */
  async #answer(
    connection: HttpConnection,
    request: RecordedRequest,
    reply: Reply,
    number: number,
  ): Promise<boolean> {
    if (reply.isDropped) return false;
    if (reply.isSilent) return await this.#waitForEnd();
    if (reply.status !== undefined && reply.isStalled) {
      const text = JSON.stringify(reply.body ?? {});
      await connection.write(head(reply.status, { "content-length": "100000" }) + text);
      return await this.#waitForEnd();
    }
    if (reply.status !== undefined) {
      await writeWhole(connection, reply.status, reply.body ?? {}, reply.headers ?? {});
      return !reply.closesAfterwards;
    }
    await connection.write(head(200, {
      "content-type": "text/event-stream",
      "transfer-encoding": "chunked",
      "connection": "keep-alive",
      ...reply.headers,
    }));
    const isAnthropic = request.path.endsWith("/messages");
    if (reply.isEndless) {
      if (isAnthropic) await connection.writeChunk(anthropicEndlessStart());
      const delta = isAnthropic ? anthropicDelta("and so on ") : openAiDelta("and so on ");
      while (!this.#closed.signal.aborted) await connection.writeChunk(delta.repeat(100));
      return false;
    }
    const events = reply.wire === undefined
      ? (isAnthropic ? anthropicEvents : openAiEvents)(reply, number)
      : [reply.wire];
    if (reply.isStalled) {
      for (const event of events.slice(0, reply.endBeforeEvent ?? 1)) {
        await connection.writeChunk(event);
      }
      return await this.#waitForEnd();
    }
    if (reply.cutAfterBytes !== undefined) {
      const bytes = new TextEncoder().encode(events.join("")).subarray(0, reply.cutAfterBytes);
      await connection.write(`${bytes.byteLength.toString(16)}\r\n`);
      await connection.writeBytes(bytes);
      await connection.write("\r\n");
      return false;
    }
    for (const event of events.slice(0, reply.endBeforeEvent)) await connection.writeChunk(event);
    await connection.write("0\r\n\r\n");
    return !reply.closesAfterwards;
  }

  /** Waits until the server is closed. */
  #waitForEnd(): Promise<boolean> {
    const { signal } = this.#closed;
    if (signal.aborted) return Promise.resolve(false);
    return new Promise((resolve) =>
      signal.addEventListener("abort", () => resolve(false), { once: true })
    );
  }
}

function head(status: number, headers: { [name: string]: string }): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Status\r\n${lines.join("")}\r\n`;
}

async function writeWhole(
  connection: HttpConnection,
  status: number,
  body: unknown,
  headers: { [name: string]: string },
): Promise<void> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const length = new TextEncoder().encode(text).byteLength;
  await connection.write(
    head(status, {
      "content-type": typeof body === "string" ? "text/plain" : "application/json",
      "content-length": String(length),
      ...headers,
    }) + text,
  );
}

function isDisconnection(error: unknown): boolean {
  return error instanceof Deno.errors.BadResource || error instanceof Deno.errors.BrokenPipe ||
    error instanceof Deno.errors.ConnectionReset || error instanceof Deno.errors.Interrupted ||
    error instanceof Deno.errors.ConnectionAborted;
}

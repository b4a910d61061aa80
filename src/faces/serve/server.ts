/**
 * The server of `m31a serve`: the page over HTTP, the protocol over WebSocket.
 * Rule: what is not admitted is refused before anything is done for it; whoever has the token is a client like another.
 */
import type { Stream } from "@agentclientprotocol/sdk";
import type { Clock } from "../../platform/clock.ts";
import { UsageError } from "../../platform/errors.ts";
import { type Admission, admissionOf, isToken, refusalOf } from "./admission.ts";
import { CLOSED, webSocketStream } from "./client_stream.ts";
import { PAGE_HTML, PAGE_POLICY } from "./page_html.ts";

/** Where the server listens. */
export interface ListenAddress {
  hostname: string;
  /** 0 for any that is free. */
  port: number;
}

/** What the server needs to be told. */
export interface ServerSettings {
  listen: ListenAddress;
  /** Further names that people reach it by, as a Host header has them. */
  allowedHosts: readonly string[];
  clock: Clock;
  /** Serves one client until its stream ends. */
  serveClient(stream: Stream): Promise<void>;
  /** Something that whoever runs the server should know. */
  onNotice(text: string): void;
}

/** A server that runs. */
export interface RunningServer {
  /** The page's address, the token in its fragment. */
  address: string;
  /** Takes no new client, and lets those that are there go. */
  close(): Promise<void>;
}

/** How many clients may be connected whose token is not known yet. */
const MAX_STRANGERS = 16;

/** How long a client may take to say its token. */
const HELLO_MS = 10_000;

/** What a wrong token costs. */
const WRONG_TOKEN_MS = 1_000;

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": PAGE_POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

/**
 * Begins to listen.
 *
 * @throws {UsageError} when that is not possible there
 */
export function startServer(settings: ServerSettings): RunningServer {
  const { listen, allowedHosts } = settings;
  const sockets = new Set<WebSocket>();
  let strangers = 0;

  const welcome = async (socket: WebSocket): Promise<void> => {
    strangers++;
    let isFriend = false;
    try {
      isFriend = await saysToken(socket, admission, settings.clock);
    } finally {
      strangers--;
    }
    if (!isFriend) {
      settings.onNotice("a client without the token was sent away");
      return;
    }
    await settings.serveClient(webSocketStream(socket, settings.clock));
  };

  const answer = (request: Request): Response => {
    const refusal = refusalOf(request.headers, admission);
    if (refusal !== undefined) {
      settings.onNotice(refusal);
      return new Response("refused\n", { status: 403 });
    }
    const { pathname } = new URL(request.url);
    if (request.method !== "GET") return new Response("only GET\n", { status: 405 });
    if (pathname === "/") return new Response(PAGE_HTML, { headers: HEADERS });
    if (pathname !== "/acp") return new Response("there is nothing here\n", { status: 404 });
    if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") {
      return new Response("a WebSocket is expected here\n", { status: 426 });
    }
    if (strangers >= MAX_STRANGERS) {
      settings.onNotice(
        `${MAX_STRANGERS} clients have not said their token yet; one more was refused`,
      );
      return new Response("too many at once\n", { status: 503 });
    }
    const { socket, response } = Deno.upgradeWebSocket(request, { idleTimeout: 120 });
    sockets.add(socket);
    socket.addEventListener("close", () => sockets.delete(socket));
    socket.addEventListener("open", () => void welcome(socket));
    return response;
  };

  const server = listening(listen, answer);
  const { port } = server.addr;
  const admission = admissionOf(port, allowedHosts);
  return {
    address: `http://${nameOf(listen.hostname)}:${port}/#token=${admission.token}`,
    async close() {
      for (const socket of sockets) socket.close(CLOSED.ending, "m31a serve ends");
      await server.shutdown();
    },
  };
}

function listening(
  { hostname, port }: ListenAddress,
  answer: (request: Request) => Response,
): Deno.HttpServer<Deno.NetAddr> {
  try {
    return Deno.serve({ hostname, port, onListen: () => {} }, answer);
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse) {
      throw new UsageError(
        `${hostname}:${port} is taken, by another m31a serve perhaps; --listen ${hostname}:0 takes a free port`,
      );
    }
    if (error instanceof Deno.errors.AddrNotAvailable || error instanceof TypeError) {
      throw new UsageError(`${hostname}:${port} is no address of this machine`);
    }
    throw error;
  }
}

/** The name by which this machine reaches what listens there. */
function nameOf(hostname: string): string {
  if (hostname === "0.0.0.0" || hostname === "::") return "localhost";
  return hostname.includes(":") ? `[${hostname}]` : hostname;
}

/** The first message is `_m31a/hello` with the token; answers it. A wrong one costs time and the connection. */
async function saysToken(socket: WebSocket, admission: Admission, clock: Clock): Promise<boolean> {
  const first = await firstMessage(socket, clock);
  if (first === undefined) {
    socket.close(CLOSED.wrongToken, "no token was said");
    return false;
  }
  const { id, method, params } = first;
  if (method === "_m31a/hello" && isToken(params?.token, admission)) {
    socket.send(JSON.stringify({ jsonrpc: "2.0", id, result: {} }));
    return true;
  }
  await clock.sleep(WRONG_TOKEN_MS);
  socket.close(
    CLOSED.wrongToken,
    "the token is not the server's: take the address that m31a serve printed when it started last",
  );
  return false;
}

/** A message that may be the first. */
interface Hello {
  id?: unknown;
  method?: unknown;
  params?: { token?: unknown };
}

function firstMessage(socket: WebSocket, clock: Clock): Promise<Hello | undefined> {
  const { promise, resolve } = Promise.withResolvers<Hello | undefined>();
  const waiting = new AbortController();
  socket.onmessage = ({ data }) => {
    try {
      const message: unknown = JSON.parse(String(data));
      resolve(typeof message === "object" && message !== null ? message : undefined);
    } catch {
      resolve(undefined);
    }
  };
  socket.addEventListener("close", () => resolve(undefined));
  clock.sleep(HELLO_MS, waiting.signal).then(() => resolve(undefined), () => {});
  return promise.finally(() => waiting.abort());
}

/** The server of `m31a serve`: who gets in, who does not, and what a client can cost. */
import assert from "node:assert/strict";
import { once } from "node:events";
import type { Stream } from "@agentclientprotocol/sdk";
import { CLOSED, STUCK_MS } from "../../../src/faces/serve/client_stream.ts";
import { type RunningServer, startServer } from "../../../src/faces/serve/server.ts";
import { type Clock, systemClock } from "../../../src/platform/clock.ts";
import { UsageError } from "../../../src/platform/errors.ts";

interface Served {
  server: RunningServer;
  /** host:port */
  host: string;
  token: string;
  notices: string[];
}

/** Gives back what it is sent, `times` over. */
async function echo({ readable, writable }: Stream, times: number): Promise<void> {
  const writer = writable.getWriter();
  for await (const message of readable) {
    for (let time = 0; time < times; time++) await writer.write(message);
  }
}

async function withServer(
  test: (served: Served) => Promise<void>,
  { clock = systemClock, times = 1 }: { clock?: Clock; times?: number } = {},
): Promise<void> {
  const notices: string[] = [];
  const ended: Promise<unknown>[] = [];
  const server = startServer({
    listen: { hostname: "127.0.0.1", port: 0 },
    allowedHosts: ["m31a.example"],
    clock,
    serveClient(stream) {
      const client = echo(stream, times).catch((error) => notices.push(error.message));
      ended.push(client);
      return client.then(() => {});
    },
    onNotice: (text) => notices.push(text),
  });
  const { host, hash } = new URL(server.address);
  try {
    await test({ server, host, token: hash.replace("#token=", ""), notices });
  } finally {
    await server.close();
    await Promise.all(ended);
  }
}

function hello(token: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id: 0, method: "_m31a/hello", params: { token } });
}

async function opened(host: string): Promise<WebSocket> {
  const socket = new WebSocket(`ws://${host}/acp`);
  await once(socket, "open");
  return socket;
}

async function next(socket: WebSocket): Promise<unknown> {
  const [event] = await once(socket, "message");
  assert.ok(event instanceof MessageEvent);
  return JSON.parse(event.data);
}

async function closed(socket: WebSocket): Promise<CloseEvent> {
  const [event] = await once(socket, "close");
  assert.ok(event instanceof CloseEvent);
  return event;
}

Deno.test("startServer() serves whoever says the token first", () =>
  withServer(async ({ host, token }) => {
    const socket = await opened(host);
    socket.send(hello(token));
    assert.deepEqual(await next(socket), { jsonrpc: "2.0", id: 0, result: {} });
    socket.send('{"jsonrpc":"2.0","method":"a"}');
    assert.deepEqual(await next(socket), { jsonrpc: "2.0", method: "a" });
    const gone = closed(socket);
    socket.close();
    await gone;
  }));

for (
  const [name, first] of [
    ["a wrong token", hello("x")],
    ["another message first", '{"jsonrpc":"2.0","id":0,"method":"initialize"}'],
    ["no JSON", "token"],
  ] as const
) {
  Deno.test(`startServer() closes after ${name}, and says why`, () =>
    withServer(async ({ host, notices }) => {
      const socket = await opened(host);
      const gone = closed(socket);
      socket.send(first);
      const { code, reason } = await gone;
      assert.equal(code, CLOSED.wrongToken);
      assert.match(reason, /token/);
      assert.deepEqual(notices, ["a client without the token was sent away"]);
    }));
}

/** A request with headers that fetch() does not let through. */
async function status(host: string, path: string, headers: string[]): Promise<string> {
  const [hostname = "", port] = host.split(":");
  using connection = await Deno.connect({ hostname, port: Number(port) });
  const lines = [`GET ${path} HTTP/1.1`, ...headers, "Connection: close", "", ""].join("\r\n");
  await connection.write(new TextEncoder().encode(lines));
  return (await new Response(connection.readable).text()).split(" ")[1] ?? "";
}

const UPGRADE = [
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
];

Deno.test("startServer() refuses other names for this machine and other pages, and knows those it was told", () =>
  withServer(async ({ host }) => {
    const port = host.split(":")[1];
    const rows: [string, string, string[]][] = [
      ["200", "/", [`Host: ${host}`]],
      ["200", "/", [`Host: LOCALHOST:${port}`]],
      ["200", "/", ["Host: m31a.example"]],
      ["403", "/", ["Host: evil.example"]],
      ["403", "/", [`Host: evil.example:${port}`]],
      ["403", "/acp", ["Host: evil.example", ...UPGRADE]],
      ["403", "/acp", [`Host: ${host}`, "Origin: http://evil.example", ...UPGRADE]],
      ["403", "/acp", [`Host: ${host}`, "Origin: null", ...UPGRADE]],
      ["404", "/sessions", [`Host: ${host}`]],
      ["426", "/acp", [`Host: ${host}`]],
    ];
    for (const [expected, path, headers] of rows) {
      assert.equal(await status(host, path, headers), expected, `${path} ${headers.join(", ")}`);
    }
  }));

Deno.test("startServer() sends the page with a policy, and no leave for other pages to read it", () =>
  withServer(async ({ host }) => {
    const response = await fetch(`http://${host}/`);
    assert.match(await response.text(), /<div id="app">/);
    const policy = response.headers.get("content-security-policy") ?? "";
    assert.match(policy, /^default-src 'none'; script-src 'sha256-/);
    assert.equal(policy.includes("unsafe"), false);
    assert.equal(response.headers.get("access-control-allow-origin"), null);
  }));

Deno.test("startServer() lets no more than 16 wait with their token", () =>
  withServer(async ({ host, notices }) => {
    const sockets = await Promise.all(Array.from({ length: 16 }, () => opened(host)));
    assert.equal(await status(host, "/acp", [`Host: ${host}`, ...UPGRADE]), "503");
    assert.match(
      notices.join(),
      /^16 clients have not said their token yet; one more was refused$/,
    );
    for (const socket of sockets) {
      const gone = closed(socket);
      socket.close();
      await gone;
    }
  }));

/** A clock on which a second passes with each look at it. */
function fastClock(): Clock {
  let nowMs = 0;
  return {
    ...systemClock,
    monotonicMs: () => nowMs += 1000,
    // Long ones are limits, which are not to be reached.
    sleep: (durationMs, signal) => systemClock.sleep(durationMs < 1000 ? 1 : durationMs, signal),
  };
}

Deno.test("startServer() drops a client that reads nothing, and nobody waits for it", () =>
  withServer(async ({ host, token, notices }) => {
    const [hostname = "", port] = host.split(":");
    using connection = await Deno.connect({ hostname, port: Number(port) });
    const request = [
      "GET /acp HTTP/1.1",
      `Host: ${host}`,
      "Connection: Upgrade",
      ...UPGRADE,
      "",
      "",
    ];
    await connection.write(new TextEncoder().encode(request.join("\r\n")));
    const greeting = new Uint8Array(1024);
    await connection.read(greeting);
    await connection.write(frame(hello(token)));
    await connection.read(greeting);
    await connection.write(frame(JSON.stringify({ method: "x".repeat(100_000) })));
    while (notices.length === 0) await systemClock.sleep(5);
    assert.deepEqual(notices, ["the client reads nothing"]);
    assert.equal(STUCK_MS, 60_000);
  }, { clock: fastClock(), times: 1000 }));

/** A client's text frame; masked with zeros, which is a mask. */
function frame(text: string): Uint8Array<ArrayBuffer> {
  const payload = new TextEncoder().encode(text);
  const head = new DataView(new ArrayBuffer(14));
  head.setUint8(0, 0x81);
  head.setUint8(1, 0x80 | 127);
  head.setBigUint64(2, BigInt(payload.length));
  return new Uint8Array([...new Uint8Array(head.buffer), ...payload]);
}

Deno.test("startServer() says that an address is taken, with the next step", () =>
  withServer(({ host }) => {
    const [hostname = "", port] = host.split(":");
    const settings = {
      listen: { hostname, port: Number(port) },
      allowedHosts: [],
      clock: systemClock,
      serveClient: () => Promise.resolve(),
      onNotice: () => {},
    };
    assert.throws(
      () => startServer(settings),
      (error) =>
        error instanceof UsageError && /is taken.*--listen 127\.0\.0\.1:0/.test(error.message),
    );
    return Promise.resolve();
  }));

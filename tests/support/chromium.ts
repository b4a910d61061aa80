/**
 * A headless Chromium for tests, spoken to over its DevTools protocol.
 * Rule: a profile of its own in a temporary folder, no network; it is ended whatever happens.
 */

/** A page and what it complained about. */
export interface BrowserPage {
  /** Console errors, exceptions, blocked requests. */
  complaints: string[];
  /** Runs JavaScript in the page and gives its value. */
  evaluate(expression: string): Promise<unknown>;
  /** Sends a command of the protocol. */
  send(method: string, params?: object): Promise<Record<string, unknown>>;
}

/** The name of the Chromium that is installed here, if one is. */
export function findChromium(): string | undefined {
  return ["chromium", "chromium-browser", "google-chrome"].find((name) => {
    try {
      return new Deno.Command(name, { args: ["--version"], stderr: "null" }).outputSync().success;
    } catch {
      return false;
    }
  });
}

/** Opens `url` in a window of 1100 × 900 and runs `test` when it has loaded. */
export async function withPage<T>(
  chromium: string,
  url: string,
  test: (page: BrowserPage) => Promise<T>,
): Promise<T> {
  const profile = Deno.makeTempDirSync({ prefix: "m31a-test-chromium-" });
  const browser = new Deno.Command(chromium, {
    args: [
      ...["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
      ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
      ...["--hide-scrollbars", "--window-size=1100,900", "--remote-debugging-port=0"],
      ...[`--user-data-dir=${profile}`, "about:blank"],
    ],
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  try {
    const address = await debuggingAddress(browser.stderr);
    const targets: { type: string; webSocketDebuggerUrl: string }[] =
      await (await fetch(`http://${new URL(address).host}/json`)).json();
    const target = targets.find(({ type }) => type === "page");
    if (target === undefined) throw new Error("Chromium has no page");
    const connection = await connect(target.webSocketDebuggerUrl);
    try {
      for (const domain of ["Page", "Runtime", "Log"]) {
        await connection.page.send(`${domain}.enable`);
      }
      const loaded = connection.once("Page.loadEventFired");
      await connection.page.send("Page.navigate", { url });
      await loaded;
      return await test(connection.page);
    } finally {
      await connection.close();
    }
  } finally {
    try {
      browser.kill("SIGKILL");
    } catch {
      // It has ended by itself.
    }
    await browser.status;
    await removeProfile(profile);
  }
}

/** Chromium says on stderr where it listens; the rest of what it says is read and dropped. */
async function debuggingAddress(stderr: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stderr.pipeThrough(new TextDecoderStream()).getReader();
  let said = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`Chromium did not start:\n${said}`);
    said += value;
    const address = /DevTools listening on (ws:\S+)/.exec(said)?.[1];
    if (address === undefined) continue;
    reader.cancel().catch(() => {});
    return address;
  }
}

/** Children of the browser may still be writing for a moment after its end. */
async function removeProfile(profile: string): Promise<void> {
  for (let tries = 0;; tries++) {
    try {
      return Deno.removeSync(profile, { recursive: true });
    } catch (error) {
      if (tries === 50) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

async function connect(url: string) {
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  const complaints: string[] = [];
  const waiting = new Map<number, (answer: Record<string, unknown>) => void>();
  const events = new Map<string, () => void>();
  let lastId = 0;
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.id !== undefined) return waiting.get(message.id)?.(message.result ?? message.error);
    events.get(message.method)?.();
    const complaint = complaintOf(message);
    if (complaint !== undefined) complaints.push(complaint);
  };
  const send = (method: string, params: object = {}) =>
    new Promise<Record<string, unknown>>((resolve) => {
      waiting.set(++lastId, resolve);
      socket.send(JSON.stringify({ id: lastId, method, params }));
    });
  const page: BrowserPage = {
    complaints,
    send,
    async evaluate(expression) {
      const params = { expression, returnByValue: true, awaitPromise: true };
      const answer = await send("Runtime.evaluate", params);
      if (answer.exceptionDetails !== undefined) throw new Error(JSON.stringify(answer));
      const { result } = answer;
      return typeof result === "object" && result !== null && "value" in result
        ? result.value
        : undefined;
    },
  };
  return {
    page,
    once: (event: string) => new Promise<void>((resolve) => events.set(event, resolve)),
    close: () =>
      new Promise<void>((resolve) => {
        socket.onclose = () => resolve();
        socket.close();
      }),
  };
}

function complaintOf(
  { method, params }: { method: string; params: Record<string, unknown> },
): string | undefined {
  const isError = method === "Runtime.exceptionThrown" || method === "Log.entryAdded" ||
    (method === "Runtime.consoleAPICalled" && params.type === "error");
  return isError ? JSON.stringify(params) : undefined;
}

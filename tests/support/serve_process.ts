/** The executable as a server: `m31a serve` on a free port, and clients on its WebSocket and on its sockets. */
import type { Stream } from "@agentclientprotocol/sdk";
import { once } from "node:events";
import { executablePath } from "../e2e/executable.ts";
import { webSocketStream } from "../../src/faces/serve/client_stream.ts";
import { systemClock } from "../../src/platform/clock.ts";
import type { Project } from "./project.ts";

/** A running server. Use it with `await using`: it is killed at the end of the block. */
export class ServeProcess implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #stderr: Promise<string>;
  /** The page's address, with the token. */
  readonly address: string;

  private constructor(child: Deno.ChildProcess, address: string, stderr: Promise<string>) {
    this.#child = child;
    this.#stderr = stderr;
    this.address = address;
  }

  /** Starts it in the project's root, and waits for its address. */
  static async start(project: Project, args: readonly string[] = []): Promise<ServeProcess> {
    const child = new Deno.Command(executablePath(), {
      args: ["serve", "--listen", "127.0.0.1:0", ...args],
      cwd: project.root,
      clearEnv: true,
      env: { ...project.variables },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const stderr = new Response(child.stderr).text();
    const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    let said = "";
    while (!said.includes("\n")) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`m31a serve has ended: ${await stderr}`);
      said += value;
    }
    await reader.cancel();
    return new ServeProcess(child, said.trim(), stderr);
  }

  /** A client's stream, behind the token. */
  async connect(): Promise<Stream> {
    const { host, hash } = new URL(this.address);
    const socket = new WebSocket(`ws://${host}/acp`);
    await once(socket, "open");
    const params = { token: hash.replace("#token=", "") };
    socket.send(JSON.stringify({ jsonrpc: "2.0", id: 0, method: "_m31a/hello", params }));
    await once(socket, "message");
    return webSocketStream(socket, systemClock);
  }

  /** Tells it to end, and waits for that. */
  async end(signal: Deno.Signal = "SIGTERM"): Promise<{ code: number; stderr: string }> {
    this.#child.kill(signal);
    const [{ code }, stderr] = await Promise.all([this.#child.status, this.#stderr]);
    return { code, stderr };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#child.kill("SIGKILL");
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // it has ended by itself
    }
    await Promise.all([this.#child.status, this.#stderr]);
  }
}

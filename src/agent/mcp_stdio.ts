/**
 * MCP over the standard streams of a program that is started for it.
 * Rule: the program goes through `sh`, the one way to start anything; it cannot flood, hang or outlive m31a.
 */
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport";
// @ts-types="@modelcontextprotocol/sdk/types"
import { type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import { WorkFailed } from "../platform/errors.ts";
import { concatenate, killGroup } from "../platform/processes.ts";
import { EXEC, startShell } from "../platform/shell.ts";
import { decodeLossy, maskSecrets, stripControlSequences } from "../platform/text.ts";
import { environmentFilter } from "./command_environment.ts";

/** A longer line is not taken for a message; the server is stopped. */
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
/** What is kept of the server's standard error, for the error that says why it ended. */
const MAX_COMPLAINT_CHARACTERS = 500;
/** How long a server may take to end by itself when its input is closed. */
const GRACE_MS = 300;

/** The program to start. */
export interface ServerProgram {
  command: string;
  args: readonly string[];
  /** Added to the filtered environment. */
  env: Readonly<Record<string, string>>;
  /** The folder it starts in. */
  cwd: string;
}

/** A transport for the SDK's client; its own needs more rights than m31a has. */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"] & ((message: JSONRPCMessage) => void);
  readonly #program: ServerProgram;
  readonly #secrets: readonly string[];
  readonly #keptCharacters: number;
  #child: Deno.ChildProcess | undefined;
  #writer: WritableStreamDefaultWriter<Uint8Array> | undefined;
  #ended: Promise<void> | undefined;
  #complaint = "";
  #isClosed = false;

  /** @param secrets what must not stand in the complaint */
  constructor(program: ServerProgram, secrets: readonly string[]) {
    this.#program = program;
    this.#secrets = secrets;
    const longest = Math.max(0, ...secrets.map((secret) => secret.length));
    this.#keptCharacters = MAX_COMPLAINT_CHARACTERS + longest;
  }

  /** The end of what the server wrote to its standard error, as plain text. */
  get complaint(): string {
    // A secret that the beginning cuts through is left out with the rest that is too much.
    const masked = maskSecrets(this.#complaint, this.#secrets);
    return stripControlSequences(masked).slice(-MAX_COMPLAINT_CHARACTERS).trim();
  }

  start(): Promise<void> {
    const { command, args, env, cwd } = this.#program;
    const script = environmentFilter(Object.keys(env)) + EXEC;
    const child = startShell(script, [command, ...args], {
      cwd,
      overrides: env,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
      detached: true,
    });
    this.#child = child;
    this.#writer = child.stdin.getWriter();
    const streams = [this.#readMessages(child.stdout), this.#readComplaints(child.stderr)];
    this.#ended = child.status.then(async () => {
      // What the server started must not hold its streams open.
      await killGroup(child.pid);
      await Promise.allSettled(streams);
      await this.#writer?.abort().catch(() => {});
      this.#closed();
    });
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#writer === undefined || this.#isClosed) throw new WorkFailed("the server has ended");
    await this.#writer.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return this.#closed();
    await this.#writer?.close().catch(() => {});
    const timer = setTimeout(() => void killGroup(child.pid), GRACE_MS);
    await this.#ended;
    clearTimeout(timer);
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }

  async #readMessages(stream: ReadableStream<Uint8Array>): Promise<void> {
    let parts: Uint8Array[] = [];
    let sizeBytes = 0;
    for await (const bytes of stream) {
      let start = 0;
      for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
        this.#receive(concatenate([...parts, bytes.subarray(start, end)]));
        parts = [];
        sizeBytes = 0;
        start = end + 1;
      }
      parts.push(bytes.slice(start));
      sizeBytes += bytes.byteLength - start;
      if (sizeBytes > MAX_MESSAGE_BYTES) {
        this.#complaint = `it sent a message of more than ${MAX_MESSAGE_BYTES} bytes`;
        if (this.#child !== undefined) await killGroup(this.#child.pid);
        return;
      }
    }
  }

  /** Hands a message on. Anything else, such as a greeting, is passed over. */
  #receive(line: Uint8Array): void {
    let value: unknown;
    try {
      value = JSON.parse(decodeLossy(line));
    } catch {
      return;
    }
    const message = JSONRPCMessageSchema.safeParse(value);
    if (message.success) this.onmessage?.(message.data);
  }

  async #readComplaints(stream: ReadableStream<Uint8Array>): Promise<void> {
    for await (const bytes of stream) {
      this.#complaint = (this.#complaint + decodeLossy(bytes)).slice(-this.#keptCharacters);
    }
  }
}

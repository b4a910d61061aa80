/**
 * A running `m31a chat --json`: lines go in, events come out, and it can be killed at any of them.
 * Rule: waiting is for an event, never for time; a process that ends instead fails the test with what it said.
 */
import type { AgentEvent } from "../../src/agent/events.ts";

/** The event of one type. */
export type EventOf<T extends AgentEvent["type"]> = Extract<AgentEvent, { type: T }>;

/** The process. Use it with `await using`: it is killed at the end of the block. */
export class ChatProcess implements AsyncDisposable {
  /** Every event so far. */
  readonly events: AgentEvent[] = [];
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #lines: AsyncGenerator<string>;
  readonly #stderr: Promise<string>;
  #hasEnded = false;

  constructor(child: Deno.ChildProcess) {
    this.#child = child;
    this.#input = child.stdin.getWriter();
    this.#lines = linesOf(child.stdout);
    this.#stderr = new Response(child.stderr).text();
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Types a line. */
  async type(line: string): Promise<void> {
    await this.#input.write(new TextEncoder().encode(`${line}\n`));
  }

  /** The next event; undefined at the end of stdout. */
  async next(): Promise<AgentEvent | undefined> {
    const { value, done } = await this.#lines.next();
    if (done) return undefined;
    const event: AgentEvent = JSON.parse(value);
    this.events.push(event);
    return event;
  }

  /** Waits for the next event of a type. */
  async until<T extends AgentEvent["type"]>(type: T): Promise<EventOf<T>> {
    for (;;) {
      const event = await this.next();
      if (event === undefined) {
        throw new Error(`m31a ended before a "${type}": ${await this.#stderr}`);
      }
      if (isOf(event, type)) return event;
    }
  }

  /** Types a message and waits for the end of its turn. */
  async turn(message: string): Promise<EventOf<"turn_ended">["end"]> {
    await this.type(message);
    return (await this.until("turn_ended")).end;
  }

  /** The events of a type so far. */
  all<T extends AgentEvent["type"]>(type: T): EventOf<T>[] {
    return this.events.filter((event): event is EventOf<T> => isOf(event, type));
  }

  /** Sends a signal. */
  signal(signal: Deno.Signal): void {
    this.#child.kill(signal);
  }

  /** Kills it as a power cut would, and waits until it is gone. */
  async kill(): Promise<void> {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    try {
      this.#child.kill("SIGKILL");
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // it has ended by itself
    }
    await this.#release();
  }

  /** Closes its stdin, as Ctrl-D does, and waits for its end. */
  async leave(): Promise<{ code: number; stderr: string }> {
    await this.#input.close().catch(() => {});
    return await this.ended();
  }

  /** Waits for its end; the events until then are kept. */
  async ended(): Promise<{ code: number; stderr: string }> {
    while (await this.next() !== undefined);
    this.#hasEnded = true;
    return await this.#release();
  }

  async #release(): Promise<{ code: number; stderr: string }> {
    await this.#input.abort().catch(() => {});
    await this.#lines.return(undefined);
    const [{ code }, stderr] = await Promise.all([this.#child.status, this.#stderr]);
    return { code, stderr };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}

function isOf<T extends AgentEvent["type"]>(event: AgentEvent, type: T): event is EventOf<T> {
  return event.type === type;
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let pending = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (pending + text).split("\n");
    pending = lines.pop() ?? "";
    yield* lines;
  }
  if (pending !== "") yield pending;
}

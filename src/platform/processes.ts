/**
 * Running other programs: bounded in time and output, killed as a whole group.
 * Rule: a script is m31a's own text; what a caller gives reaches it as arguments.
 */
import { type Clock, systemClock } from "./clock.ts";
import { startShell } from "./shell.ts";

/** What to run and within which bounds. */
export interface ProcessRequest {
  /** Text for `sh`; `EXEC` (shell.ts) where the arguments are a command. */
  script: string;
  /** The script's `$1` and on. */
  args: readonly string[];
  cwd?: string;
  /** The whole environment of the process; nothing is inherited when it is given. */
  env?: Readonly<Record<string, string>>;
  /** Variables over the inherited ones, where `env` is not given. */
  overrides?: Readonly<Record<string, string>>;
  stdin?: Uint8Array;
  /** After this many milliseconds the process group is killed. */
  timeoutMs?: number;
  /** Kills the process group when aborted. */
  signal?: AbortSignal;
  /** Of each stream, how many bytes to keep: the head and the tail, half of this each. All of it by default. */
  maxOutputBytes?: number;
  /** Called with each piece of output as it arrives. */
  onOutput?: (bytes: Uint8Array, stream: "stdout" | "stderr") => void;
  /**
   * Kill what is left of the group as soon as the leader has ended, even when it does not hold the
   * output open. Costs one more process; for commands that are not m31a's own.
   */
  leavesNothing?: boolean;
  /**
   * It starts no other program and is soon over: it gets no group of its own. A group costs a fork of m31a, which takes
   * several times as long as the program itself; without one, Ctrl-C at the terminal reaches it too.
   */
  startsNothing?: boolean;
  clock?: Clock;
}

/** How a process ended. */
export interface ProcessResult {
  /** The exit code; 128 + the signal's number when a signal ended it. */
  code: number;
  stdout: Uint8Array;
  stderr: Uint8Array;
  /** Bytes that were not kept because of `maxOutputBytes`, over both streams. */
  omittedBytes: number;
  timedOut: boolean;
  aborted: boolean;
  /** Something that has left the process group still held the output open, and was not waited for. */
  leftRunning: boolean;
  durationMs: number;
}

/**
 * Runs a program to its end. A failing exit code is a result, not an error.
 *
 * The process leads a group of its own (unless it `startsNothing`), and the whole group is killed when the
 * time is over, when `signal` is aborted, and after the leader has ended. What has left the group by then
 * (`setsid`) is not waited for, even when it holds the output open.
 *
 * @throws {Deno.errors.NotFound} when there is no such folder
 */
export async function runProcess(request: ProcessRequest): Promise<ProcessResult> {
  const clock = request.clock ?? systemClock;
  const startedMs = clock.monotonicMs();
  const { cwd, env, overrides } = request;
  const child = startShell(request.script, request.args, {
    ...(cwd !== undefined && { cwd }),
    ...(env !== undefined && { env }),
    ...(overrides !== undefined && { overrides }),
    stdin: request.stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
    detached: request.startsNothing !== true,
  });

  let timedOut = false;
  let aborted = false;
  let killing: Promise<void> | undefined;
  const kill = () => {
    killing = (request.startsNothing ? killProcess : killGroup)(child.pid);
  };
  const onAbort = () => {
    aborted = true;
    kill();
  };
  const timer = request.timeoutMs === undefined ? undefined : setTimeout(() => {
    timedOut = true;
    kill();
  }, request.timeoutMs);
  if (request.signal?.aborted) onAbort();
  request.signal?.addEventListener("abort", onAbort, { once: true });

  const stdout = new CappedBytes(request.maxOutputBytes);
  const stderr = new CappedBytes(request.maxOutputBytes);
  const readers = [child.stdout.getReader(), child.stderr.getReader()] as const;
  const writer = request.stdin === undefined ? undefined : child.stdin.getWriter();
  const streams = Promise.all([
    feed(writer, request.stdin),
    drain(readers[0], stdout, (bytes) => request.onOutput?.(bytes, "stdout")),
    drain(readers[1], stderr, (bytes) => request.onOutput?.(bytes, "stderr")),
  ]);
  let leftRunning = false;
  const giveUp = async () => {
    leftRunning = true;
    await Promise.all([writer?.abort(), ...readers.map((reader) => reader.cancel())]);
  };
  try {
    const status = await child.status;
    if (request.leavesNothing === true) await killGroup(child.pid);
    await (request.startsNothing ? streams : endStreams(child.pid, streams, giveUp));
    // What was started here has ended when this resolves, the killer included.
    await killing;
    return {
      code: status.code,
      stdout: stdout.bytes(),
      stderr: stderr.bytes(),
      omittedBytes: stdout.omitted() + stderr.omitted(),
      timedOut,
      aborted,
      leftRunning,
      durationMs: clock.monotonicMs() - startedMs,
    };
  } finally {
    clearTimeout(timer);
    request.signal?.removeEventListener("abort", onAbort);
  }
}

/**
 * How long output may stay open after the leader has ended, in milliseconds, before the rest of its group is
 * killed; and once more before it is given up.
 */
const LINGER_MS = 200;

async function endStreams(
  pid: number,
  streams: Promise<unknown>,
  giveUp: () => Promise<void>,
): Promise<void> {
  const done = new AbortController();
  const linger = async () => {
    await systemClock.sleep(LINGER_MS, done.signal);
    await killGroup(pid);
    await systemClock.sleep(LINGER_MS, done.signal);
    await giveUp();
  };
  const lingering = linger().catch((error: unknown) => {
    if (!done.signal.aborted) throw error;
  });
  try {
    await Promise.race([streams, lingering]);
    await streams;
  } finally {
    done.abort();
    await lingering;
  }
}

/**
 * Kills every process of the group that `pid` leads. `sh` does it: Deno's own kill wants the right to
 * run anything. (`-s KILL --`, because dash takes the `--` of `kill -9 -- -PID` for a number.)
 */
export async function killGroup(pid: number): Promise<void> {
  await sendKill(`-${pid}`);
}

async function killProcess(pid: number): Promise<void> {
  await sendKill(String(pid));
}

async function sendKill(target: string): Promise<void> {
  const child = startShell('kill -s KILL -- "$1"', [target], {
    env: {},
    stdin: "null",
    stdout: "null",
    stderr: "null",
  });
  await child.status;
}

async function feed(
  writer: WritableStreamDefaultWriter<Uint8Array> | undefined,
  bytes: Uint8Array | undefined,
): Promise<void> {
  if (writer === undefined || bytes === undefined) return;
  try {
    await writer.write(bytes);
    await writer.close();
  } catch {
    // The program ended without reading all of its input; its exit code tells the rest.
    await writer.abort().catch(() => {});
  }
}

async function drain(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  into: CappedBytes,
  onBytes: (bytes: Uint8Array) => void,
): Promise<void> {
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    into.add(piece.value);
    onBytes(piece.value);
  }
}

/** Bytes of a stream of which only the first and the last are kept. */
class CappedBytes {
  #head: Uint8Array[] = [];
  #headBytes = 0;
  #tail: Uint8Array[] = [];
  #tailBytes = 0;
  #omittedBytes = 0;
  readonly #half: number;

  constructor(maxBytes: number | undefined) {
    this.#half = maxBytes === undefined ? Infinity : Math.floor(maxBytes / 2);
  }

  add(bytes: Uint8Array): void {
    const room = Math.min(bytes.byteLength, this.#half - this.#headBytes);
    if (room > 0) this.#head.push(bytes.slice(0, room));
    this.#headBytes += room;
    if (room === bytes.byteLength) return;
    this.#tail.push(bytes.slice(room));
    this.#tailBytes += bytes.byteLength - room;
    for (let oldest = this.#tail[0]; oldest !== undefined; oldest = this.#tail[0]) {
      if (this.#tailBytes - oldest.byteLength < this.#half) break;
      this.#tail.shift();
      this.#tailBytes -= oldest.byteLength;
      this.#omittedBytes += oldest.byteLength;
    }
  }

  #surplus(): number {
    return Math.max(0, this.#tailBytes - this.#half);
  }

  omitted(): number {
    return this.#omittedBytes + (Number.isFinite(this.#half) ? this.#surplus() : 0);
  }

  bytes(): Uint8Array {
    const head = concatenate(this.#head);
    if (this.#tail.length === 0) return head;
    const tail = concatenate(this.#tail).subarray(this.#surplus());
    if (this.omitted() === 0) return concatenate([head, tail]);
    const note = new TextEncoder().encode(`\n[… ${this.omitted()} bytes left out …]\n`);
    return concatenate([head, note, tail]);
  }
}

/** One array with the bytes of all of `parts`. */
export function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.byteLength;
  }
  return whole;
}

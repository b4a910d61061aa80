/**
 * Runs writer_program.ts as a process of its own, plain or under something that makes system calls fail.
 * Rule: a process that is started here is waited for by whoever started it.
 */
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("./writer_program.ts", import.meta.url));
const CONFIG = fileURLToPath(new URL("../../deno.json", import.meta.url));

/** The command line of the program, program first. */
export function writerCommand(root: string, what: string, count?: number): string[] {
  const flags = ["run", "-A", "--quiet", "--no-check", "--cached-only", "--config", CONFIG];
  const args = [root, what, ...(count === undefined ? [] : [String(count)])];
  return [Deno.execPath(), ...flags, PROGRAM, ...args];
}

/** What a finished process printed. */
export interface Printed {
  code: number;
  lines: string[];
}

/** Runs a command line to its end. */
export async function runToEnd([program = "", ...args]: string[]): Promise<Printed> {
  const { code, stdout } = await new Deno.Command(program, {
    args,
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).output();
  return {
    code,
    lines: new TextDecoder().decode(stdout).split("\n").filter((line) => line !== ""),
  };
}

/**
 * Starts the program and hands it over with its lines as they come; it is killed with -9 when `use`
 * is done. Resolves to all of the lines that it got out before it died.
 */
export async function withWriter(
  root: string,
  what: string,
  use: (nextLine: () => Promise<string | undefined>, pid: number) => Promise<void>,
): Promise<string[]> {
  const [program = "", ...args] = writerCommand(root, what);
  const child = new Deno.Command(program, { args, stdin: "null", stdout: "piped", stderr: "null" })
    .spawn();
  const lines: string[] = [];
  const incoming = linesOf(child.stdout);
  const nextLine = async () => {
    const { value } = await incoming.next();
    if (value !== undefined) lines.push(value);
    return value;
  };
  try {
    await use(nextLine, child.pid);
  } finally {
    child.kill("SIGKILL");
    while (await nextLine() !== undefined);
    await child.status;
  }
  return lines;
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  let pending = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (pending + text).split("\n");
    pending = lines.pop() ?? "";
    yield* lines;
  }
  return undefined;
}

/**
 * A turn of `m31a chat` in a process of its own, killed with SIGKILL as soon as the turn is over.
 * Rule: the process gets no chance to tidy up; what the next one finds is what was durable.
 */
import { join } from "@std/path";
import { PROJECT_ROOT } from "../deno.ts";
import { applicationFlags } from "../permissions.ts";

/** An event of `m31a chat --json`, as far as the demo reads it. */
export interface ChatEvent {
  type: string;
  [field: string]: unknown;
}

/** Starts m31a in `project`, says `message`, passes its events on, and kills it when the turn has ended. */
export async function killedChatTurn(
  project: string,
  message: string,
  environment: Record<string, string>,
  isFirst: boolean,
  onEvent: (event: ChatEvent) => void,
): Promise<{ pid: number }> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-check",
      ...applicationFlags(),
      join(PROJECT_ROOT, "main.ts"),
      "chat",
      "--json",
      ...(isFirst ? [] : ["--continue"]),
    ],
    cwd: project,
    env: environment,
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  // Standard input stays open: the process waits for the next line when it is killed.
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(`${message}\n`));
  let hasEnded = false;
  for await (const event of events(child.stdout)) {
    onEvent(event);
    hasEnded = event.type === "turn_ended";
    if (hasEnded) break;
  }
  if (hasEnded) child.kill("SIGKILL");
  const { code } = await child.status;
  await writer.abort().catch(() => {});
  if (!hasEnded) throw new Error(`m31a ended with exit code ${code} before its turn did`);
  return { pid: child.pid };
}

async function* events(stdout: ReadableStream<Uint8Array>): AsyncGenerator<ChatEvent> {
  let pending = "";
  for await (const text of stdout.pipeThrough(new TextDecoderStream())) {
    const lines = (pending + text).split("\n");
    pending = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line);
  }
}

/**
 * Sessions for tests: baselines, records, whole conversations, and what is on disk of them.
 * Rule: everything here is decided by its arguments; the clock stands still.
 */
import { join } from "@std/path";
import type { Clock } from "../../src/platform/clock.ts";
import { type Baseline, NOTHING_CARRIED } from "../../src/session/baseline.ts";
import { logPath, sessionDirectory } from "../../src/session/layout.ts";
import { FORMAT_VERSION, type RecordDraft } from "../../src/session/records.ts";
import { Session } from "../../src/session/session.ts";

export const ID = "20260102-030405-1a2b";
export const NOW = new Date("2026-01-02T03:04:05.678Z");

/** A clock that always says {@linkcode NOW}. */
export const stoppedClock: Clock = {
  now: () => NOW,
  monotonicMs: () => 0,
  sleep: () => Promise.resolve(),
};

export function sampleBaseline(changes: Partial<Baseline> = {}): Baseline {
  return {
    format: FORMAT_VERSION,
    session: ID,
    epoch: 0,
    parent: null,
    createdAt: NOW.toISOString(),
    day: "2026-01-02",
    model: {
      provider: "openai",
      name: "some-model",
      baseUrl: null,
      parameters: { temperature: 0 },
      contextWindowTokens: 128000,
    },
    cacheKey: ID,
    system: "You are m31a.",
    tools: [{
      name: "read_file",
      description: "Reads a file.",
      inputSchema: { type: "object", properties: { path: { type: "string" } } },
    }],
    limits: { requestsPerTurn: 50 },
    agents: "Be brief.",
    memory: null,
    repository: { head: "a".repeat(40), branch: "main", dirty: [] },
    summary: null,
    carried: NOTHING_CARRIED,
    ...changes,
  };
}

export function user(text: string): RecordDraft {
  return { type: "user", text, source: "user" };
}

/** A reply of text, with a call of read_file for each of `calls`. */
export function reply(text: string, ...calls: number[]): RecordDraft {
  return {
    type: "assistant",
    parts: [
      { kind: "text", text },
      ...calls.map((call) => ({
        kind: "call" as const,
        call,
        tool: "read_file",
        input: { path: `file-${call}` },
      })),
    ],
    finish: calls.length > 0 ? "tool-calls" : "stop",
    request: { sizeBytes: 100, sha256: "0".repeat(64) },
  };
}

export function result(call: number, output = `output ${call}`): RecordDraft {
  return { type: "tool_result", call, tool: "read_file", output, isError: false };
}

export function usage(input: number, output: number, cost: number | null = null): RecordDraft {
  return {
    type: "usage",
    requestId: "r",
    purpose: "turn",
    provider: "openai",
    model: "some-model",
    input,
    output,
    cacheRead: 0,
    cacheWrite: 0,
    isReported: true,
    cost,
    costSource: cost === null ? "unknown" : "reported",
    durationMs: 12,
    retries: 0,
  };
}

/** One turn as three records. */
export function turn(number: number): RecordDraft[] {
  return [user(`question ${number}`), reply(`answer ${number}`), usage(10, 5)];
}

/** Makes a session with `turns` turns of three records each and closes it. */
export async function makeSession(root: string, turns: number, id = ID): Promise<void> {
  using session = await Session.create(root, sampleBaseline({ session: id, cacheKey: id }), null, {
    clock: stoppedClock,
  });
  for (let number = 1; number <= turns; number++) session.append(turn(number));
}

export function logFile(root: string, epoch = 0, id = ID): string {
  return join(root, logPath(id, epoch));
}

export function readLines(path: string): string[] {
  return Deno.readTextFileSync(path).split("\n").slice(0, -1);
}

export function writeLines(path: string, lines: readonly string[]): void {
  Deno.writeTextFileSync(path, lines.map((line) => line + "\n").join(""));
}

/** Every file of a session with its bytes as text, to compare before and after. */
export function filesOf(root: string, id = ID): Record<string, string> {
  const directory = join(root, sessionDirectory(id));
  const names = [...Deno.readDirSync(directory)].map((entry) => entry.name).sort();
  return Object.fromEntries(names.map((name) => {
    const bytes = Deno.readFileSync(join(directory, name));
    return [name, Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")];
  }));
}

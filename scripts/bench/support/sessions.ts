/**
 * Sessions to measure with: a baseline, and records as a conversation with a model has them.
 * Rule: the same arguments give the same records, so that two runs measure the same thing.
 */
import { type Baseline, NOTHING_CARRIED } from "../../../src/session/baseline.ts";
import { FORMAT_VERSION, type RecordDraft } from "../../../src/session/records.ts";
import { Session } from "../../../src/session/session.ts";
import { BENCH_SESSION } from "./id.ts";

const SOURCE = Deno.readTextFileSync(new URL("../../../src/session/session.ts", import.meta.url));

function baseline(): Baseline {
  return {
    format: FORMAT_VERSION,
    session: BENCH_SESSION,
    epoch: 0,
    parent: null,
    createdAt: "2026-01-02T03:04:05.678Z",
    day: "2026-01-02",
    model: {
      provider: "openai",
      name: "some-model",
      baseUrl: null,
      parameters: {},
      contextWindowTokens: 128_000,
    },
    cacheKey: BENCH_SESSION,
    system: "You are m31a.",
    tools: [],
    limits: {},
    agents: null,
    memory: null,
    repository: null,
    summary: null,
    carried: NOTHING_CARRIED,
  };
}

/**
 * One turn in which a tool is called: a question, a reply with a call, the tool's output (source code of
 * 1 to 16 kB), an answer, and the usage of both requests.
 *
 * @param call the number of the tool call
 */
export function turn(call: number): RecordDraft[] {
  const size = 1000 + (call * 7919) % 15_000;
  const start = (call * 37) % 4000;
  const output = SOURCE.repeat(2).slice(start, start + size);
  const request = { sizeBytes: 40_000, sha256: "0".repeat(64) };
  return [
    { type: "user", text: `Question ${call}: ${SOURCE.slice(start, start + 200)}`, source: "user" },
    {
      type: "assistant",
      parts: [
        { kind: "text", text: "I look at the file first." },
        { kind: "call", call, tool: "read_file", input: { path: `src/file_${call}.ts`, from: 1 } },
      ],
      finish: "tool-calls",
      request,
    },
    usage(call, 1),
    { type: "tool_result", call, tool: "read_file", output, isError: false },
    {
      type: "assistant",
      parts: [{ kind: "text", text: SOURCE.slice(start, start + 1200) }],
      finish: "stop",
      request,
    },
    usage(call, 2),
  ];
}

function usage(call: number, request: number): RecordDraft {
  return {
    type: "usage",
    requestId: `request-${call}-${request}`,
    purpose: "turn",
    provider: "openai",
    model: "some-model",
    input: 12_345,
    output: 321,
    cacheRead: 12_000,
    cacheWrite: 0,
    isReported: true,
    cost: 0.0123,
    costSource: "reported",
    durationMs: 1234,
    retries: 0,
  };
}

/** Makes a session whose log has at least `sizeBytes`, written in large pieces. Gives its real size. */
export async function makeSession(root: string, sizeBytes: number): Promise<number> {
  const log = `${root}/sessions/${BENCH_SESSION}/0.jsonl`;
  const session = await Session.create(root, baseline(), null, {}, (append) => {
    let call = 0;
    while (Deno.statSync(`${log}.new`).size < sizeBytes) {
      append(Array.from({ length: 200 }, () => turn(++call)).flat());
    }
  });
  session.close();
  return Deno.statSync(log).size;
}

/** Makes a session that began in `repository` and has these records. */
export async function makeSessionOf(
  root: string,
  repository: Baseline["repository"],
  records: readonly RecordDraft[],
): Promise<void> {
  using session = await Session.create(root, { ...baseline(), repository }, null);
  session.append([...records]);
}

/** Makes a session of `epochs` epochs, each of `turns` turns. */
export async function makeEpochs(root: string, epochs: number, turns: number): Promise<void> {
  using session = await Session.create(root, baseline(), null);
  for (let epoch = 0; epoch < epochs; epoch++) {
    if (epoch > 0) await session.beginEpoch("What was said before, in a few words.", null);
    const first = session.totals.calls + 1;
    session.append(Array.from({ length: turns }, (_, index) => turn(first + index)).flat());
  }
}

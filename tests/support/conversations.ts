/** Conversations for tests: a real session on disk, with a model whose words the test decides. */
import type { Completion, Model, ModelCall, StreamOptions } from "../../src/model/port.ts";
import { Conversation, type ConversationWorld } from "../../src/agent/conversation.ts";
import type { AgentEvent } from "../../src/agent/events.ts";
import type { Limits } from "../../src/agent/limits.ts";
import type { ToolOutcome } from "../../src/agent/tool.ts";
import type { ToolCall, ToolSet } from "../../src/agent/tool_set.ts";
import { canonicalJson, type JsonValue, sha256Hex } from "../../src/platform/canonical_json.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { type Baseline, NOTHING_CARRIED } from "../../src/session/baseline.ts";
import { readSession } from "../../src/session/session_reader.ts";
import { FORMAT_VERSION, type SessionRecord } from "../../src/session/records.ts";

/** What the model does with one request: answers, or throws. */
export type Answer = (call: ModelCall, options: StreamOptions) => Completion | Promise<Completion>;

/** A model that answers request after request as the test says, and keeps what it was sent. */
export class WordsModel implements Model {
  readonly id = { provider: "words", name: "test" };
  readonly contextWindowTokens: number | undefined;
  readonly bodies: string[] = [];
  readonly #answers: Answer[];

  constructor(answers: readonly Answer[], contextWindowTokens?: number) {
    this.#answers = [...answers];
    this.contextWindowTokens = contextWindowTokens;
  }

  encode(call: ModelCall): Promise<Uint8Array> {
    const { prompt, tools, parameters } = call;
    const head = canonicalJson({ parameters, tools }).slice(0, -1);
    return Promise.resolve(
      new TextEncoder().encode(`${head},"messages":${JSON.stringify(prompt)}}`),
    );
  }

  async stream(call: ModelCall, options: StreamOptions): Promise<Completion> {
    options.signal.throwIfAborted();
    const body = await this.encode(call);
    this.bodies.push(new TextDecoder().decode(body));
    const answer = this.#answers.shift();
    if (answer === undefined) throw new Error("the test's model has no more answers");
    const completion = await answer(call, options);
    const request = { sizeBytes: body.byteLength, sha256: sha256Hex(body) };
    return { ...completion, request, requestId: `r${this.bodies.length}` };
  }
}

/** An answer of text, calls, or both. */
export function says(
  text: string,
  calls: readonly { tool: string; input: JsonValue; malformed?: string }[] = [],
  usage: Partial<Completion["usage"]> = {},
): Answer {
  return (_call, { onEvent }) => {
    if (text !== "") onEvent({ type: "text-delta", text });
    return {
      content: [
        ...(text === "" ? [] : [{ type: "text" as const, text }]),
        ...calls.map(({ tool, ...call }, index) => ({
          type: "tool-call" as const,
          name: tool,
          id: `provider-${index}`,
          ...call,
        })),
      ],
      finish: calls.length > 0 ? "tool-calls" : "stop",
      usage: {
        input: 10,
        output: 5,
        cacheRead: 0,
        cacheWrite: 0,
        isReported: true,
        costSource: "unknown",
        ...usage,
      },
      request: { sizeBytes: 0, sha256: "" },
      requestId: "",
      retries: 0,
    };
  };
}

/** An answer that never comes: the request fails with `error`. */
export function fails(error: unknown): Answer {
  return () => Promise.reject(error);
}

/** Tools whose outcomes the test decides, run one after another. */
export function toolSet(run: (call: ToolCall) => ToolOutcome | Promise<ToolOutcome>): ToolSet {
  return {
    definitions: [],
    effectOf: () => "read",
    async runCalls(calls, context, observer) {
      for (const call of calls) {
        context.signal.throwIfAborted();
        observer.onStart(call);
        observer.onResult(call, await run(call));
      }
    },
    close: () => Promise.resolve(),
  };
}

export const NO_LIMITS: Limits = {
  requestsPerTurn: 0,
  tokensPerSession: 0,
  costPerSession: 0,
  secondsPerTurn: 0,
  silenceSeconds: 0,
  repeatedCalls: 0,
};

export const TEST_SESSION = "20260102-030405-1a2b";

/** A baseline with nothing in it. */
export function plainBaseline(overrides: Partial<Baseline> = {}): Baseline {
  return {
    format: FORMAT_VERSION,
    session: TEST_SESSION,
    epoch: 0,
    parent: null,
    createdAt: "2026-01-02T03:04:05.000Z",
    day: "2026-01-02",
    model: {
      provider: "words",
      name: "test",
      baseUrl: null,
      parameters: {},
      contextWindowTokens: null,
    },
    cacheKey: TEST_SESSION,
    system: "You are tested.",
    tools: [],
    limits: {},
    agents: null,
    memory: null,
    repository: null,
    summary: null,
    carried: NOTHING_CARRIED,
    ...overrides,
  };
}

/** A world around `model`; `events` collects what happens. */
export function worldOf(
  root: string,
  model: Model,
  overrides: Partial<ConversationWorld> = {},
): ConversationWorld & { events: AgentEvent[] } {
  const events: AgentEvent[] = [];
  return {
    root,
    clock: systemClock,
    environment: {},
    model,
    tools: toolSet(({ tool }) => ({ output: `${tool} done`, isError: false })),
    limits: NO_LIMITS,
    secrets: [],
    onEvent: (event) => void events.push(event),
    approve: () => Promise.resolve({ isAllowed: true }),
    ask: () => Promise.resolve(""),
    events,
    ...overrides,
  };
}

/** Starts a conversation with {@linkcode plainBaseline}. */
export function startConversation(world: ConversationWorld): Promise<Conversation> {
  return Conversation.start(world, plainBaseline(), null);
}

/** All records of the test's session. */
export async function recordsOf(root: string, id = TEST_SESSION): Promise<SessionRecord[]> {
  const records: SessionRecord[] = [];
  await readSession(root, id, (record) => void records.push(record));
  return records;
}

/** Calls and models for the tests of this room. */
import type { Clock } from "../../src/platform/clock.ts";
import { systemClock } from "../../src/platform/clock.ts";
import type { NetworkChoice } from "../../src/model/choice.ts";
import type { HttpLimits } from "../../src/model/http_limits.ts";
import { openModel } from "../../src/model/open.ts";
import type { Model, ModelCall, ModelEvent, Prompt } from "../../src/model/port.ts";

/** A key that must never be seen. */
export const KEY = "sk-test-0123456789abcdef";

/** The providers of the two protocols, with a model that is in the table of prices. */
export const PROTOCOLS = [
  { provider: "openai", name: "gpt-5.2" },
  { provider: "anthropic", name: "claude-sonnet-5" },
] as const;

/** A call whose prompt is a system message and one message of the user. */
export function callWith(text: string, overrides: Partial<ModelCall> = {}): ModelCall {
  const prompt: Prompt = [
    { role: "system", content: "You are a test." },
    { role: "user", content: [{ type: "text", text }] },
  ];
  return { prompt, tools: [], parameters: {}, cacheKey: "session-1", ...overrides };
}

/** Opens a model of `provider` at `baseUrl`; waits take no time. */
export function openAt(
  baseUrl: string,
  choice: Partial<NetworkChoice>,
  limits: Partial<HttpLimits> = {},
  clock: Clock = { ...systemClock, sleep: impatientSleep },
): Promise<Model> {
  return openModel({
    kind: "network",
    provider: "openai-compatible",
    name: "test",
    baseUrl,
    apiKey: KEY,
    parameters: {},
    origin: "a test",
    ...choice,
    // Long enough not to be taken for a wait between tries.
  }, { clock, limits: { wholeBodyMs: 90_000, ...limits }, random: () => 0 });
}

/** Waits of up to a minute (between tries) are over at once; longer ones (for silence) are real. */
function impatientSleep(durationMs: number, signal?: AbortSignal): Promise<void> {
  return systemClock.sleep(durationMs <= 60_000 ? 0 : durationMs, signal);
}

/** Options that collect the events, and never end by themselves. */
export function watcher(signal: AbortSignal = new AbortController().signal) {
  const events: ModelEvent[] = [];
  return { events, signal, onEvent: (event: ModelEvent) => void events.push(event) };
}

/** The text that is still shown after all of `events`. */
export function shownText(events: ModelEvent[]): string {
  let text = "";
  for (const event of events) {
    if (event.type === "text-delta") text += event.text;
    if (event.type === "restart") text = "";
  }
  return text;
}

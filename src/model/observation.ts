/**
 * What the events of a stream say besides the content: usage, end, id, refusal.
 * Rule: read from the provider's own JSON, where a library's summary would lose fields.
 */
import { parseRefusal, type Refusal } from "./failure.ts";

/** Tokens as a provider reported them, in the sense of ModelUsage. */
export interface ReportedTokens {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  reasoning?: number;
  /** US dollars. */
  cost?: number;
}

/** What has been seen of an answer so far. */
export interface Observation {
  tokens: ReportedTokens | undefined;
  id: string | undefined;
  /** The answer is whole: its reason to stop or its end marker has come. */
  isComplete: boolean;
  /** Nothing more will come. */
  isOver: boolean;
  refusal: Refusal | undefined;
}

/** An answer of which nothing has been seen. */
export function newObservation(): Observation {
  return {
    tokens: undefined,
    id: undefined,
    isComplete: false,
    isOver: false,
    refusal: undefined,
  };
}

/** An object of unknown content. */
type Fields = { [key: string]: unknown };

/** `value` if it is an object, else one without fields. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

function isFields(value: unknown): value is Fields {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}

/** Notes what an event of the chat completions protocol says. */
export function observeOpenAi(observation: Observation, data: string): void {
  if (data.trim() === "[DONE]") {
    observation.isComplete = true;
    observation.isOver = true;
    return;
  }
  const event = parseFields(data);
  if (event.error !== undefined && event.error !== null) observation.refusal = parseRefusal(data);
  if (typeof event.id === "string" && event.id !== "") observation.id ??= event.id;
  if (Array.isArray(event.choices)) {
    const choice = fieldsOf(event.choices[0]);
    if (typeof choice.finish_reason === "string") observation.isComplete = true;
  }
  const usage = fieldsOf(event.usage);
  const prompt = fieldsOf(usage.prompt_tokens_details);
  const completion = fieldsOf(usage.completion_tokens_details);
  const input = count(usage.prompt_tokens);
  const output = count(usage.completion_tokens);
  if (input + output === 0) return;
  const cached = count(prompt.cached_tokens) || count(usage.prompt_cache_hit_tokens) ||
    count(fieldsOf(event.timings).cache_n);
  observation.tokens = {
    input,
    output,
    cacheRead: Math.min(input, cached),
    cacheWrite: count(prompt.cache_write_tokens),
    ...(typeof completion.reasoning_tokens === "number" &&
      { reasoning: count(completion.reasoning_tokens) }),
    ...(typeof usage.cost === "number" && { cost: usage.cost }),
  };
}

/**
 * Notes what an event of the Anthropic messages protocol says. Returns the event to hand on: some
 * servers leave out the usage, without which the SDK refuses the event; zeros are then put in.
 */
export function observeAnthropic(observation: Observation, data: string): string {
  const event = parseFields(data);
  if (event.type === "error") observation.refusal = parseRefusal(data);
  if (event.type === "message_stop") {
    observation.isComplete = true;
    observation.isOver = true;
  }
  if (event.type === "message_start") {
    const message = fieldsOf(event.message);
    if (typeof message.id === "string" && message.id !== "") observation.id ??= message.id;
    noteAnthropicUsage(observation, message.usage);
    if (typeof fieldsOf(message.usage).input_tokens === "number") return data;
    const usage = { input_tokens: 0, ...fieldsOf(message.usage) };
    return JSON.stringify({ ...event, message: { ...message, usage } });
  }
  if (event.type === "message_delta") {
    if (typeof fieldsOf(event.delta).stop_reason === "string") observation.isComplete = true;
    noteAnthropicUsage(observation, event.usage);
    if (typeof fieldsOf(event.usage).output_tokens === "number") return data;
    return JSON.stringify({ ...event, usage: { output_tokens: 0, ...fieldsOf(event.usage) } });
  }
  return data;
}

// input_tokens leaves out what was read from and written to the cache; later events are cumulative.
function noteAnthropicUsage(observation: Observation, value: unknown): void {
  const usage = fieldsOf(value);
  const before = observation.tokens ?? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const uncached = usage.input_tokens === undefined
    ? before.input - before.cacheRead - before.cacheWrite
    : count(usage.input_tokens);
  const cacheRead = count(usage.cache_read_input_tokens) || before.cacheRead;
  const cacheWrite = count(usage.cache_creation_input_tokens) || before.cacheWrite;
  const input = uncached + cacheRead + cacheWrite;
  const output = count(usage.output_tokens) || before.output;
  if (input + output > 0) observation.tokens = { input, output, cacheRead, cacheWrite };
}

function parseFields(data: string): Fields {
  try {
    return fieldsOf(JSON.parse(data));
  } catch {
    return {};
  }
}

/**
 * What the events of a stream say besides the content: usage, end, id, refusal.
 * Rule: read from the provider's own JSON, where a library's summary would lose fields.
 */
import { parseRefusal, type Refusal } from "./failure.ts";
import { ReportedUsage } from "./reported_usage.ts";

/** What has been seen of an answer so far. */
export interface Observation {
  readonly usage: ReportedUsage;
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
    usage: new ReportedUsage(),
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

/**
 * Notes what an event of the chat completions protocol says. Returns the event to hand on: without the usage, which is read
 * here and whose numbers the SDK would refuse with the answer.
 */
export function observeOpenAi(observation: Observation, data: string): string {
  if (data.trim() === "[DONE]") {
    observation.isComplete = true;
    observation.isOver = true;
    return data;
  }
  const event = parseFields(data);
  if (event.error !== undefined && event.error !== null) observation.refusal = parseRefusal(data);
  if (typeof event.id === "string" && event.id !== "") observation.id ??= event.id;
  if (Array.isArray(event.choices)) {
    const choice = fieldsOf(event.choices[0]);
    if (typeof choice.finish_reason === "string") observation.isComplete = true;
  }
  if (event.usage === undefined) return data;
  noteOpenAiUsage(observation.usage, event);
  return JSON.stringify({ ...event, usage: undefined });
}

function noteOpenAiUsage(reported: ReportedUsage, event: Fields): void {
  const usage = fieldsOf(event.usage);
  const prompt = fieldsOf(usage.prompt_tokens_details);
  const completion = fieldsOf(usage.completion_tokens_details);
  const count = (name: string, value: unknown) => reported.count(name, value);
  const input = count("prompt_tokens", usage.prompt_tokens);
  const output = count("completion_tokens", usage.completion_tokens);
  const cost = reported.dollars("cost", usage.cost);
  if (input + output === 0) return;
  const cached = count("cached_tokens", prompt.cached_tokens) ||
    count("prompt_cache_hit_tokens", usage.prompt_cache_hit_tokens) ||
    count("cache_n", fieldsOf(event.timings).cache_n);
  const reasoning = count("reasoning_tokens", completion.reasoning_tokens);
  reported.report({
    input,
    output,
    cacheRead: cached,
    cacheWrite: count("cache_write_tokens", prompt.cache_write_tokens),
    ...(typeof completion.reasoning_tokens === "number" && { reasoning }),
    ...(cost !== undefined && { cost }),
  });
}

/**
 * Notes what an event of the Anthropic messages protocol says. Returns the event to hand on: with zeros for usage, which is
 * read here. The SDK refuses an event without it, and an answer whose numbers it does not like.
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
    noteAnthropicUsage(observation.usage, message.usage);
    return JSON.stringify({ ...event, message: { ...message, usage: { input_tokens: 0 } } });
  }
  if (event.type === "message_delta") {
    if (typeof fieldsOf(event.delta).stop_reason === "string") observation.isComplete = true;
    noteAnthropicUsage(observation.usage, event.usage);
    return JSON.stringify({ ...event, usage: { output_tokens: 0 } });
  }
  return data;
}

// input_tokens leaves out what was read from and written to the cache; later events are cumulative.
function noteAnthropicUsage(reported: ReportedUsage, value: unknown): void {
  const usage = fieldsOf(value);
  const before = reported.tokens ?? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const count = (name: string) => reported.count(name, usage[name]);
  const uncached = usage.input_tokens === undefined
    ? before.input - before.cacheRead - before.cacheWrite
    : count("input_tokens");
  const cacheRead = count("cache_read_input_tokens") || before.cacheRead;
  const cacheWrite = count("cache_creation_input_tokens") || before.cacheWrite;
  const input = uncached + cacheRead + cacheWrite;
  const output = count("output_tokens") || before.output;
  if (input + output > 0) reported.report({ input, output, cacheRead, cacheWrite });
}

function parseFields(data: string): Fields {
  try {
    return fieldsOf(JSON.parse(data));
  } catch {
    return {};
  }
}

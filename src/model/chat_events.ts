/**
 * The events of the chat completions protocol: read as servers write them, handed on as the protocol has them.
 * Rule: each known deviation is read here and nowhere else (tests/model/deviations_test.ts has a row for each); what is of no
 * known form is passed over.
 */
import { parseRefusal } from "./failure.ts";
import {
  eventIn,
  type Fields,
  fieldsOf,
  isFields,
  noteId,
  type Observation,
} from "./observation.ts";
import type { ReportedUsage } from "./reported_usage.ts";

/**
 * Notes what an event says and gives the event to hand on: without the usage, which is read here and whose numbers the SDK
 * would refuse with the answer; undefined when nothing is left.
 */
export function observeChat(observation: Observation, data: string): string | undefined {
  if (data.trim() === "[DONE]") {
    observation.isComplete = true;
    observation.isOver = true;
    return "[DONE]";
  }
  const event = eventIn(observation, data);
  if (event === undefined) return undefined;
  if (isRefusal(event)) {
    observation.refusal = parseRefusal(data);
    return undefined;
  }
  noteId(observation, event.id);
  noteUsage(observation.usage, event);
  const choice = firstChoice(event.choices);
  if (choice === undefined) {
    if (!isAside(event)) observation.strange ??= data;
    return undefined;
  }
  observation.isUnderstood = true;
  const finish = textOrNothing(choice.finish_reason);
  if (finish !== undefined) observation.isComplete = true;
  // A whole message in place of its next piece: some send it at the end, or in spite of the wish for a stream.
  const delta = isFields(choice.delta) ? choice.delta : fieldsOf(choice.message);
  const handedOn = deltaOf(delta, observation);
  if (finish === undefined && Object.keys(handedOn).length === 0) return undefined;
  return JSON.stringify({
    id: observation.id,
    choices: [{ index: 0, delta: handedOn, finish_reason: finish ?? null }],
  });
}

/** A whole answer, which a server has sent in spite of the wish for a stream, as the data of events; undefined for anything else. */
export function chatEventsOfWhole(answer: Fields): string[] | undefined {
  return firstChoice(answer.choices) === undefined ? undefined : [JSON.stringify(answer), "[DONE]"];
}

/** Frames without a choice are usual: of usage alone, of a filter's findings, of a sign of life. */
function isAside({ choices, usage, type }: Fields): boolean {
  return choices === null || Array.isArray(choices) || isFields(usage) || type === "ping";
}

function isRefusal(event: Fields): boolean {
  if (event.error !== undefined && event.error !== null) return true;
  return event.object === "error" || event.type === "error";
}

function firstChoice(choices: unknown): Fields | undefined {
  if (isFields(choices)) return choices;
  if (!Array.isArray(choices)) return undefined;
  const all = choices.filter(isFields);
  return all.find(({ index }) => index === 0 || index === undefined) ?? all[0];
}

/** The parts of a delta that mean something, in the form of the protocol. */
function deltaOf(delta: Fields, observation: Observation): Fields {
  const handedOn: Fields = {};
  const thinking = thinkingIn(delta.content);
  const reasoning = textOrNothing(delta.reasoning_content) ?? textOrNothing(delta.reasoning) ??
    textOrNothing(delta.thinking) ?? thinking;
  if (reasoning !== undefined) handedOn.reasoning_content = reasoning;
  const content = textIn(delta.content);
  if (content !== undefined) handedOn.content = content;
  const refusal = textOrNothing(delta.refusal);
  if (refusal !== undefined) handedOn.refusal = refusal;
  const calls = callsIn(delta, observation);
  if (calls.length > 0) handedOn.tool_calls = calls;
  return handedOn;
}

/** Content is a text, or a list of parts of which some are texts. */
function textIn(content: unknown): string | undefined {
  if (typeof content === "string") return textOrNothing(content);
  if (isFields(content)) return textOrNothing(content.text);
  if (!Array.isArray(content)) return undefined;
  const texts = content.filter((part) => fieldsOf(part).type !== "thinking").map((part) =>
    typeof part === "string" ? part : textIn(fieldsOf(part)) ?? ""
  );
  return textOrNothing(texts.join(""));
}

function thinkingIn(content: unknown): string | undefined {
  if (!Array.isArray(content)) return undefined;
  const thoughts = content.map(fieldsOf).filter(({ type }) => type === "thinking");
  return textOrNothing(thoughts.map(({ thinking }) => textIn(thinking) ?? "").join(""));
}

function callsIn(delta: Fields, observation: Observation): Fields[] {
  const listed = isFields(delta.tool_calls) ? [delta.tool_calls] : delta.tool_calls;
  const calls = Array.isArray(listed) ? listed.filter(isFields) : [];
  return calls.map((call) => {
    const asked = isFields(call.function) ? call.function : call;
    const name = textOrNothing(asked.name);
    const written = asked.arguments ?? asked.parameters ?? asked.input;
    const text = typeof written === "string" || written === undefined || written === null
      ? written ?? ""
      : JSON.stringify(written);
    const place = placeOf(call, name, observation);
    return {
      index: place,
      id: observation.calls[place],
      type: "function",
      function: { ...(name !== undefined && { name }), arguments: text },
      ...(isFields(call.extra_content) && { extra_content: call.extra_content }),
    };
  });
}

/**
 * The place of a call in the answer. The provider's index says it, unless another call has it already: some give every
 * call the index 0, some none at all.
 */
function placeOf(call: Fields, name: string | undefined, { calls }: Observation): number {
  const id = textOrNothing(call.id);
  const known = id === undefined ? -1 : calls.indexOf(id);
  if (known !== -1) return known;
  const index = typeof call.index === "number" ? call.index : undefined;
  const isNew = index === undefined
    ? id !== undefined || name !== undefined || calls.length === 0
    : calls[index] === undefined || id !== undefined;
  if (!isNew) return index ?? calls.length - 1;
  const isFree = index !== undefined && index >= 0 && index < MOST_CALLS &&
    calls[index] === undefined;
  const place = isFree ? index : calls.length;
  calls[place] = id ?? `call-${place + 1}`;
  return place;
}

/** An index beyond this is no place in a list. */
const MOST_CALLS = 1_000;

function textOrNothing(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function noteUsage(reported: ReportedUsage, event: Fields): void {
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

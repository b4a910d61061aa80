/**
 * The events of the Anthropic messages protocol: read as servers write them, handed on as the protocol has them.
 * Rule: an event or a block of no known kind is passed over; each deviation that is read has a row in
 * tests/model/deviations_test.ts.
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

/** The kinds of content that a conversation can hold. */
const BLOCKS = ["text", "thinking", "redacted_thinking", "tool_use"];
const DELTAS = ["text_delta", "thinking_delta", "signature_delta", "input_json_delta"];

/**
 * Notes what an event says and gives the event to hand on: with zeros for usage, which is read here (the SDK refuses an event
 * without it, and an answer whose numbers it does not like); undefined when it says nothing.
 */
export function observeAnthropic(observation: Observation, data: string): string | undefined {
  const event = eventIn(observation, data);
  if (event === undefined) return undefined;
  if (isFields(event.error) || event.type === "error") {
    observation.refusal = parseRefusal(data);
    return undefined;
  }
  const read = READERS[String(event.type)];
  if (read === undefined && event.type !== "ping") observation.strange ??= data;
  if (read === undefined) return undefined;
  observation.isUnderstood = true;
  const handedOn = read(event, observation);
  return handedOn === undefined ? undefined : JSON.stringify(handedOn);
}

type Reader = (event: Fields, observation: Observation) => Fields | undefined;

/** How each kind of event is read; a kind that is not here is passed over. */
const READERS: { readonly [type: string]: Reader | undefined } = {
  message_start(event, observation) {
    const message = fieldsOf(event.message);
    noteId(observation, message.id);
    noteUsage(observation.usage, message.usage);
    const { id, model } = message;
    return {
      type: "message_start",
      message: { role: "assistant", id, model, content: [], usage: { input_tokens: 0 } },
    };
  },
  content_block_start(event, observation) {
    const block = fieldsOf(event.content_block);
    if (typeof block.type === "string" && BLOCKS.includes(block.type)) return event;
    observation.unknownPlaces.add(event.index);
    return undefined;
  },
  content_block_delta(event, observation) {
    const { type } = fieldsOf(event.delta);
    if (observation.unknownPlaces.has(event.index)) return undefined;
    return typeof type === "string" && DELTAS.includes(type) ? event : undefined;
  },
  content_block_stop: (event, { unknownPlaces }) =>
    unknownPlaces.has(event.index) ? undefined : event,
  message_delta(event, observation) {
    const delta = fieldsOf(event.delta);
    if (typeof delta.stop_reason === "string") observation.isComplete = true;
    noteUsage(observation.usage, event.usage);
    return { type: "message_delta", delta, usage: { output_tokens: 0 } };
  },
  message_stop(event, observation) {
    observation.isComplete = true;
    observation.isOver = true;
    return event;
  },
};

/** A whole answer, which a server has sent in spite of the wish for a stream, as the data of events; undefined for anything else. */
export function anthropicEventsOfWhole(answer: Fields): string[] | undefined {
  if (!Array.isArray(answer.content)) return undefined;
  const blocks = answer.content.filter(isFields).flatMap((block, index): Fields[] => {
    const piece = typeof block.text === "string"
      ? { type: "text_delta", text: block.text }
      : typeof block.thinking === "string"
      ? { type: "thinking_delta", thinking: block.thinking }
      : block.type === "tool_use"
      ? { type: "input_json_delta", partial_json: JSON.stringify(block.input ?? {}) }
      : undefined;
    const { type, id, name, data, signature } = block;
    const empty = { type, id, name, data, text: "", thinking: "", input: {} };
    return [
      { type: "content_block_start", index, content_block: empty },
      ...(piece === undefined ? [] : [{ type: "content_block_delta", index, delta: piece }]),
      ...(typeof signature === "string"
        ? [{ type: "content_block_delta", index, delta: { type: "signature_delta", signature } }]
        : []),
      { type: "content_block_stop", index },
    ];
  });
  const { id, model, usage, stop_reason = "end_turn" } = answer;
  return [
    { type: "message_start", message: { id, model, usage } },
    ...blocks,
    { type: "message_delta", delta: { stop_reason }, usage },
    { type: "message_stop" },
  ].map((event) => JSON.stringify(event));
}

// input_tokens leaves out what was read from and written to the cache; later events are cumulative.
function noteUsage(reported: ReportedUsage, value: unknown): void {
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

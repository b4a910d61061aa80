/**
 * The events of the Gemini protocol: what they say besides the content.
 * Rule: usage is read here and not handed on, since the SDK would refuse an answer for a number.
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

/** Notes what an event says and gives the event to hand on; undefined when it says nothing. */
export function observeGemini(observation: Observation, data: string): string | undefined {
  const event = eventIn(observation, data);
  if (event === undefined) return undefined;
  if (isFields(event.error)) {
    observation.refusal = parseRefusal(data);
    return undefined;
  }
  const { blockReason } = fieldsOf(event.promptFeedback);
  const candidates = Array.isArray(event.candidates) ? event.candidates.filter(isFields) : [];
  if (typeof blockReason === "string" && candidates.length === 0) {
    observation.refusal = {
      status: 400,
      code: blockReason.toLowerCase(),
      message: `the request was blocked (${blockReason})`,
    };
    return undefined;
  }
  noteId(observation, event.responseId);
  noteUsage(observation, fieldsOf(event.usageMetadata));
  if (candidates.length === 0) {
    if (event.usageMetadata === undefined) observation.strange ??= data;
    return undefined;
  }
  observation.isUnderstood = true;
  const { content, finishReason } = fieldsOf(candidates[0]);
  if (typeof finishReason === "string") observation.isComplete = true;
  return JSON.stringify({ candidates: [{ content, finishReason }], responseId: observation.id });
}

/** A whole answer, which a server has sent in spite of the wish for a stream, as the data of events; undefined for anything else. */
export function geminiEventsOfWhole(answer: Fields): string[] | undefined {
  return Array.isArray(answer.candidates) ? [JSON.stringify(answer)] : undefined;
}

function noteUsage({ usage: reported }: Observation, usage: Fields): void {
  const count = (name: string) => reported.count(name, usage[name]);
  const input = count("promptTokenCount");
  const thoughts = count("thoughtsTokenCount");
  const output = count("candidatesTokenCount") + thoughts;
  if (input + output === 0) return;
  reported.report({
    input,
    output,
    cacheRead: count("cachedContentTokenCount"),
    cacheWrite: 0,
    ...(thoughts > 0 && { reasoning: thoughts }),
  });
}

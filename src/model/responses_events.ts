/**
 * The events of OpenAI's Responses protocol: what they say besides the content.
 * Rule: usage is read here and handed on as zeros, since the SDK would refuse an answer for a number.
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

/** How an answer's last event is called. */
const LAST = ["response.completed", "response.incomplete"];

/** Notes what an event says and gives the event to hand on; undefined when it says nothing. */
export function observeResponses(observation: Observation, data: string): string | undefined {
  const event = eventIn(observation, data);
  if (event === undefined || data.trim() === "[DONE]") return undefined;
  const response = fieldsOf(event.response);
  if (event.type === "error" || event.type === "response.failed" || isFields(event.error)) {
    const error = event.type === "response.failed" ? { error: response.error } : event;
    observation.refusal = parseRefusal(JSON.stringify(error));
    return undefined;
  }
  if (typeof event.type !== "string" || !event.type.startsWith("response.")) {
    observation.strange ??= data;
    return undefined;
  }
  observation.isUnderstood = true;
  noteId(observation, response.id);
  if (!LAST.includes(event.type)) return data;
  observation.isComplete = true;
  observation.isOver = true;
  noteUsage(observation, response);
  const usage = { input_tokens: 0, output_tokens: 0 };
  return JSON.stringify({ ...event, response: { ...response, usage } });
}

/** A whole answer, which a server has sent in spite of the wish for a stream, as the data of events; undefined for anything else. */
export function responsesEventsOfWhole(answer: Fields): string[] | undefined {
  if (!Array.isArray(answer.output)) return undefined;
  const items = answer.output.filter(isFields).flatMap((item, output_index): Fields[] => {
    const texts = Array.isArray(item.content) ? item.content.map(fieldsOf) : [];
    const id = { item_id: String(item.id ?? `item_${output_index}`), output_index };
    return [
      {
        type: "response.output_item.added",
        output_index,
        item: { ...item, content: [], arguments: "" },
      },
      ...texts.flatMap(({ type, text }) =>
        type === "output_text" ? [{ type: "response.output_text.delta", ...id, delta: text }] : []
      ),
      { type: "response.output_item.done", output_index, item },
    ];
  });
  const last = answer.status === "incomplete" ? "response.incomplete" : "response.completed";
  return [...items, { type: last, response: answer }].map((event) => JSON.stringify(event));
}

function noteUsage({ usage: reported }: Observation, response: Fields): void {
  const usage = fieldsOf(response.usage);
  const details = fieldsOf(usage.output_tokens_details);
  const input = reported.count("input_tokens", usage.input_tokens);
  const output = reported.count("output_tokens", usage.output_tokens);
  if (input + output === 0) return;
  const { cached_tokens: cached } = fieldsOf(usage.input_tokens_details);
  const reasoning = reported.count("reasoning_tokens", details.reasoning_tokens);
  reported.report({
    input,
    output,
    cacheRead: reported.count("cached_tokens", cached),
    cacheWrite: 0,
    ...(typeof details.reasoning_tokens === "number" && { reasoning }),
  });
}

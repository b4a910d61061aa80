/** The events of a chat completions stream, as text ready to be sent. */
import { pieces, type Reply, type ReplyUsage } from "./reply.ts";

/** The events for `reply`; `number` makes ids unique. */
export function openAiEvents(reply: Reply, number: number): string[] {
  const chunk = (fields: object) =>
    event({ id: `chatcmpl-${number}`, object: "chat.completion.chunk", model: "test", ...fields });
  const delta = (fields: object, finish: string | null = null) =>
    chunk({ choices: [{ index: 0, delta: fields, finish_reason: finish }] });

  const events = [delta({ role: "assistant", content: "" })];
  if (reply.errorEvent !== undefined) return [...events, event(reply.errorEvent)];
  for (const part of pieces(reply.reasoning ?? "", reply.deltaLength)) {
    events.push(delta({ reasoning_content: part }));
  }
  for (const part of pieces(reply.text ?? "", reply.deltaLength)) {
    events.push(delta({ content: part }));
  }
  for (const [index, call] of (reply.calls ?? []).entries()) {
    const position = reply.hasNoIndex ? {} : { index };
    const input = call.raw ?? JSON.stringify(call.input ?? {});
    const begun = { id: call.id ?? `call_${number}_${index}`, type: "function" };
    if (reply.hasNoIndex) {
      events.push(delta({
        tool_calls: [{ ...begun, function: { name: call.tool, arguments: input } }],
      }));
      continue;
    }
    events.push(delta({
      tool_calls: [{ ...position, ...begun, function: { name: call.tool, arguments: "" } }],
    }));
    for (const part of pieces(input, reply.deltaLength)) {
      events.push(delta({ tool_calls: [{ ...position, function: { arguments: part } }] }));
    }
  }
  if (!reply.hasNoFinish) {
    events.push(delta({}, reply.finish ?? (reply.calls ? "tool_calls" : "stop")));
  }
  if (reply.usage !== false) {
    events.push(
      chunk({
        choices: [],
        usage: reply.rawUsage ?? usageOf(reply.usage ?? { input: 10, output: 5 }),
      }),
    );
  }
  for (let done = 0; done < (reply.doneCount ?? 1); done++) events.push("data: [DONE]\n\n");
  return events;
}

/** An event of an endless answer. */
export function openAiDelta(text: string): string {
  return event({ id: "chatcmpl-endless", choices: [{ index: 0, delta: { content: text } }] });
}

function usageOf(usage: ReplyUsage): object {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead ?? 0 },
    ...(usage.reasoning !== undefined &&
      { completion_tokens_details: { reasoning_tokens: usage.reasoning } }),
    ...(usage.cost !== undefined && { cost: usage.cost }),
  };
}

function event(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

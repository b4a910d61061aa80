/** The events of an Anthropic messages stream, as text ready to be sent. */
import { pieces, type Reply } from "./reply.ts";

/** The events for `reply`; `number` makes ids unique. */
export function anthropicEvents(reply: Reply, number: number): string[] {
  const usage = reply.usage === false ? undefined : reply.usage ?? { input: 10, output: 5 };
  const events = [event("message_start", {
    message: {
      id: `msg_${number}`,
      type: "message",
      role: "assistant",
      model: "test",
      content: [],
      ...(usage && {
        usage: {
          input_tokens: usage.input - (usage.cacheRead ?? 0) - (usage.cacheWrite ?? 0),
          cache_read_input_tokens: usage.cacheRead ?? 0,
          cache_creation_input_tokens: usage.cacheWrite ?? 0,
          output_tokens: 1,
        },
      }),
    },
  })];
  if (reply.errorEvent !== undefined) {
    return [...events, `event: error\ndata: ${JSON.stringify(reply.errorEvent)}\n\n`];
  }
  let index = 0;
  const block = (start: object, deltas: object[]) => {
    events.push(event("content_block_start", { index, content_block: start }));
    for (const delta of deltas) events.push(event("content_block_delta", { index, delta }));
    events.push(event("content_block_stop", { index }));
    index++;
  };
  if (reply.reasoning !== undefined) {
    block({ type: "thinking", thinking: "" }, [
      ...pieces(reply.reasoning, reply.deltaLength)
        .map((thinking) => ({ type: "thinking_delta", thinking })),
      { type: "signature_delta", signature: `signature-${number}` },
    ]);
  }
  if (reply.text !== undefined) {
    block(
      { type: "text", text: "" },
      pieces(reply.text, reply.deltaLength).map((text) => ({ type: "text_delta", text })),
    );
  }
  for (const [position, call] of (reply.calls ?? []).entries()) {
    const input = call.raw ?? JSON.stringify(call.input ?? {});
    block(
      {
        type: "tool_use",
        id: call.id ?? `toolu_${number}_${position}`,
        name: call.tool,
        input: {},
      },
      pieces(input, reply.deltaLength)
        .map((partial_json) => ({ type: "input_json_delta", partial_json })),
    );
  }
  events.push(event("message_delta", {
    delta: {
      stop_reason: reply.finish ?? (reply.calls ? "tool_use" : "end_turn"),
      stop_sequence: null,
    },
    ...(usage && { usage: reply.rawUsage ?? { output_tokens: usage.output } }),
  }));
  events.push(event("message_stop", {}));
  return events;
}

/** The events that begin an endless answer. */
export function anthropicEndlessStart(): string {
  return [
    event("message_start", {
      message: { id: "msg_endless", role: "assistant", usage: { input_tokens: 1 } },
    }),
    event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
  ].join("");
}

/** An event of an endless answer. */
export function anthropicDelta(text: string): string {
  return event("content_block_delta", { index: 0, delta: { type: "text_delta", text } });
}

function event(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

/**
 * The conversation's model as the writer of a demonstration.
 * Rule: asked apart from the conversation, so that no message of it changes; what it took is recorded as the demonstration's.
 */
import { cleanText } from "../agent/clean.ts";
import type { Conversation } from "../agent/conversation.ts";
import { toModelCall } from "../agent/prompt.ts";
import { WorkFailed } from "../platform/errors.ts";
import type { Writer } from "./demonstration.ts";
import { DEMONSTRATION_SYSTEM } from "./demonstration_prompt.ts";

/** Makes the writer. */
export function modelWriter(conversation: Conversation): Writer {
  const { model, clock, secrets } = conversation.world;
  return {
    name: `${model.id.provider}:${model.id.name}`,
    async write(prompt, signal) {
      const { session, replay } = conversation;
      if (replay.actions === "candidates") {
        throw new WorkFailed("it is asked for candidates alone ([model] actions)");
      }
      const call = toModelCall(
        {
          ...replay.request(),
          system: DEMONSTRATION_SYSTEM,
          tools: [],
          messages: [{ role: "user", text: cleanText(prompt, secrets) }],
        },
        session.slot,
        session.totals.requests,
      );
      const startedMs = clock.monotonicMs();
      const completion = await model.stream(call, { signal, onEvent: () => {} });
      const durationMs = clock.monotonicMs() - startedMs;
      const text = completion.content.map((part) => part.type === "text" ? part.text : "").join("");
      return {
        text: cleanText(text, secrets),
        usage: conversation.usageDraft("demonstration", { completion, durationMs }),
      };
    },
  };
}

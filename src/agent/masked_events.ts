/**
 * Keys out of what is told as it happens.
 * Rule: what is recorded is masked where it is recorded; here it is the streams, whose pieces may each hold a part of a key.
 */
import { maskSecrets } from "../platform/text.ts";
import type { AgentEvent } from "./events.ts";

type Streamed = Extract<AgentEvent, { type: "text" | "reasoning" | "tool_output" }>;

/** Events on their way through the mask. */
export interface MaskedEvents {
  tell(event: AgentEvent): void;
  /** Hands on what is held back: no more of it comes. */
  release(): void;
}

/**
 * Masks `secrets` in streamed texts and in the reasons of retries before it hands events on. The end of a text that may be
 * the beginning of a secret is held back until the next event.
 *
 * @example
 * ```ts
 * import { maskEvents } from "./masked_events.ts";
 * import assert from "node:assert/strict";
 *
 * const told: unknown[] = [];
 * const { tell } = maskEvents(["secret-key"], (event) => told.push(event));
 * tell({ type: "text", text: "the secret-" });
 * tell({ type: "text", text: "key, and more" });
 * assert.deepEqual(told, [
 *   { type: "text", text: "the " },
 *   { type: "text", text: "[masked], and more" },
 * ]);
 * ```
 */
export function maskEvents(
  secrets: readonly string[],
  onEvent: (event: AgentEvent) => void,
): MaskedEvents {
  if (secrets.length === 0) return { tell: onEvent, release: () => {} };
  let held: Streamed | undefined;
  const release = () => {
    const last = held;
    held = undefined;
    if (last !== undefined) onEvent(last);
  };
  const tell = (event: AgentEvent) => {
    if (!isStreamed(event)) {
      release();
      onEvent(
        event.type === "retry" ? { ...event, reason: maskSecrets(event.reason, secrets) } : event,
      );
      return;
    }
    if (held !== undefined && held.type !== event.type) release();
    const text = maskSecrets((held?.text ?? "") + event.text, secrets);
    const end = text.length - openLength(text, secrets);
    held = end < text.length ? { type: event.type, text: text.slice(end) } : undefined;
    if (end > 0) onEvent({ type: event.type, text: text.slice(0, end) });
  };
  return { tell, release };
}

function isStreamed(event: AgentEvent): event is Streamed {
  return event.type === "text" || event.type === "reasoning" || event.type === "tool_output";
}

/** The length of the longest end of `text` that is the beginning of a secret, and not all of it. */
function openLength(text: string, secrets: readonly string[]): number {
  const longest = Math.max(...secrets.map((secret) => secret.length)) - 1;
  for (let length = Math.min(longest, text.length); length > 0; length--) {
    const end = text.slice(-length);
    if (secrets.some((secret) => secret.length > length && secret.startsWith(end))) return length;
  }
  return 0;
}

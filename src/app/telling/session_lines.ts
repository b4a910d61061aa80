/** What is said of a session: what it is, what it used, how to go on with it. */
import type { Baseline } from "../../session/baseline.ts";
import type { WorkflowEnd } from "../../workflow/workflow.ts";
import type { LiveConversation } from "../live_conversation.ts";

/** What is said where a conversation is to be summarized that has not begun. */
export const NOTHING_TO_SUMMARIZE = "There is nothing to summarize yet.";

/** The session in a few lines: its id, its model, what it used. */
export function describeSession({ conversation }: LiveConversation): string {
  if (conversation === undefined) return "No session yet: it begins with your first message.";
  const { baseline, totals } = conversation.session;
  const cost = totals.cost > 0 ? `, $${totals.cost.toFixed(4)}` : "";
  return [
    `session  ${baseline.session}${baseline.epoch > 0 ? `, epoch ${baseline.epoch}` : ""}`,
    `model    ${modelOf(baseline)}`,
    `used     ${totals.turns} turns, ${totals.requests} requests, ${totals.tokens} tokens${cost}`,
  ].join("\n");
}

/** What to say on leaving a chat; undefined when no session began. */
export function farewell({ session }: LiveConversation): string | undefined {
  return session === null
    ? undefined
    : `Session ${session}. To go on: m31a chat --resume ${session}`;
}

/** How to go on with the work on a goal that has ended so. */
export function adviceAfter(end: WorkflowEnd, session: string): string {
  if (end.outcome === "verified") return `Session ${session}.`;
  const from = end.outcome === "failed" ? ` --from ${end.phase}` : "";
  return `Session ${session}. To go on: m31a run --resume ${session}${from}`;
}

/** The model, and how much it is asked to reason where that was said. */
export function modelOf(
  { model: { provider, name, parameters: { reasoning } } }: Baseline,
): string {
  return `${provider}:${name}${reasoning === undefined ? "" : `, effort ${String(reasoning)}`}`;
}

/** What is said of a session: what it is, what it used, how to go on with it. */
import type { ModelInWords } from "../../agent/open.ts";
import type { Baseline } from "../../session/baseline.ts";
import type { WorkflowEnd } from "../../workflow/workflow.ts";

/** What is said where a conversation is to be summarized that has not begun. */
export const NOTHING_TO_SUMMARIZE = "There is nothing to summarize yet.";

/** What to say on leaving a chat; undefined when no session began. */
export function farewell({ session }: { session: string | null }): string | undefined {
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

/** The model of a session. */
export function modelOf(
  { model: { provider, name, parameters: { reasoning } } }: Baseline,
): ModelInWords {
  const effort = reasoning === undefined ? {} : { effort: String(reasoning) };
  return { name: `${provider}:${name}`, ...effort };
}

/** A model as it is named, with its effort where one is set. */
export function modelInWords({ name, effort }: ModelInWords): string {
  return effort === undefined ? name : `${name}, effort ${effort}`;
}

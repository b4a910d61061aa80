/**
 * What is said when a conversation goes on with another model.
 * Rule: what it costs and what stays behind, in numbers where there are any.
 */
import type { Baseline } from "../session/baseline.ts";

/** What there is to say. */
export interface ModelChange {
  /** The model so far, `provider:name`. */
  from: string;
  to: Baseline["model"];
  /** What the conversation has, as far as that is known. */
  tokens: number;
  /** How many pieces of reasoning stay behind. */
  leftOut: number;
  /** What the new model reads at once; left out where nobody knows. */
  windowTokens?: number;
}

/**
 * @example
 * ```ts
 * import { modelChangeText } from "./model_change_text.ts";
 * import assert from "node:assert/strict";
 *
 * const to = { provider: "openai", name: "b", baseUrl: null, parameters: {}, contextWindowTokens: null };
 * assert.equal(
 *   modelChangeText({ from: "anthropic:a", to, tokens: 1200, leftOut: 0 }),
 *   "From here on with openai:b, in place of anthropic:a. No cache holds this conversation for it: about 1200 tokens " +
 *     "are read anew with the next request.",
 * );
 * ```
 */
export function modelChangeText(
  { from, to, tokens, leftOut, windowTokens }: ModelChange,
): string {
  const name = `${to.provider}:${to.name}`;
  const { reasoning } = to.parameters;
  const effort = reasoning === undefined ? "" : `, effort ${String(reasoning)}`;
  const instead = name === from ? "" : `, in place of ${from}`;
  const thoughts = leftOut === 1 ? "a thought" : `${leftOut} thoughts`;
  return [
    `From here on with ${name}${effort}${instead}.`,
    `No cache holds this conversation for it: about ${tokens} tokens are read anew with the next request.`,
    ...leftOut > 0 ? [`Only ${from} can read ${thoughts} of its own: left out.`] : [],
    ...windowTokens !== undefined && tokens > windowTokens
      ? [`It reads ${windowTokens} at once, so the conversation is summarized before.`]
      : [],
  ].join(" ");
}

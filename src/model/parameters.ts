/**
 * The parameters of a call, as the configuration gives them.
 * Rule: the names that every provider understands are checked; any other goes into the body as it is.
 */
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { JsonValue } from "../platform/canonical_json.ts";
import { UsageError } from "../platform/errors.ts";
import type { RequestBody } from "./wire.ts";

const NUMBERS = [
  "maxOutputTokens",
  "temperature",
  "topP",
  "topK",
  "presencePenalty",
  "frequencyPenalty",
  "seed",
] as const;

/** How much a model may reason before it answers. */
export const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

/** What m31a itself decides. */
const RESERVED = ["messages", "model", "stream", "stream_options", "system", "tools"];

/** Parameters sorted into those that the SDK translates and those that go into the body. */
export interface SplitParameters {
  settings: Pick<
    LanguageModelV4CallOptions,
    (typeof NUMBERS)[number] | "stopSequences" | "reasoning"
  >;
  extra: RequestBody;
}

/**
 * Sorts `parameters`.
 *
 * @throws {UsageError} when a known one has a value of the wrong type, or one is m31a's to decide
 */
export function splitParameters(
  parameters: { readonly [name: string]: JsonValue },
): SplitParameters {
  const split: SplitParameters = { settings: {}, extra: {} };
  for (const [name, value] of Object.entries(parameters)) place(split, name, value);
  return split;
}

function place(split: SplitParameters, name: string, value: JsonValue): void {
  const number = NUMBERS.find((known) => known === name);
  if (number !== undefined) {
    if (typeof value !== "number") throw wrong(name, "a number");
    split.settings[number] = value;
    return;
  }
  if (name === "stopSequences") {
    if (!Array.isArray(value)) throw wrong(name, "a list of texts");
    split.settings.stopSequences = value.map((entry) => {
      if (typeof entry !== "string") throw wrong(name, "a list of texts");
      return entry;
    });
    return;
  }
  if (name === "reasoning") {
    const effort = EFFORTS.find((known) => known === value);
    if (effort === undefined) throw wrong(name, `one of ${EFFORTS.join(", ")}`);
    split.settings.reasoning = effort;
    return;
  }
  if (RESERVED.includes(name)) {
    throw new UsageError(`[model] parameters: "${name}" is decided by m31a; remove it`);
  }
  split.extra[name] = value;
}

function wrong(name: string, expected: string): UsageError {
  return new UsageError(`[model] parameters: "${name}" must be ${expected}`);
}

/**
 * Fields of a request that help and can be done without, where a server refuses them.
 * Rule: a field is left out only after the server has named it, from then on, and it is said; the user's own parameters and
 * what the model must know are never left out.
 */
import type { Refusal } from "./failure.ts";
import type { RequestBody } from "./wire.ts";
import type { JsonValue } from "../platform/canonical_json.ts";

/** What the user does without when a field is left out. */
const FIELDS: Readonly<Record<string, string>> = {
  stream_options: "tokens may be estimated",
  usage: "the cost may be unknown",
  prompt_cache_key: "its prompt cache may be found less often",
  cache_control: "its prompt cache is not used for the messages",
  cache_prompt: "its prompt cache is used as it is set up",
  id_slot: "its prompt cache may be found less often",
  parallel_tool_calls: "it decides about calls side by side",
  reasoning_content: "it does not see what it thought before",
  include: "it does not see what it thought before",
};

/** Other words for a field, where a server does not name it. */
const WORDS: Readonly<Record<string, RegExp>> = {
  include: /encrypted (?:reasoning )?content is not supported/i,
};

/** The one that stands in the messages. */
const IN_MESSAGES = "reasoning_content";

/**
 * The field that `refusal` names and that can be left out of `body`; undefined when there is none.
 *
 * @param isWanted whether the user has asked for a field
 */
export function refusedField(
  refusal: Refusal,
  body: RequestBody,
  isWanted: (name: string) => boolean,
): string | undefined {
  if (refusal.status !== 400 && refusal.status !== 422) return undefined;
  const said = `${refusal.code} ${refusal.message}`;
  return optionalFieldsIn(body).find((name) =>
    !isWanted(name) &&
    (new RegExp(`(?<![\\w])${name}(?![\\w])`).test(said) || WORDS[name]?.test(said) === true)
  );
}

/** What is lost without the field `name`, for the user. */
export function lossWithout(name: string): string {
  return FIELDS[name] ?? "";
}

/** The fields of `body` that can be left out. */
export function optionalFieldsIn(body: RequestBody): string[] {
  return Object.keys(FIELDS).filter((name) =>
    name === IN_MESSAGES ? messagesOf(body).some((message) => name in message) : name in body
  );
}

/** `body` without the fields `names`. */
export function withoutFields(body: RequestBody, names: ReadonlySet<string>): RequestBody {
  if (names.size === 0) return body;
  const kept = Object.entries(body).filter(([name]) => !names.has(name));
  const rest: RequestBody = Object.fromEntries(kept);
  if (names.has(IN_MESSAGES) && Array.isArray(body.messages)) {
    rest.messages = body.messages.map((message): JsonValue => {
      if (!isObject(message)) return message;
      const { [IN_MESSAGES]: _, ...others } = message;
      return others;
    });
  }
  return rest;
}

/** Every choice out of `names` but the empty one. */
export function subsetsOf(names: readonly string[]): Set<string>[] {
  return Array.from(
    { length: 2 ** names.length - 1 },
    (_, index) => new Set(names.filter((_, place) => ((index + 1) >> place) % 2 === 1)),
  );
}

function messagesOf({ messages }: RequestBody): { [name: string]: JsonValue }[] {
  return Array.isArray(messages) ? messages.filter(isObject) : [];
}

function isObject(value: JsonValue): value is { [name: string]: JsonValue } {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

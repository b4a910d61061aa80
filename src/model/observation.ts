/**
 * What the events of a stream say besides the content: usage, end, id, refusal.
 * Rule: read from the provider's own JSON, where a library's summary would lose fields.
 */
import type { Refusal } from "./failure.ts";
import { ReportedUsage } from "./reported_usage.ts";

/** What has been seen of an answer so far. */
export interface Observation {
  readonly usage: ReportedUsage;
  id: string | undefined;
  /** The answer is whole: its reason to stop or its end marker has come. */
  isComplete: boolean;
  /** Nothing more will come. */
  isOver: boolean;
  refusal: Refusal | undefined;
  /** The provider's ids of the calls so far, by their place in the answer. */
  readonly calls: string[];
  /** Places of content that is of no known kind: what comes for them is passed over. */
  readonly unknownPlaces: Set<unknown>;
  /** Whether an event of the protocol has come. */
  isUnderstood: boolean;
  /** The first event that is of no form that is known here. */
  strange: string | undefined;
}

/** An answer of which nothing has been seen. */
export function newObservation(): Observation {
  return {
    usage: new ReportedUsage(),
    id: undefined,
    isComplete: false,
    isOver: false,
    refusal: undefined,
    calls: [],
    unknownPlaces: new Set(),
    isUnderstood: false,
    strange: undefined,
  };
}

/** Notes the provider's id of the answer, the first that comes. */
export function noteId(observation: Observation, id: unknown): void {
  if (typeof id === "string" && id !== "") observation.id ??= id;
}

/** An object of unknown content. */
export type Fields = { [key: string]: unknown };

/** `value` if it is an object, else one without fields. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** Whether `value` is an object, neither null nor a list. */
export function isFields(value: unknown): value is Fields {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** The object in an event's data; undefined when there is nothing in it. Anything but a sign of life is noted. */
export function eventIn(observation: Observation, data: string): Fields | undefined {
  const text = data.trim();
  if (text === "" || text === "null" || /^:?\s*(?:ping|keep-?alive)/i.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (isFields(value)) return Object.keys(value).length === 0 ? undefined : value;
  } catch {
    // Noted below.
  }
  observation.strange ??= text;
  return undefined;
}

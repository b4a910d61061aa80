/**
 * DEMONSTRATION.md: by the model where there is one, from the facts otherwise.
 * Rule: it never fails; why there is no prose of the model's is said in the document.
 */
import type { Git } from "../git/run.ts";
import { patchOfCommit } from "../git/diff.ts";
import { messageOf } from "../platform/errors.ts";
import { stripControlSequences } from "../platform/text.ts";
import type { RecordDraft } from "../session/records.ts";
import {
  demonstrationOfFacts,
  type DemonstrationSubject,
  document,
  limitLines,
} from "./demonstration_facts.ts";
import { demonstrationPrompt } from "./demonstration_prompt.ts";
import type { DemonstrationFacts } from "./steps.ts";

/** Has a model write something. */
export interface Writer {
  /** `provider:name`. */
  readonly name: string;
  /**
   * @returns the text, and the record of what it took
   * @throws anything when there is no text
   */
  write(prompt: string, signal: AbortSignal): Promise<{ text: string; usage: RecordDraft }>;
}

/** A demonstration, and the records that come with it. */
export interface Demonstration {
  facts: DemonstrationFacts;
  records: RecordDraft[];
}

/** How long a model may take, in milliseconds. */
const WRITER_MS = 3 * 60_000;

/** How much of the diff is read, in bytes. */
const MAX_DIFF_BYTES = 256 * 1024;

/** A document longer than this is no demonstration. */
const MAX_TEXT = 32 * 1024;

const SECTIONS = ["## What changed", "## How to run it", "## Decisions", "## Limits"];

/**
 * Makes the demonstration of what was committed.
 *
 * @throws the signal's reason when it is aborted; nothing else
 */
export async function demonstrate(
  git: Git,
  subject: DemonstrationSubject,
  writer: Writer | undefined,
  signal: AbortSignal,
): Promise<Demonstration> {
  if (writer === undefined) return withoutModel(subject, "no model was at hand", []);
  const records: RecordDraft[] = [];
  try {
    const diff = await patchOfCommit(git, subject.commit.commit, MAX_DIFF_BYTES);
    const limit = AbortSignal.any([signal, AbortSignal.timeout(WRITER_MS)]);
    const answer = await writer.write(demonstrationPrompt(subject, diff), limit);
    records.push(answer.usage);
    const text = stripControlSequences(answer.text).trim();
    const problem = problemOf(text);
    if (problem !== undefined) return withoutModel(subject, problem, records);
    const body = [
      withLimits(text, limitLines(subject)),
      "",
      `_Written by ${writer.name} from the plan, the checks and the diff._`,
    ];
    return { facts: { text: document(subject, body), source: "model", reason: "" }, records };
  } catch (error) {
    signal.throwIfAborted();
    return withoutModel(subject, `the model gave no text (${messageOf(error)})`, records);
  }
}

function problemOf(text: string): string | undefined {
  if (text === "") return "the model gave no text";
  if (text.length > MAX_TEXT) return "the model's text was too long";
  const missing = SECTIONS.filter((heading) => !text.split("\n").includes(heading));
  if (missing.length > 0) return `the model's text has no section "${missing[0]?.slice(3)}"`;
  return undefined;
}

/** The model's text, with what is known at the head of its section of limits: no prose says that there are none. */
function withLimits(text: string, limits: readonly string[]): string {
  if (limits.length === 0) return text;
  const lines = text.split("\n");
  lines.splice(lines.indexOf("## Limits") + 1, 0, "", ...limits);
  return lines.join("\n");
}

function withoutModel(
  subject: DemonstrationSubject,
  reason: string,
  records: RecordDraft[],
): Demonstration {
  const text = demonstrationOfFacts(subject, reason);
  return { facts: { text, source: "facts", reason }, records };
}

/**
 * The message of a ship's commit.
 * Rule: pure; nothing that a goal or a task says can begin a line of its own or look like a trailer.
 */
import stringWidth from "string-width";
import { PROVED_TRAILER, SESSION_TRAILER } from "../git/index_sync.ts";
import { cutLine, oneLine, wrapLine } from "./one_line.ts";
import type { Outline } from "./outline.ts";
import type { CommitFacts } from "./steps.ts";
import { subjectOf } from "./subject.ts";

/** What a commit's message is made of. */
export interface CommitMessageParts {
  outline: Outline;
  session: string;
  /** `[ship] prefix`. */
  prefix: string;
  /** `[ship] subject`. */
  subject: string;
  /** The user's own subject and body (see `userMessage()`), in place of those of the outline. */
  given: string | undefined;
  proof: CommitFacts["proof"];
  /** `provider:name`; undefined when the commit is not to name it. */
  assistedBy: string | undefined;
}

/** The longest subject, in columns, and the longest line of the body. */
const COLUMNS = 72;

/** The longest line of any part, in characters: what is usual where messages are checked. */
const LINE_CHARACTERS = 100;

/**
 * Writes the message: the subject, the tasks that changed something, the trailers. To be committed
 * without git taking any of its lines for a comment.
 *
 * @example
 * ```ts
 * import { commitMessage } from "./commit_message.ts";
 * import assert from "node:assert/strict";
 *
 * const message = commitMessage({
 *   outline: { goal: "Greet by name", projectType: "", framework: "", decisions: [], plan: undefined, tasks: [], caveats: [] },
 *   session: "20261129-231205-a1b2",
 *   prefix: "feat",
 *   subject: "{type}: {goal}",
 *   given: undefined,
 *   proof: { tree: null, why: "--unverified" },
 *   assistedBy: undefined,
 * });
 * assert.equal(
 *   message,
 *   "feat: greet by name\n\nM31A-Session: 20261129-231205-a1b2\nProved: no (--unverified)\n",
 * );
 * ```
 */
export function commitMessage(parts: CommitMessageParts): string {
  const { outline, session, proof, assistedBy, given } = parts;
  const trailers = [
    `${SESSION_TRAILER}: ${session}`,
    provedTrailer(proof),
    ...(assistedBy === undefined
      ? []
      : [cutLine(`Assisted-by: m31a (${oneLine(assistedBy)})`, LINE_CHARACTERS, lengthOf)]),
  ];
  const lines = given === undefined ? ownLines(parts) : given.split("\n");
  const own = given === undefined ? [] : trailersAtEnd(lines);
  const caveats = outline.caveats.flatMap((caveat) => [
    "",
    ...wrapLine(`To be known: ${oneLine(caveat)}`, COLUMNS, columnsOf),
  ]);
  const text = own.length === 0 ? lines : lines.slice(0, -own.length - 1);
  return [...text, ...caveats, "", ...own, ...trailers, ""].join("\n");
}

/** A commit's message with another proof; what a hook has written into it stays. */
export function withProof(message: string, proof: CommitFacts["proof"]): string {
  const last = message.lastIndexOf(`\n${PROVED_TRAILER}: `) + 1;
  const end = message.indexOf("\n", last);
  return message.slice(0, last) + provedTrailer(proof) + (end < 0 ? "" : message.slice(end));
}

function provedTrailer({ tree, why }: CommitFacts["proof"]): string {
  const line = `${PROVED_TRAILER}: ${tree ?? `no (${oneLine(why)})`}`;
  return cutLine(line, LINE_CHARACTERS, lengthOf);
}

function ownLines({ outline, session, prefix, subject: template }: CommitMessageParts): string[] {
  const goal = oneLine(outline.goal);
  const whole = subjectOf(template, { type: prefix, goal, session });
  const subject = cutLine(whole, COLUMNS, columnsOf);
  const told = outline.tasks.filter(({ status, changedNothing }) =>
    status === "done" && !changedNothing
  );
  return [
    subject,
    ...(subject === whole ? [] : ["", ...wrapLine(`Goal: ${goal}`, COLUMNS, columnsOf)]),
    ...(told.length === 0 ? [] : [""]),
    ...told.flatMap(({ title }) => wrapLine(`- ${oneLine(title)}`, COLUMNS, columnsOf)),
  ];
}

/** Columns of a text; more of them where it has so many characters that the line would be too long for a checker. */
function columnsOf(text: string): number {
  return Math.max(stringWidth(text), Math.ceil(text.length * COLUMNS / LINE_CHARACTERS));
}

function lengthOf(text: string): number {
  return text.length;
}

/** The last paragraph, not the subject, where it is trailers: those of m31a go on with it, or git took it for text. */
function trailersAtEnd(lines: readonly string[]): readonly string[] {
  const last = lines.slice(lines.lastIndexOf("") + 1);
  const isBody = last.length < lines.length;
  const areTrailers = last.every((line) => /^(?:[A-Za-z0-9-]+: |[ \t])/.test(line));
  return isBody && areTrailers ? last : [];
}

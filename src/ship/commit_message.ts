/**
 * The message of a ship's commit.
 * Rule: pure; nothing that a goal or a task says can begin a line of its own or look like a trailer.
 */
import stringWidth from "string-width";
import { PROVED_TRAILER, SESSION_TRAILER } from "../git/index_sync.ts";
import { cutLine, oneLine, wrapLine } from "./one_line.ts";
import type { Outline } from "./outline.ts";

/** What a commit's message is made of. */
export interface CommitMessageParts {
  outline: Outline;
  session: string;
  /** `[ship] prefix`. */
  prefix: string;
  /** The tree on which the commit was proved, or why it was not. */
  proved: { tree: string } | { why: string };
  /** `provider:name`; undefined when the commit is not to name it. */
  assistedBy: string | undefined;
}

/** The longest subject, in columns, and the longest line of the body. */
const COLUMNS = 72;

/**
 * Writes the message: `<prefix>: <goal>`, the tasks that were done, the trailers. To be committed
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
 *   proved: { why: "--unverified" },
 *   assistedBy: undefined,
 * });
 * assert.equal(
 *   message,
 *   "feat: Greet by name\n\nM31A-Session: 20261129-231205-a1b2\nProved: no (--unverified)\n",
 * );
 * ```
 */
export function commitMessage(
  { outline, session, prefix, proved, assistedBy }: CommitMessageParts,
): string {
  const goal = oneLine(outline.goal) || "changes without a goal";
  const whole = `${oneLine(prefix)}: ${goal}`;
  const subject = cutLine(whole, COLUMNS, stringWidth);
  const done = outline.tasks.filter(({ status }) => status === "done");
  const trailers = [
    `${SESSION_TRAILER}: ${session}`,
    `${PROVED_TRAILER}: ${"tree" in proved ? proved.tree : `no (${oneLine(proved.why)})`}`,
    ...(assistedBy === undefined ? [] : [`Assisted-by: m31a (${oneLine(assistedBy)})`]),
  ];
  return [
    subject,
    ...(subject === whole ? [] : ["", ...wrapLine(`Goal: ${goal}`, COLUMNS, stringWidth)]),
    ...(done.length === 0 ? [] : [""]),
    ...done.flatMap(({ title }) => wrapLine(`- ${oneLine(title)}`, COLUMNS, stringWidth)),
    ...outline.caveats.flatMap((caveat) => [
      "",
      ...wrapLine(`To be known: ${oneLine(caveat)}`, COLUMNS, stringWidth),
    ]),
    "",
    ...trailers,
    "",
  ].join("\n");
}

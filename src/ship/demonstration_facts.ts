/**
 * DEMONSTRATION.md from the facts alone.
 * Rule: pure; text from outside stays within its line, and the document says that no model wrote it.
 */
import type { CheckOutcome } from "./account.ts";
import { knownLimits } from "./limits.ts";
import { oneLine } from "./one_line.ts";
import { type Outline, taskStatus } from "./outline.ts";
import type { CommitFacts, MetricsFacts } from "./steps.ts";

/** What a demonstration is about. */
export interface DemonstrationSubject {
  session: string;
  outline: Outline;
  /** The goal, or what was said first. */
  goal: string;
  checks: readonly CheckOutcome[];
  /** Files that checks have changed, each with the check's name. */
  changedByChecks: ReadonlyMap<string, string>;
  /** The flags without which the ship would have been blocked. */
  overrides: readonly string[];
  commit: CommitFacts;
  metrics: MetricsFacts;
}

/** Writes the document. `reason` is why no model wrote it. */
export function demonstrationOfFacts(subject: DemonstrationSubject, reason: string): string {
  const { outline, checks, metrics } = subject;
  return document(subject, [
    `_From the facts alone: ${escaped(reason)}._`,
    "",
    "## What changed",
    "",
    `${diffLine(metrics)}, in commit \`${subject.commit.commit.slice(0, 12)}\`.`,
    "",
    ...outline.tasks.map((task) =>
      `- ${escaped(task.id)} (${taskStatus(task)}): ${escaped(task.title)}`
    ),
    ...metrics.files.map((path) => `- ${code(path)}`),
    ...more(metrics),
    "",
    "## How to run it",
    "",
    ...orElse(
      checks.map(({ name, command, passed }) =>
        `- ${escaped(name)}: ${code(command)} (${passed ? "passed" : "failed"})`
      ),
      "No check of the project is known.",
    ),
    "",
    "## Decisions",
    "",
    ...orElse(
      [
        ...(outline.plan === undefined ? [] : [`- Plan: ${escaped(outline.plan.summary)}`]),
        ...outline.decisions.map(({ question, answer }) =>
          `- ${escaped(question)} ${escaped(answer)}`
        ),
      ],
      "None were recorded.",
    ),
    "",
    "## Limits",
    "",
    ...orElse(limitLines(subject), "None are known."),
  ]);
}

/** What is known to limit what was shipped, as a list. */
export function limitLines(subject: DemonstrationSubject): string[] {
  return knownLimits(subject).map((limit) => `- ${escaped(limit)}`);
}

/** A document of the four sections, with its title and what it is about. */
export function document(
  { session, goal }: Pick<DemonstrationSubject, "session" | "goal">,
  body: readonly string[],
): string {
  return [
    "# Demonstration",
    "",
    `Goal: ${escaped(goal)}`,
    "",
    `Session: ${session}`,
    "",
    ...body,
    "",
  ].join("\n");
}

/** `3 files changed (1 added), 10 insertions, 2 deletions`. */
export function diffLine(metrics: MetricsFacts): string {
  const { added, modified, deleted, renamed, insertions, deletions } = metrics;
  const kinds = Object.entries({ added, modified, deleted, renamed })
    .filter(([, count]) => count > 0).map(([kind, count]) => `${count} ${kind}`);
  const files = added + modified + deleted + renamed;
  return `${files} file${files === 1 ? "" : "s"} (${kinds.join(", ")}), ` +
    `${insertions} insertion${insertions === 1 ? "" : "s"}, ` +
    `${deletions} deletion${deletions === 1 ? "" : "s"}`;
}

function more({ added, modified, deleted, renamed, files }: MetricsFacts): string[] {
  const others = added + modified + deleted + renamed - files.length;
  return others > 0 ? [`- and ${others} more`] : [];
}

function orElse(lines: readonly string[], otherwise: string): readonly string[] {
  return lines.length === 0 ? [otherwise] : lines;
}

/** Text in a line of Markdown, none of it markup. */
function escaped(text: string): string {
  return oneLine(text).replace(/[\\`*_{}[\]<>#|~]/g, "\\$&");
}

/** Text as code, whatever back-ticks it holds. */
function code(text: string): string {
  const line = oneLine(text);
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`;
}

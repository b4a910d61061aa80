/**
 * A ship for people and as JSON: the checklist, the steps, the end.
 * Rule: text from the project is stripped of control sequences by whoever prints the lines.
 */
import type { ShipEvent } from "../../ship/events.ts";
import type { PreflightCheck } from "../../ship/preflight/check.ts";
import type { ShipOutcome } from "../../ship/ship.ts";
import { oneLine } from "./call_summary.ts";

const MARKS = { pass: "ok   ", warn: "warn ", block: "BLOCK" } as const;

/** How many places of a check are shown. */
const SHOWN_PLACES = 20;

/** How many lines of a failed check's output are shown. */
const SHOWN_LINES = 15;

/** The end of a failed check's output. */
export function lastLines(output: string): string[] {
  return output.trimEnd().split("\n").slice(-SHOWN_LINES).map((line) => `  ${line}`);
}

/** The checklist, what does not pass with its places and what to do. */
export function checklist(checks: readonly PreflightCheck[]): string[] {
  return checks.flatMap(({ verdict, name, summary, places, advice }) => [
    `  ${MARKS[verdict]} ${name}: ${oneLine(summary)}`,
    ...places.slice(0, SHOWN_PLACES).map((place) => `          ${oneLine(place)}`),
    ...(places.length > SHOWN_PLACES ? [`          and ${places.length - SHOWN_PLACES} more`] : []),
    ...(advice === "" ? [] : [`          ${oneLine(advice)}`]),
  ]);
}

/** What is shown of an event. Of the checklist, while a ship goes on, only what does not pass. */
export function shipLines(event: Exclude<ShipEvent, { type: "notice" }>): string[] {
  if (event.type === "ship_step") {
    return [`ship: ${event.step}${event.detail === "" ? "" : `: ${oneLine(event.detail)}`}`];
  }
  if (event.type === "proof_started") {
    const again = event.isAgain ? " again, with a copy of the dependencies that it writes to" : "";
    return [`ship: proof: ${oneLine(event.command)}${again} …`];
  }
  if (event.type === "proof_failed") {
    const head = `ship: proof: ${oneLine(event.command)} failed (exit code ${event.exitCode})`;
    return [head, ...lastLines(event.output)];
  }
  if (event.type === "proof") {
    const { verdict, summary } = event.check;
    return verdict === "pass" ? [`ship: proof: ${oneLine(summary)}`] : checklist([event.check]);
  }
  const noted = event.checks.filter(({ verdict }) => verdict !== "pass");
  const passed = event.checks.length - noted.length;
  return [`ship: preflight: ${passed} of ${event.checks.length} checks pass`, ...checklist(noted)];
}

/** What is said of a ship that was not done, and how it is tried again. */
export function notShipped(session: string): string {
  return `Not shipped. When that is put right: m31a ship ${session}`;
}

/** How a ship ended, in words. */
export function shipOutcomeLines(outcome: ShipOutcome, session: string): string[] {
  if (outcome.outcome !== "shipped") {
    return [notShipped(session)];
  }
  const { commit, archive, wasDone } = outcome;
  if (wasDone) return [`Session ${session} is shipped already: commit ${commit.slice(0, 12)}.`];
  return [
    `Shipped: commit ${commit.slice(0, 12)}.`,
    `What it is about: ${archive}/DEMONSTRATION.md`,
  ];
}

/** How a ship ended, as data. */
export function shipJson(outcome: ShipOutcome, session: string): Record<string, unknown> {
  if (outcome.outcome !== "shipped") return { session, ...outcome };
  const { commit, archive, wasDone, entry } = outcome;
  return { session, outcome: outcome.outcome, commit, archive, wasDone, entry };
}

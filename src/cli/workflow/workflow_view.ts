/**
 * A workflow for a person who watches: a line for each step.
 * Rule: what happened goes to stdout in plain text, the model's and the tools' doings to stderr.
 */
import type { AgentEvent } from "../../agent/events.ts";
import { stripControlSequences } from "../../platform/text.ts";
import type { ShipEvent } from "../../ship/events.ts";
import { describeCount } from "../../ship/checks/test_count.ts";
import type { ShipOutcome } from "../../ship/ship.ts";
import type { WorkflowEvent } from "../../workflow/events.ts";
import type { WorkflowEnd } from "../../workflow/workflow.ts";
import { oneLine, summarizeCall } from "../chat/call_summary.ts";
import { printLine } from "../output.ts";
import { jsonLine } from "../session/json_line.ts";
import { lastLines, shipJson, shipLines, shipOutcomeLines } from "./ship_view.ts";

/** Where a workflow's events go. */
export interface WorkflowView {
  show(event: AgentEvent | WorkflowEvent | ShipEvent): void;
  /** @param next how to go on */
  end(end: WorkflowEnd, session: string, next: string): void;
  /** How the ship ended that follows a workflow that was verified. */
  shipped(outcome: ShipOutcome, session: string): void;
}

/** Shows a workflow as lines. */
export class PlainWorkflowView implements WorkflowView {
  show(event: AgentEvent | WorkflowEvent | ShipEvent): void {
    if (isOfShip(event)) {
      for (const line of shipLines(event)) printLine(stripControlSequences(line));
      return;
    }
    const line = lineOf(event);
    if (line !== undefined) printLine(stripControlSequences(line));
    const aside = asideOf(event);
    if (aside !== undefined) console.error(aside);
  }

  end(end: WorkflowEnd, _session: string, next: string): void {
    printLine(describeEnd(end));
    console.error(next);
  }

  shipped(outcome: ShipOutcome, session: string): void {
    for (const line of shipOutcomeLines(outcome, session)) printLine(stripControlSequences(line));
  }
}

function isOfShip(
  event: AgentEvent | WorkflowEvent | ShipEvent,
): event is Exclude<ShipEvent, { type: "notice" }> {
  return ["preflight", "proof_started", "proof_failed", "proof", "ship_step"].includes(event.type);
}

/** Shows a workflow as JSON lines. */
export class JsonWorkflowView implements WorkflowView {
  show(event: AgentEvent | WorkflowEvent | ShipEvent): void {
    printLine(jsonLine(event));
  }

  end(end: WorkflowEnd, session: string): void {
    printLine(jsonLine({ type: "workflow_ended", session, ...end }));
  }

  shipped(outcome: ShipOutcome, session: string): void {
    printLine(jsonLine({ type: "ship_ended", ...shipJson(outcome, session) }));
  }
}

/** How a workflow ended, in a line. */
export function describeEnd(end: WorkflowEnd): string {
  if (end.outcome === "verified") return "Verified: all checks pass.";
  if (end.outcome === "interrupted") return `Interrupted: ${oneLine(end.reason)}`;
  return `Not done: ${end.phase} failed: ${oneLine(end.reason)}`;
}

/** What is said of an event on stdout. */
export function lineOf(event: AgentEvent | WorkflowEvent): string | undefined {
  switch (event.type) {
    case "phase":
      return event.status === "entered"
        ? `${event.phase} …`
        : `${event.phase} ${event.status}${
          event.detail === "" ? "" : `: ${oneLine(event.detail)}`
        }`;
    case "plan": {
      const tasks = event.plan.tasks.map(({ id, title }) => `  ${id}. ${oneLine(title)}`);
      const state = event.approved ? "approved" : "submitted";
      return [`plan v${event.version} ${state}: ${oneLine(event.plan.summary)}`, ...tasks].join(
        "\n",
      );
    }
    case "task": {
      const heals = event.status === "running" && event.heals > 0 ? `, heal ${event.heals}` : "";
      const status = event.changedNothing ? `${event.status}, nothing changed` : event.status;
      const cause = event.cause === undefined ? "" : ` (${event.cause})`;
      const detail = event.detail === undefined ? "" : `: ${oneLine(event.detail)}`;
      return `task ${event.task} ${status}${heals}${cause}${detail || `: ${oneLine(event.title)}`}`;
    }
    case "check": {
      const verdict = event.passed ? "passed" : `failed (exit code ${event.exitCode ?? "unknown"})`;
      const count = event.tests === null ? "" : ` (${describeCount(event.tests)})`;
      const when = event.purpose === "baseline" ? "before any change: " : "";
      const head = `${when}check ${event.name} ${verdict}: ${oneLine(event.command)}${count}`;
      return event.passed ? head : [head, ...lastLines(event.output)].join("\n");
    }
    case "checkpoint": {
      const files = event.files.length === 0
        ? "no file changed"
        : event.files.map(oneLine).join(", ");
      return `checkpoint ${event.number}: ${files}`;
    }
    case "edited": {
      const lines = event.differences.map((line) => `  ${oneLine(line)}`);
      return [`planning/${event.document} was edited; taken over:`, ...lines].join("\n");
    }
    default:
      return undefined;
  }
}

/** What is said of an event on stderr. */
function asideOf(event: AgentEvent | WorkflowEvent): string | undefined {
  switch (event.type) {
    case "reply":
      return event.text.trim() === "" ? undefined : stripControlSequences(event.text).trim();
    case "tool_started":
      return `  ${event.call}. ${summarizeCall(event.tool, event.input)}`;
    case "tool_finished":
      return event.isError
        ? `  ${event.call}. failed: ${oneLine(event.output).slice(0, 200)}`
        : undefined;
    case "retry":
      return `${oneLine(event.reason)}; trying again in ${Math.ceil(event.waitMs / 1000)} s`;
    case "notice":
      return oneLine(event.text);
    case "turn_ended":
      return event.end.outcome === "aborted" ? oneLine(event.end.detail) : undefined;
    default:
      return undefined;
  }
}

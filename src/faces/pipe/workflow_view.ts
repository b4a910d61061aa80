/**
 * A workflow for a person who watches: a line for each step.
 * Rule: what happened goes to stdout in plain text, the model's and the tools' doings to stderr.
 */
import type { AgentEvent } from "../../agent/events.ts";
import { stripControlSequences } from "../../platform/text.ts";
import type { ShipEvent } from "../../ship/events.ts";
import type { ShipOutcome } from "../../ship/ship.ts";
import type { WorkflowEvent } from "../../workflow/events.ts";
import type { WorkflowEnd } from "../../workflow/workflow.ts";
import { oneLine, summarizeCall } from "../../app/telling/call_summary.ts";
import { describeEnd, lineOf } from "../../app/telling/workflow_lines.ts";
import { printLine } from "../../platform/output.ts";
import { jsonLine } from "../../platform/json_line.ts";
import { shipJson, shipLines, shipOutcomeLines } from "../../app/telling/ship_lines.ts";

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

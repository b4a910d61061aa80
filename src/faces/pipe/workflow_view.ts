/**
 * A workflow for a person who watches: a line for each step.
 * Rule: what happened goes to stdout in plain text, the model's and the tools' doings to stderr.
 */
import type { AgentEvent } from "../../agent/events.ts";
import type { ConversationEvent } from "../../app/events/conversation_event.ts";
import { isOfAgent, isOfShip, isOfWorkflow } from "../../app/events/kinds.ts";
import { oneLine, summarizeCall } from "../../app/telling/call_summary.ts";
import { adviceAfter } from "../../app/telling/session_lines.ts";
import { shipLines, shipOutcomeLines } from "../../app/telling/ship_lines.ts";
import { describeEnd, lineOf } from "../../app/telling/workflow_lines.ts";
import { printLine } from "../../platform/output.ts";
import { stripControlSequences } from "../../platform/text.ts";
import { isTold } from "./plain_view.ts";

/** Shows a workflow as lines. */
export class PlainWorkflowView {
  show({ session, body }: ConversationEvent): void {
    if (isOfShip(body)) return print(...shipLines(body));
    if (isOfWorkflow(body)) {
      const line = lineOf(body);
      if (line !== undefined) print(line);
      return;
    }
    if (isOfAgent(body)) {
      const aside = asideOf(body);
      if (aside !== undefined) console.error(aside);
      return;
    }
    if (session === null) return;
    if (body.type === "workflow_ended") {
      printLine(describeEnd(body.end));
      console.error(adviceAfter(body.end, session));
    }
    if (body.type === "ship_ended" && body.end.outcome !== "failed") {
      print(...shipOutcomeLines(body.end, session));
    }
  }
}

function print(...lines: string[]): void {
  for (const line of lines) printLine(stripControlSequences(line));
}

/** What is said of an event on stderr. */
function asideOf(event: AgentEvent): string | undefined {
  switch (event.type) {
    case "reply":
      return event.text.trim() === "" ? undefined : stripControlSequences(event.text).trim();
    case "tool_started":
      return `  ${event.call}. ${summarizeCall(event.tool, event.input)}`;
    case "tool_finished":
      return isTold(event)
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

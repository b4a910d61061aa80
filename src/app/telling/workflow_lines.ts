/**
 * A workflow in plain text: a line for each step, and how it ended.
 * Rule: what is said of an event is the same for every face; how it is painted is the face's.
 */
import type { AgentEvent } from "../../agent/events.ts";
import { describeCount } from "../../ship/checks/test_count.ts";
import type { WorkflowEvent } from "../../workflow/events.ts";
import type { WorkflowEnd } from "../../workflow/workflow.ts";
import { oneLine } from "./call_summary.ts";
import { lastLines } from "./ship_lines.ts";

/** How a workflow ended, in a line. */
export function describeEnd(end: WorkflowEnd): string {
  if (end.outcome === "verified") return "Verified: all checks pass.";
  if (end.outcome === "interrupted") return `Interrupted: ${oneLine(end.reason)}`;
  return `Not done: ${end.phase} failed: ${oneLine(end.reason)}`;
}

/** What is said of an event; undefined for one that has no line. */
export function lineOf(event: AgentEvent | WorkflowEvent): string | undefined {
  switch (event.type) {
    case "phase":
      // A ship has lines of its own.
      if (event.phase === "ship") return undefined;
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
      if (event.purpose === "proof") return undefined;
      const verdict = event.passed ? "passed" : `failed (exit code ${event.exitCode ?? "unknown"})`;
      const count = event.tests === null ? "" : ` (${describeCount(event.tests)})`;
      const when = event.purpose === "baseline" ? "before any change: " : "";
      const head = `${when}check ${event.name} ${verdict}: ${oneLine(event.command)}${count}`;
      return event.passed ? head : [head, ...lastLines(event.output)].join("\n");
    }
    case "checkpoint": {
      if (event.kind !== undefined && event.kind !== "task") return undefined;
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

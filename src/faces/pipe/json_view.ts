/**
 * A conversation for a program: every event as a line of JSON on stdout.
 * Rule: nothing else is written there, and an event is on its way before the next one happens.
 */
import type { AgentEvent } from "../../agent/events.ts";
import { printLine } from "../../platform/output.ts";
import { jsonLine } from "../../platform/json_line.ts";

/** Prints events as JSON lines. */
export class JsonView {
  show(event: AgentEvent): void {
    printLine(jsonLine(event));
  }
}

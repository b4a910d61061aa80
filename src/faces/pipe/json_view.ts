/**
 * A conversation for a program: every event as a line of JSON on stdout.
 * Rule: nothing else is written there, and an event is on its way before the next one happens.
 */
import type { ConversationEvent } from "../../app/events/conversation_event.ts";
import { isOfConversation } from "../../app/events/kinds.ts";
import { shipJson } from "../../app/telling/ship_lines.ts";
import { jsonLine } from "../../platform/json_line.ts";
import { printLine } from "../../platform/output.ts";

/** Prints events as JSON lines: what the agent, the workflow and the ship tell, and how a goal ended. */
export class JsonView {
  show({ session, body }: ConversationEvent): void {
    if (!isOfConversation(body)) return printLine(jsonLine(body));
    if (body.type === "workflow_ended") {
      printLine(jsonLine({ type: body.type, session, ...body.end }));
    }
    if (body.type === "ship_ended" && body.end.outcome !== "failed" && session !== null) {
      printLine(jsonLine({ type: body.type, ...shipJson(body.end, session) }));
    }
  }
}

/** Whose event one is, for those who show them in different ways. */
import type { AgentEvent } from "../../agent/events.ts";
import type { ShipEvent } from "../../ship/events.ts";
import type { WorkflowEvent } from "../../workflow/events.ts";
import type { EventBody, OwnEvent } from "./conversation_event.ts";

type Teller = "agent" | "workflow" | "ship" | "conversation";

/** All of them tell notices; they count as the agent's. */
const TELLERS: Readonly<Record<EventBody["type"], Teller>> = {
  session: "agent",
  turn_started: "agent",
  request_started: "agent",
  text: "agent",
  reasoning: "agent",
  restarted: "agent",
  retry: "agent",
  reply: "agent",
  tool_started: "agent",
  tool_output: "agent",
  tool_finished: "agent",
  usage: "agent",
  compacted: "agent",
  notice: "agent",
  turn_ended: "agent",
  phase: "workflow",
  plan: "workflow",
  task: "workflow",
  check_started: "workflow",
  check: "workflow",
  checkpoint: "workflow",
  edited: "workflow",
  preflight: "ship",
  proof_started: "ship",
  proof_failed: "ship",
  proof: "ship",
  ship_step: "ship",
  message: "conversation",
  goal: "conversation",
  question: "conversation",
  answer: "conversation",
  epoch: "conversation",
  shipped: "conversation",
  question_asked: "conversation",
  question_ended: "conversation",
  activity: "conversation",
  waiting: "conversation",
  workflow_ended: "conversation",
  ship_ended: "conversation",
  undo_preview: "conversation",
  undone: "conversation",
  state: "conversation",
  dropped: "conversation",
};

/** Whether the agent tells it: it belongs to a turn. */
export function isOfAgent(body: EventBody): body is AgentEvent {
  return TELLERS[body.type] === "agent";
}

/** Whether the workflow tells it. */
export function isOfWorkflow(body: EventBody): body is Exclude<WorkflowEvent, { type: "notice" }> {
  return TELLERS[body.type] === "workflow";
}

/** Whether the ship tells it. */
export function isOfShip(body: EventBody): body is Exclude<ShipEvent, { type: "notice" }> {
  return TELLERS[body.type] === "ship";
}

/** Whether it is one of the conversation's own. */
export function isOfConversation(body: EventBody): body is OwnEvent {
  return TELLERS[body.type] === "conversation";
}

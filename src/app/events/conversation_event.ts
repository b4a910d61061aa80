/**
 * What happens in a conversation, for whoever watches it: the agent's, the workflow's and the ship's events, and those of
 * the conversation itself.
 * Rule: an event has the session, a number that orders it among all events of that session, and what it belongs to.
 */
import type { AgentEvent } from "../../agent/events.ts";
import type { RecordOf } from "../../session/records.ts";
import type { ShipEvent } from "../../ship/events.ts";
import type { WorkflowEvent } from "../../workflow/events.ts";
import type { UndoPreview } from "../../workflow/undo_preview.ts";
import type { WorkflowEnd } from "../../workflow/workflow.ts";
import type { ShipEnd } from "../goal/ship_end.ts";
import type { Answer, OpenQuestion } from "../questions.ts";
import type { CallKind, WaitingCall } from "../queue/waiting_call.ts";
import type { EventNumber } from "./event_number.ts";

/** What goes on in a conversation: `idle` when nothing does. */
export type Activity = "idle" | CallKind;

/** One thing that happens in a conversation apart from what the agent, the workflow and the ship tell. */
export type OwnEvent =
  /** A message is on disk. `turn` is the one that it opens. */
  | (
    & { type: "message"; turn: number }
    & Pick<RecordOf<"user">, "text" | "source" | "about" | "images">
  )
  | ({ type: "goal" } & Pick<RecordOf<"goal">, "text" | "mode">)
  /** A question of the workflow's, and its answer, as they were recorded. */
  | ({ type: "question" } & Pick<RecordOf<"question">, "question" | "text" | "options">)
  | ({ type: "answer" } & Pick<RecordOf<"answer">, "question" | "text" | "by">)
  /** The conversation goes on in another epoch: with a summary, with another model, or from the end of an earlier turn. */
  | { type: "epoch"; epoch: number; from: "compaction" | "model" }
  | { type: "epoch"; epoch: number; from: "rewind"; turn: number }
  /** A step of a ship is recorded. */
  | ({ type: "shipped" } & Pick<RecordOf<"shipped">, "step" | "facts">)
  | { type: "question_asked"; question: OpenQuestion }
  /** Without an answer it was cancelled. `by` names the face that answered. */
  | { type: "question_ended"; id: string; answer?: Answer; by?: string }
  | { type: "activity"; activity: Activity }
  | { type: "waiting"; calls: readonly WaitingCall[] }
  | { type: "workflow_ended"; end: WorkflowEnd }
  | { type: "ship_ended"; end: ShipEnd }
  /** What would be taken back; a question follows where there is something to ask. */
  | { type: "undo_preview"; preview: UndoPreview; isForced: boolean }
  /** It is taken back. `isPending`: a task is to be done again. */
  | { type: "undone"; preview: UndoPreview; isPending: boolean }
  /** How it stands: told once to each listener that joins, when it has what came before. */
  | ({ type: "state" } & ConversationState)
  /** The listener took too long, and gets nothing more. It can come back with the last number that it has. */
  | { type: "dropped"; reason: string };

/** What stands open in a conversation. */
export interface ConversationState {
  activity: Activity;
  questions: readonly OpenQuestion[];
  waiting: readonly WaitingCall[];
}

/** What an event tells. */
export type EventBody = AgentEvent | WorkflowEvent | ShipEvent | OwnEvent;

/** An event on its way to a listener. */
export interface ConversationEvent {
  /** Null before the conversation's first message: it has no session yet. */
  session: string | null;
  number: EventNumber;
  /** The turn that it belongs to; 0 before the first. */
  turn: number;
  /** The tool call that it belongs to. */
  call?: number;
  /** The record that it tells of. Without it the event is told once, and is in no log. */
  seq?: number;
  body: EventBody;
}

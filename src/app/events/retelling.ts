/**
 * Records told as events.
 * Rule: a record is told in one way, whether it has just been written or is read from the log years later; so whoever
 * catches up sees what those saw who were there.
 */
import { type AgentEvent, usageEvent } from "../../agent/events.ts";
import type { Baseline } from "../../session/baseline.ts";
import type { AssistantPart, Fold, RecordOf, SessionRecord } from "../../session/records.ts";
import { carriedTotals, Sequence, type Totals } from "../../session/sequence.ts";
import { isTakenOver } from "../../session/taken_over.ts";
import { WorkflowFold } from "../../workflow/fold.ts";
import { approvedPlan, changedNothing, type WorkflowState } from "../../workflow/state.ts";
import type { ConversationEvent, EventBody } from "./conversation_event.ts";
import { numberOf } from "./event_number.ts";

/** What the telling of a record may need: the state after it. */
interface Told {
  baseline: Baseline;
  totals: Readonly<Totals>;
  state: WorkflowState;
}

/** The events that come of records: from elsewhere they are not told a second time. */
const OF_RECORDS = new Set<EventBody["type"]>([
  "reply",
  "tool_finished",
  "usage",
  "phase",
  "plan",
  "task",
  "checkpoint",
  "check",
]);

/** Whether what `body` tells is told when its record is. */
export function isToldOfRecord(body: EventBody): boolean {
  if (body.type === "session") return !body.isResumed;
  if (body.type === "turn_ended") return body.end.outcome === "aborted";
  return OF_RECORDS.has(body.type);
}

/** Follows the log of one epoch, and tells of the record that came last. */
export class Retelling implements Fold {
  readonly #baseline: Baseline;
  readonly #workflow: WorkflowFold;
  #sequence: Sequence | undefined;

  constructor(baseline: Baseline) {
    this.#baseline = baseline;
    this.#workflow = new WorkflowFold(baseline);
  }

  /** The last turn that has begun. */
  get turn(): number {
    return this.#totals.turns;
  }

  get #totals(): Readonly<Totals> {
    return this.#sequence?.totals ?? carriedTotals(this.#baseline);
  }

  apply(record: SessionRecord): void {
    if (record.type === "session_start") {
      this.#sequence = new Sequence(this.#baseline, record.baseline);
    }
    this.#sequence?.apply(record);
    this.#workflow.apply(record);
  }

  /** What the record that was applied last tells; undefined when it says nothing, or nothing new. */
  tell(record: SessionRecord): ConversationEvent | undefined {
    if (isTakenOver(record, this.#baseline)) return undefined;
    const totals = { ...this.#totals };
    const body = bodyOf(record, { baseline: this.#baseline, totals, state: this.#workflow.state });
    if (body === undefined) return undefined;
    const { session, epoch } = this.#baseline;
    const { seq } = record;
    return {
      session,
      number: numberOf({ epoch, seq, part: 0 }),
      turn: totals.turns,
      ...("call" in body && { call: body.call }),
      seq,
      body,
    };
  }
}

function bodyOf(record: SessionRecord, { baseline, totals, state }: Told): EventBody | undefined {
  switch (record.type) {
    case "session_start":
      return startEvent(baseline);
    case "user": {
      const { text, source, about, images } = record;
      const more = { ...(about && { about }), ...(images && { images }) };
      return { type: "message", turn: totals.turns, text, source, ...more };
    }
    case "assistant":
      return replyEvent(record);
    case "tool_result":
      return { ...factsOf(record), type: "tool_finished" };
    case "usage":
      // What a demonstration took is told with the metrics of the ship.
      return record.purpose === "demonstration" ? undefined : usageEvent(record, totals);
    case "aborted": {
      const { reason, detail } = record;
      return { type: "turn_ended", end: { outcome: "aborted", reason, detail } };
    }
    case "plan": {
      const { version, approved } = record;
      const plan = state.plans.find((known) => known.version === version)?.plan;
      return plan && { type: "plan", version, approved, plan };
    }
    case "task":
      return taskEvent(record, state);
    case "goal":
      return factsOf(record);
    case "phase":
      return factsOf(record);
    case "question":
      return factsOf(record);
    case "answer":
      return factsOf(record);
    case "checkpoint":
      return factsOf(record);
    case "check":
      return factsOf(record);
    case "shipped":
      return factsOf(record);
    // What an edit changed is told when it is taken over; its record has the document as it is then.
    case "edited":
    case "actions":
    case "side_request":
    case "candidate":
    case "format":
    case "intent":
    case "project":
    case "undo":
    case "caveats":
    case "repaired":
      return undefined;
  }
}

function replyEvent({ parts, finish }: RecordOf<"assistant">): EventBody {
  const calls = parts.filter(isCall).map(({ call, tool, input }) => ({ call, tool, input }));
  const text = parts.map((part) => part.kind === "text" ? part.text : "").join("");
  return { type: "reply", text, finish, ...(calls.length > 0 && { calls }) };
}

function taskEvent(record: RecordOf<"task">, state: WorkflowState): EventBody {
  const { task, status, heals, cause, detail } = record;
  const title = approvedPlan(state)?.tasks.find(({ id }) => id === task)?.title ?? "";
  const known = state.tasks.find(({ id }) => id === task);
  const isWithoutChange = known !== undefined && changedNothing(state, known);
  return {
    type: "task",
    task,
    title,
    status,
    changedNothing: isWithoutChange,
    heals,
    cause,
    detail,
  };
}

function startEvent(baseline: Baseline): AgentEvent | EventBody {
  const { session, epoch, model, parent, carried } = baseline;
  if (epoch === 0) {
    const { provider, name } = model;
    const { turns } = carried;
    return { type: "session", session, epoch, provider, model: name, isResumed: false, turns };
  }
  const rewind = parent?.rewind;
  if (parent?.kind === "model") return { type: "epoch", epoch, from: "model" };
  if (rewind === undefined) return { type: "epoch", epoch, from: "compaction" };
  return { type: "epoch", epoch, from: "rewind", turn: rewind.turn };
}

function isCall(part: AssistantPart): part is Extract<AssistantPart, { kind: "call" }> {
  return part.kind === "call";
}

/** A record whose facts are its event: all but its place in the log. */
function factsOf<R extends SessionRecord>(record: R): Omit<R, "seq" | "at" | "prev"> {
  const { seq: _seq, at: _at, prev: _prev, ...facts } = record;
  return facts;
}

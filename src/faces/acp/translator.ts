/**
 * What happens in a conversation as updates of the protocol.
 * Rule: pure but for what it remembers of the events before; what is read from the log and what happens now come out alike,
 * and texts are stripped of control sequences here.
 */
import type { ContentBlock, SessionUpdate } from "@agentclientprotocol/sdk";
import type { EventBody } from "../../app/events/conversation_event.ts";
import { oneLine } from "../../app/telling/call_summary.ts";
import { describeEndInChat, describeShipInChat } from "../../app/telling/chat_words.ts";
import { shipLines } from "../../app/telling/ship_lines.ts";
import { lineOf } from "../../app/telling/workflow_lines.ts";
import { ControlSequenceStripper, stripControlSequences } from "../../platform/text.ts";
import type { Image } from "../../session/images.ts";
import type { Plan, TaskState } from "../../workflow/state.ts";
import { doneLine, previewLines } from "../terminal/undo_view.ts";
import { CheckCalls } from "./check_calls.ts";
import { LiveOutput } from "./live_output.ts";
import { planUpdate } from "./plan_entries.ts";
import { beginningOf, callId, endOf, textContent } from "./tool_calls.ts";

type EventOf<T extends EventBody["type"]> = Extract<EventBody, { type: T }>;

/** What a client shows besides the protocol's core, as it has said. */
export interface ShownBesides {
  /** `notice` updates; without them a notice is a thought. */
  notices: boolean;
  /** `compaction_update`; without it a compaction is a notice. */
  compaction: boolean;
}

/** See the head of this file. One for each client and conversation. */
export class Translator {
  readonly #root: string;
  readonly #session: string;
  readonly #shows: ShownBesides;
  readonly #windowTokens: () => number | undefined;
  readonly #checks = new CheckCalls();
  #turn = 0;
  #reply = 0;
  #isStreamed = false;
  #text = new ControlSequenceStripper();
  #reasoning = new ControlSequenceStripper();
  readonly #calls = new Set<number>();
  #running: { call: number; output: LiveOutput } | undefined;
  #plan: Pick<Plan, "tasks"> = { tasks: [] };
  readonly #tasks = new Map<string, TaskState["status"]>();

  /**
   * @param root the project's folder
   * @param session the conversation's id
   * @param windowTokens gives the size of the model's context window, undefined where nobody knows it
   */
  constructor(
    root: string,
    session: string,
    shows: ShownBesides,
    windowTokens: () => number | undefined,
  ) {
    this.#root = root;
    this.#session = session;
    this.#shows = shows;
    this.#windowTokens = windowTokens;
  }

  /** The updates that tell of `event`. */
  updatesOf(event: EventBody): SessionUpdate[] {
    switch (event.type) {
      case "session":
      case "question":
      case "question_asked":
      case "question_ended":
      case "shipped":
        return [];
      case "message":
        this.#turn = event.turn;
        this.#beginReply();
        return event.source === "user" ? [...userChunks(event), ...titleOf(event)] : [];
      case "goal":
        return userChunks(event);
      case "answer":
        return this.notice(`Answered: ${oneLine(event.text)}`);
      case "turn_started":
        this.#turn = event.turn;
        return [];
      case "request_started":
        this.#beginReply();
        return [];
      case "restarted":
        this.#beginReply();
        return this.notice("The reply broke off and starts over; what stood there is void.");
      case "text":
        this.#isStreamed = true;
        return this.#chunk("agent_message_chunk", this.#text.push(event.text));
      case "reasoning":
        return this.#chunk("agent_thought_chunk", this.#reasoning.push(event.text));
      case "reply":
        return this.#replied(event);
      case "retry":
        return this.notice(
          `${oneLine(event.reason)}; trying again in ${Math.ceil(event.waitMs / 1000)} s`,
        );
      case "tool_started":
        this.#running = { call: event.call, output: new LiveOutput() };
        return this.#begun(event, "in_progress");
      case "tool_output":
        return this.#output(event.text);
      case "tool_finished":
        if (this.#running?.call === event.call) this.#running = undefined;
        return [{ sessionUpdate: "tool_call_update", ...endOf(this.#root, event) }];
      case "usage":
        return this.#usage(event);
      case "compacted":
        return this.#compacted(event);
      case "epoch":
        return event.from === "rewind"
          ? this.notice(`The conversation was taken back to the end of turn ${event.turn}.`)
          : [];
      case "notice":
        return this.notice(event.text);
      case "dropped":
        return this.notice(event.reason, "error");
      case "turn_ended":
        return this.#ended(event);
      case "plan":
        this.#plan = event.plan;
        if (!event.approved) this.#tasks.clear();
        return [planUpdate(event.plan, this.#tasks)];
      case "task":
        this.#tasks.set(event.task, event.status);
        return [...this.notice(lineOf(event) ?? ""), planUpdate(this.#plan, this.#tasks)];
      case "check_started":
        return this.#checks.begin(event);
      case "proof_started":
        return this.#checks.begin({ ...event, name: `proof: ${event.name}` });
      case "check":
      case "proof_failed":
        return this.#checks.end(event);
      case "proof":
        return [...this.#checks.pass(), ...this.notice(shipLines(event).join("\n"))];
      case "phase":
      case "checkpoint":
      case "edited":
        return this.notice(lineOf(event) ?? "");
      case "preflight":
      case "ship_step":
        return this.notice(shipLines(event).join("\n"));
      case "workflow_ended":
        return this.answer(describeEndInChat(event.end));
      case "ship_ended":
        return this.answer(describeShipInChat(event.end, this.#session).join("\n"));
      case "undo_preview":
        return this.answer(previewLines(event.preview, event.isForced, plain).join("\n"));
      case "undone":
        return this.answer(
          doneLine(event.preview) +
            (event.isPending ? " /execute does what is pending again." : ""),
        );
      case "state":
        return [ownUpdate({ activity: event.activity, waiting: event.waiting })];
      case "activity":
        return [ownUpdate({ activity: event.activity })];
      case "waiting":
        return [ownUpdate({ waiting: event.calls })];
    }
  }

  /** Something that the user should know of. */
  notice(text: string, severity: "info" | "warning" | "error" = "info"): SessionUpdate[] {
    const plain = stripControlSequences(text).trim();
    if (plain === "") return [];
    if (!this.#shows.notices) return [ownChunk("agent_thought_chunk", `${plain}\n`)];
    const [title = "", ...more] = plain.split("\n");
    const description = more.join("\n");
    return [{
      sessionUpdate: "notice",
      severity,
      title,
      ...(description !== "" && { description }),
    }];
  }

  /** An answer of m31a's own, which is no reply of the model's. */
  answer(text: string): SessionUpdate[] {
    return text === "" ? [] : [ownChunk("agent_message_chunk", `${stripControlSequences(text)}\n`)];
  }

  #beginReply(): void {
    this.#reply += 1;
    this.#isStreamed = false;
    this.#text = new ControlSequenceStripper();
    this.#reasoning = new ControlSequenceStripper();
  }

  /** A reply is complete. Its words have been sent as they came; to whoever reads the log they are news. */
  #replied({ text, calls = [] }: EventOf<"reply">): SessionUpdate[] {
    const words = this.#isStreamed
      ? []
      : this.#chunk("agent_message_chunk", stripControlSequences(text));
    this.#beginReply();
    return [...words, ...calls.flatMap((call) => this.#begun(call, "pending"))];
  }

  #chunk(stream: "agent_message_chunk" | "agent_thought_chunk", text: string): SessionUpdate[] {
    if (text === "") return [];
    const messageId = `turn-${this.#turn}-reply-${this.#reply}`;
    return [{ sessionUpdate: stream, content: { type: "text", text }, messageId }];
  }

  #begun(
    call: Pick<EventOf<"tool_started">, "call" | "tool" | "input">,
    status: "pending" | "in_progress",
  ): SessionUpdate[] {
    const isKnown = this.#calls.has(call.call);
    this.#calls.add(call.call);
    if (isKnown) {
      return [{ sessionUpdate: "tool_call_update", toolCallId: callId(call.call), status }];
    }
    return [{ sessionUpdate: "tool_call", ...beginningOf(this.#root, call), status }];
  }

  #output(piece: string): SessionUpdate[] {
    const shown = this.#running?.output.push(piece);
    if (this.#running === undefined || shown === undefined) return [];
    const toolCallId = callId(this.#running.call);
    return [{ sessionUpdate: "tool_call_update", toolCallId, content: [textContent(shown)] }];
  }

  #usage({ usage, totals }: EventOf<"usage">): SessionUpdate[] {
    const size = this.#windowTokens();
    if (size === undefined) return [];
    const cost = totals.cost > 0 ? { cost: { amount: totals.cost, currency: "USD" } } : {};
    return [{ sessionUpdate: "usage_update", used: usage.input + usage.output, size, ...cost }];
  }

  #compacted({ epoch, summary }: EventOf<"compacted">): SessionUpdate[] {
    if (!this.#shows.compaction) {
      return this.notice(`The conversation was summarized:\n${summary}`);
    }
    return [{
      sessionUpdate: "compaction_update",
      compactionId: `epoch-${epoch}`,
      status: "completed",
      summary: [{ type: "text", text: stripControlSequences(summary) }],
    }];
  }

  #ended({ end }: EventOf<"turn_ended">): SessionUpdate[] {
    if (end.outcome === "replied") return [];
    return this.notice(end.detail, end.reason === "interrupted" ? "info" : "error");
  }
}

/** Text without paint. */
function plain(text: string): string {
  return text;
}

/** What m31a tells its own clients, in an update that means nothing to others. */
export function ownUpdate(facts: { [name: string]: unknown }): SessionUpdate {
  return { sessionUpdate: "session_info_update", _meta: { m31a: facts } };
}

/** What a session is called: its first message. */
function titleOf({ turn, text }: EventOf<"message">): SessionUpdate[] {
  if (turn !== 1) return [];
  return [{ sessionUpdate: "session_info_update", title: oneLine(text) }];
}

function userChunks(
  { text, images = [] }: { text: string; images?: readonly Image[] | undefined },
): SessionUpdate[] {
  const blocks: ContentBlock[] = [
    { type: "text", text: stripControlSequences(text) },
    ...images.map(({ mediaType, data }) => ({ type: "image" as const, mimeType: mediaType, data })),
  ];
  return blocks.map((content) => ({ sessionUpdate: "user_message_chunk", content }));
}

/** Words of m31a's, apart from any message of the model's. */
function ownChunk(
  sessionUpdate: "agent_message_chunk" | "agent_thought_chunk",
  text: string,
): SessionUpdate {
  return { sessionUpdate, content: { type: "text", text }, _meta: { m31a: { from: "m31a" } } };
}

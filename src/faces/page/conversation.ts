/**
 * A conversation as the page shows it: a fold over the protocol's updates.
 * Rule: pure; an update that is not known changes nothing, and none is shown twice.
 */
import type {
  AvailableCommand,
  PlanEntry,
  SessionUpdate,
  ToolCallContent,
  ToolCallUpdate,
} from "./protocol.ts";

/** Something said, by whom. */
export interface Message {
  kind: "user" | "agent" | "thought" | "notice";
  text: string;
  /** Tells it from the message before by the same speaker; null where the protocol has not said. */
  id: string | null;
}

/** A call of a tool's, as far as it has come. */
export interface Call {
  kind: "call";
  id: string;
  title: string;
  toolKind: string;
  status: string;
  content: readonly ToolCallContent[];
  paths: readonly string[];
}

export type Entry = Message | Call;

/** See the head of this file. */
export interface ConversationState {
  entries: readonly Entry[];
  plan: readonly PlanEntry[];
  commands: readonly AvailableCommand[];
  mode: string | null;
  title: string | null;
  /** Tokens in the model's window, and how many there is room for. */
  usage: { used: number; size: number; cost: string | null } | null;
}

/** Before the first update. */
export const EMPTY: ConversationState = {
  entries: [],
  plan: [],
  commands: [],
  mode: null,
  title: null,
  usage: null,
};

/**
 * The conversation after one more update.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const said = (text: string) =>
 *   ({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } }) as const;
 * const { entries } = afterUpdate(afterUpdate(EMPTY, said("Hel")), said("lo"));
 * assert.deepEqual(entries, [{ kind: "agent", text: "Hello", id: null }]);
 * ```
 */
export function afterUpdate(state: ConversationState, update: SessionUpdate): ConversationState {
  switch (update.sessionUpdate) {
    case "user_message_chunk":
      return saying(state, "user", textOf(update.content), update.messageId);
    case "agent_message_chunk":
      return saying(state, "agent", textOf(update.content), update.messageId);
    case "agent_thought_chunk":
      return saying(state, "thought", textOf(update.content), update.messageId);
    case "notice": {
      const { title, description } = update;
      return withMessage(state, "notice", description ? `${title}\n${description}` : title);
    }
    case "tool_call":
    case "tool_call_update":
      return calling(state, update);
    case "plan":
      return { ...state, plan: update.entries };
    case "available_commands_update":
      return { ...state, commands: update.availableCommands };
    case "current_mode_update":
      return { ...state, mode: update.currentModeId };
    case "session_info_update":
      return update.title === undefined ? state : { ...state, title: update.title };
    case "usage_update": {
      const { used, size, cost } = update;
      return { ...state, usage: { used, size, cost: cost ? costOf(cost) : null } };
    }
    default:
      return state;
  }
}

/** The conversation with something that no update has told: what is said here, or what the page itself has to say. */
export function withMessage(
  state: ConversationState,
  kind: "user" | "notice",
  text: string,
): ConversationState {
  return { ...state, entries: [...state.entries, { kind, text, id: null }] };
}

function saying(
  state: ConversationState,
  kind: Message["kind"],
  text: string,
  messageId: string | null | undefined,
): ConversationState {
  const id = messageId ?? null;
  const last = state.entries.at(-1);
  if (last !== undefined && last.kind === kind && last.id === id) {
    const longer = { ...last, text: last.text + text };
    return { ...state, entries: [...state.entries.slice(0, -1), longer] };
  }
  return { ...state, entries: [...state.entries, { kind, text, id }] };
}

function calling(state: ConversationState, update: ToolCallUpdate): ConversationState {
  const index = state.entries.findLastIndex((entry) =>
    entry.kind === "call" && entry.id === update.toolCallId
  );
  const known = state.entries[index];
  const before: Call = known?.kind === "call" ? known : {
    kind: "call",
    id: update.toolCallId,
    title: update.toolCallId,
    toolKind: "other",
    status: "pending",
    content: [],
    paths: [],
  };
  const call: Call = {
    ...before,
    title: update.title ?? before.title,
    toolKind: update.kind ?? before.toolKind,
    status: update.status ?? before.status,
    content: update.content ?? before.content,
    paths: update.locations?.map(({ path }) => path) ?? before.paths,
  };
  const entries = known === undefined ? [...state.entries, call] : state.entries.with(index, call);
  return { ...state, entries };
}

type ContentBlock = Extract<SessionUpdate, { sessionUpdate: "agent_message_chunk" }>["content"];

/** A block as text; what is none is named. */
function textOf(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "resource_link":
      return `[${block.name}] ${block.uri}`;
    case "resource":
      return "text" in block.resource ? block.resource.text : `[${block.resource.uri}]`;
    default:
      return `[${block.type}]`;
  }
}

function costOf({ amount, currency }: { amount: number; currency: string }): string {
  return `${amount.toFixed(amount < 1 ? 4 : 2)} ${currency}`;
}

/**
 * A conversation that clients are on, and what it asks of those who are on it: its mode, and what editors have open.
 * Rule: what holds for the conversation is the same for all of its clients, and each is told when it changes.
 */
import type { ToolContext } from "../../agent/tool.ts";
import type { LiveConversation } from "../../app/live_conversation.ts";
import type { Mode } from "./modes.ts";

/** Gives the text of a file that an editor has open; undefined where it has not. */
export type OpenText = NonNullable<ToolContext["openText"]>;

/** Those who are on a conversation. It is there before the conversation. */
export class Company {
  readonly #readers = new Set<OpenText>();
  readonly #onMode = new Set<(mode: Mode) => void>();
  #mode: Mode = "chat";

  /** What becomes of a prompt. */
  get mode(): Mode {
    return this.#mode;
  }

  setMode(mode: Mode): void {
    this.#mode = mode;
    for (const tell of this.#onMode) tell(mode);
  }

  /** Tells of each change of the mode, until the returned function is called. */
  onMode(tell: (mode: Mode) => void): () => void {
    this.#onMode.add(tell);
    return () => this.#onMode.delete(tell);
  }

  /** An editor that can be asked, until the returned function is called. */
  addReader(reader: OpenText): () => void {
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  }

  /** The text of a file as the first of the editors has it that has it open. */
  openText: OpenText = async (path, signal) => {
    for (const reader of this.#readers) {
      const text = await reader(path, signal);
      if (text !== undefined) return text;
    }
    return undefined;
  };

  /** Why a tool may not be used in this mode. */
  forbid: ToolContext["forbid"] = (tool, effect) => {
    const isForbidden = this.#mode === "plan" && (effect === "change" || effect === "run") &&
      tool !== "find_tool";
    if (!isForbidden) return undefined;
    return `${tool} is not allowed now: the user wants a plan, and nothing changed or run. Say what you would do.`;
  };
}

/** See the head of this file. */
export interface HeldConversation {
  /** The session's id, or the one that it will have. */
  id: string;
  live: LiveConversation;
  company: Company;
  /** Whether its questions may be answered by the client: false where a command of the model's could be the client. */
  mayAnswer: boolean;
  /** Lets nobody attach any more. Left out where whoever holds it sees to that. */
  withdraw?: () => void;
}

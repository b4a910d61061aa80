/**
 * What other agents keep of their sessions, read line by line.
 * Rule: their formats are theirs and change: a line that is not understood is passed over and counted, and
 * a request counts once however often its answer was written down.
 */
import type { ForeignSession } from "./foreign_session.ts";

/** The agents whose sessions can be read. */
export const TRANSCRIPTS = ["claude-code", "codex"] as const;
/** One of {@linkcode TRANSCRIPTS}. */
export type TranscriptKind = typeof TRANSCRIPTS[number];

/** What was read. */
export interface ReadTranscripts {
  sessions: ForeignSession[];
  /** Lines that are no JSON object. */
  unreadable: number;
}

/** Gaps longer than this are somebody being away, not work, in milliseconds. */
const LONGEST_WORK_MS = 10 * 60_000;

type Fields = Record<string, unknown>;

/**
 * Reads the lines of one agent's sessions: one file, or several one behind the other.
 *
 * @param root the project's folder: paths of changed files are told from there
 */
export function readTranscripts(
  kind: TranscriptKind,
  lines: Iterable<string>,
  root: string,
): ReadTranscripts {
  const reader = kind === "claude-code" ? new ClaudeCodeReader(root) : new CodexReader(root);
  let unreadable = 0;
  for (const line of lines) {
    if (line.trim() === "") continue;
    const value = parsed(line);
    if (value === undefined) unreadable++;
    else reader.take(value);
  }
  return { sessions: reader.sessions(), unreadable };
}

function parsed(line: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(line));
  } catch {
    return undefined;
  }
}

function fieldsOf(value: unknown): Fields | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.fromEntries(Object.entries(value));
}

const at = (value: unknown, name: string): unknown => fieldsOf(value)?.[name];
const textOf = (value: unknown): string => typeof value === "string" ? value : "";
const countOf = (value: unknown): number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : 0;

/** Tokens of one request. */
interface Usage {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

/** A session that is being read. */
class Draft {
  readonly #agent: string;
  readonly #id: string;
  readonly #root: string;
  goal = "";
  model = "";
  readonly #times: number[] = [];
  #workingMs = 0;
  readonly #usages = new Map<string, Usage>();
  readonly #files = new Set<string>();

  constructor(agent: string, id: string, root: string) {
    this.#agent = agent;
    this.#id = id;
    this.#root = root;
  }

  /** Takes note of a moment; from the last one to this it worked, unless this is the user's word. */
  pass(timestamp: unknown, isUser: boolean): void {
    const ms = Date.parse(textOf(timestamp));
    if (Number.isNaN(ms)) return;
    const last = this.#times.at(-1);
    if (last !== undefined && !isUser && ms > last && ms - last <= LONGEST_WORK_MS) {
      this.#workingMs += ms - last;
    }
    this.#times.push(ms);
  }

  /** Sets what a request took; said again, the later word counts. */
  spend(request: string, usage: Usage): void {
    this.#usages.set(request, usage);
  }

  change(path: unknown): void {
    const text = textOf(path);
    const inside = text.startsWith(`${this.#root}/`) ? text.slice(this.#root.length + 1) : text;
    if (inside !== "" && !inside.startsWith("/")) this.#files.add(inside.replace(/^\.\//, ""));
  }

  finished(): ForeignSession[] {
    if (this.#times.length === 0) return [];
    const sum = (name: keyof Usage) =>
      [...this.#usages.values()].reduce((total, usage) => total + usage[name], 0);
    return [{
      agent: this.#agent,
      id: this.#id,
      goal: this.goal,
      model: this.model,
      startedMs: this.#times.reduce((a, b) => Math.min(a, b)),
      endedMs: this.#times.reduce((a, b) => Math.max(a, b)),
      workingMs: this.#workingMs,
      requests: this.#usages.size,
      input: sum("input"),
      output: sum("output"),
      cacheRead: sum("cacheRead"),
      cacheWrite: sum("cacheWrite"),
      cost: undefined,
      outcome: "unknown",
      files: [...this.#files],
      commit: null,
    }];
  }
}

/** Drafts by their session's id. */
abstract class TranscriptReader {
  readonly #drafts = new Map<string, Draft>();
  readonly #agent: string;
  readonly #root: string;

  constructor(agent: string, root: string) {
    this.#agent = agent;
    this.#root = root;
  }

  abstract take(line: Fields): void;

  protected draft(id: string): Draft {
    const draft = this.#drafts.get(id) ?? new Draft(this.#agent, id, this.#root);
    this.#drafts.set(id, draft);
    return draft;
  }

  sessions(): ForeignSession[] {
    return [...this.#drafts.values()].flatMap((draft) => draft.finished());
  }
}

/** Tools of Claude Code that change the file that they name. */
const CLAUDE_CODE_CHANGES = ["Edit", "MultiEdit", "NotebookEdit", "Write"];

/** Claude Code: a line a message, each with its session; an answer is written once for each of its parts. */
class ClaudeCodeReader extends TranscriptReader {
  constructor(root: string) {
    super("claude-code", root);
  }

  take(line: Fields): void {
    const id = textOf(line.sessionId);
    const { type, message } = line;
    if (id === "" || (type !== "user" && type !== "assistant")) return;
    const draft = this.draft(id);
    const content = at(message, "content");
    const isUser = type === "user" && typeof content === "string" && line.isMeta !== true;
    draft.pass(line.timestamp, isUser);
    if (isUser && draft.goal === "") draft.goal = content;
    if (type === "user") return;
    const model = textOf(at(message, "model"));
    // What the program says itself, of an error for example, has a model that is none.
    if (model.startsWith("<")) return;
    if (model !== "") draft.model = `anthropic:${model}`;
    const usage = at(message, "usage");
    const cacheRead = countOf(at(usage, "cache_read_input_tokens"));
    const cacheWrite = countOf(at(usage, "cache_creation_input_tokens"));
    draft.spend(textOf(at(message, "id")) || textOf(line.uuid), {
      // Anthropic counts what comes from the cache, or goes there, apart.
      input: countOf(at(usage, "input_tokens")) + cacheRead + cacheWrite,
      output: countOf(at(usage, "output_tokens")),
      cacheRead,
      cacheWrite,
    });
    for (const part of Array.isArray(content) ? content : []) {
      if (at(part, "type") !== "tool_use") continue;
      if (!CLAUDE_CODE_CHANGES.includes(textOf(at(part, "name")))) continue;
      const input = at(part, "input");
      draft.change(at(input, "file_path") ?? at(input, "notebook_path"));
    }
  }
}

/** The files that a patch in Codex's form names. */
const CODEX_PATCH = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm;

/** Codex: a file a session, which its first line names; tokens are told as the sum so far. */
class CodexReader extends TranscriptReader {
  #current: Draft | undefined;
  #provider = "openai";
  #requests = 0;
  #sums: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

  constructor(root: string) {
    super("codex", root);
  }

  take({ type, timestamp, payload }: Fields): void {
    if (type === "session_meta") {
      this.#current = this.draft(textOf(at(payload, "id")));
      this.#provider = textOf(at(payload, "model_provider")) || "openai";
      this.#requests = 0;
      this.#sums = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    }
    const draft = this.#current;
    if (draft === undefined) return;
    const kind = at(payload, "type");
    const said = type === "event_msg" ? userWords(kind, payload) : undefined;
    draft.pass(timestamp, said !== undefined);
    if (said !== undefined && draft.goal === "") draft.goal = said;
    if (type === "turn_context") {
      const model = textOf(at(payload, "model"));
      if (model !== "") draft.model = `${this.#provider}:${model}`;
    }
    if (kind === "token_count") this.#count(draft, at(at(payload, "info"), "total_token_usage"));
    if (type === "response_item" && (kind === "custom_tool_call" || kind === "function_call")) {
      const patch = textOf(at(payload, "input")) || argumentsText(at(payload, "arguments"));
      for (const [, path] of patch.matchAll(CODEX_PATCH)) draft.change(path);
    }
  }

  /** A sum that has not grown is the same answer told again. */
  #count(draft: Draft, total: unknown): void {
    const sums: Usage = {
      input: countOf(at(total, "input_tokens")),
      output: countOf(at(total, "output_tokens")),
      cacheRead: countOf(at(total, "cached_input_tokens")),
      cacheWrite: countOf(at(total, "cache_write_input_tokens")),
    };
    const before = this.#sums;
    if (sums.input + sums.output <= before.input + before.output) return;
    this.#sums = sums;
    draft.spend(String(this.#requests++), {
      input: sums.input - before.input,
      output: sums.output - before.output,
      cacheRead: sums.cacheRead - before.cacheRead,
      cacheWrite: sums.cacheWrite - before.cacheWrite,
    });
  }
}

/** What the user said, in the form of older versions of Codex or of newer ones; undefined for what is not the user's word. */
function userWords(kind: unknown, payload: unknown): string | undefined {
  if (kind === "user_message") return textOf(at(payload, "message"));
  const item = kind === "item_completed" ? at(payload, "item") : undefined;
  if (at(item, "type") !== "UserMessage") return undefined;
  const content = at(item, "content");
  return (Array.isArray(content) ? content : []).map((part) => textOf(at(part, "text"))).join("\n");
}

/** Arguments of a call are JSON in a text; a patch may stand in any of them. */
function argumentsText(value: unknown): string {
  const fields = parsed(textOf(value)) ?? {};
  return Object.values(fields).flat().filter((part) => typeof part === "string").join("\n");
}

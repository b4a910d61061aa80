/**
 * From a log to the request that a model is sent.
 * Rule: a record only ever adds to the end of the messages, so each request begins with the one before.
 */
import { WorkFailed } from "../platform/errors.ts";
import type { JsonValue } from "../platform/canonical_json.ts";
import type { Baseline } from "./baseline.ts";
import type { AssistantPart, Fold, SessionRecord, TurnSubject } from "./records.ts";
import { describeImages, type Image } from "./images.ts";
import type { ActionWay } from "./side_records.ts";

/** A message of the conversation, in no provider's format. */
export type Message =
  | { role: "user"; text: string; images?: readonly Image[] }
  | { role: "assistant"; parts: AssistantPart[] }
  | {
    role: "tool";
    call: number;
    tool: string;
    output: string;
    isError: boolean;
    images?: readonly Image[];
  };

/** How a request asks. */
interface Asked {
  /** How the model is asked to act. */
  actions: ActionWay;
  /** What the last message is about; null in plain conversation. */
  about: TurnSubject | null;
}

/** All that a request says. */
export interface ReplayedRequest extends Asked {
  provider: string;
  model: string;
  parameters: { [name: string]: JsonValue };
  cacheKey: string;
  system: string;
  tools: Baseline["tools"];
  messages: readonly Message[];
}

/** The conversation is longer than any model reads; it cannot be sent as it is. */
export class RequestTooLarge extends WorkFailed {}

/**
 * Above this many characters (UTF-16 code units: counting bytes would take as long as reading them) no
 * model takes a request, and the messages are not kept in memory.
 */
const MAX_REQUEST_LENGTH = 64 * 2 ** 20;

/** What stands in place of a reply that never came, so that user and assistant take turns. */
const NO_REPLY: Message = {
  role: "assistant",
  parts: [{ kind: "text", text: "(This turn ended before there was a reply.)" }],
};

/** The request of a conversation, growing with its log. */
export class Replay implements Fold {
  readonly #baseline: Baseline;
  #messages: Message[] = [];
  #length = 0;
  #lastReply: (Asked & { messageCount: number; sizeBytes: number; sha256: string }) | undefined;
  #completions = 0;
  #asked: Asked;
  #isUndecided: boolean;

  constructor(baseline: Baseline) {
    this.#baseline = baseline;
    this.#isUndecided = baseline.model.actions === undefined;
    this.#asked = { actions: baseline.model.actions ?? "native", about: null };
  }

  /** Whether nobody has said how the model is to act: it may show that it needs another way. */
  get isUndecided(): boolean {
    return this.#isUndecided;
  }

  /** How the model is asked to act now. */
  get actions(): ActionWay {
    return this.#asked.actions;
  }

  /** Whether nothing was said in the epoch yet. */
  get isEmpty(): boolean {
    return this.#messages.length === 0;
  }

  /** Whether pictures go along with the next request. */
  get hasImages(): boolean {
    return this.#messages.some((message) =>
      message.role !== "assistant" && message.images !== undefined
    );
  }

  /** How many replies of a model the epoch holds. */
  get completions(): number {
    return this.#completions;
  }

  apply(record: SessionRecord): void {
    if (record.type === "actions") {
      this.#asked = { ...this.#asked, actions: record.way };
      this.#isUndecided = false;
    }
    if (record.type === "user") {
      this.#endTurn();
      this.#asked = { ...this.#asked, about: record.about ?? null };
      const text = record.note === undefined ? record.text : `${record.note}\n\n${record.text}`;
      this.#add({ role: "user", text, ...imagesOf(record) }, text.length + lengthOf(record));
    }
    if (record.type === "aborted") {
      if (record.imagesLeftOut) this.#messages = this.#messages.map(withoutImages);
      this.#endTurn();
    }
    if (record.type === "tool_result") {
      const { call, tool, output, isError } = record;
      const result = { role: "tool", call, tool, output, isError, ...imagesOf(record) } as const;
      this.#add(result, output.length + lengthOf(record));
    }
    if (record.type === "assistant") {
      this.#lastReply = record.request === null ? undefined : {
        ...this.#asked,
        messageCount: this.#messages.length,
        ...record.request,
      };
      this.#completions += 1;
      this.#add({ role: "assistant", parts: record.parts }, lengthOfParts(record.parts));
    }
  }

  #endTurn(): void {
    if (isUnanswered(this.#messages.at(-1))) this.#messages.push(NO_REPLY);
  }

  #add(message: Message, length: number): void {
    this.#length += length;
    if (this.#length > MAX_REQUEST_LENGTH) this.#messages = [];
    this.#messages.push(message);
  }

  /**
   * The request that comes next.
   *
   * @throws {RequestTooLarge} when the messages are over 64 million characters
   */
  request(): ReplayedRequest {
    return this.#requestOf(this.#messages.length);
  }

  /**
   * A request that asks something of one's own at the end of the conversation, which is not recorded. A
   * message that waits for its answer is left out: it is none of the question's.
   *
   * @throws {RequestTooLarge} when the messages are over 64 million characters
   */
  asideRequest(question: string): ReplayedRequest {
    const isWaiting = this.#messages.at(-1)?.role === "user";
    const request = this.#requestOf(this.#messages.length - (isWaiting ? 1 : 0));
    const isMidTurn = isUnanswered(request.messages.at(-1));
    const opening: Message = { role: "user", text: question };
    return {
      ...request,
      messages: [...request.messages, ...(isMidTurn ? [NO_REPLY] : []), opening],
    };
  }

  /**
   * The request that the last recorded reply answers, rebuilt, with the size and hash that were
   * recorded when it was sent. Undefined before the first reply of the epoch's model.
   */
  lastRequest(): { request: ReplayedRequest; sizeBytes: number; sha256: string } | undefined {
    if (this.#lastReply === undefined) return undefined;
    const { messageCount, sizeBytes, sha256, ...asked } = this.#lastReply;
    return { request: this.#requestOf(messageCount, asked), sizeBytes, sha256 };
  }

  #requestOf(messageCount: number, { actions, about } = this.#asked): ReplayedRequest {
    if (this.#length > MAX_REQUEST_LENGTH) {
      throw new RequestTooLarge(
        `session ${this.#baseline.session} holds ${this.#length} characters of conversation, more than any model reads; ` +
          `go on from an earlier turn: m31a session fork ${this.#baseline.session} --turn N`,
      );
    }
    return {
      provider: this.#baseline.model.provider,
      model: this.#baseline.model.name,
      parameters: this.#baseline.model.parameters,
      cacheKey: this.#baseline.cacheKey,
      system: systemText(this.#baseline),
      tools: this.#baseline.tools,
      actions,
      about,
      messages: this.#messages.slice(0, messageCount),
    };
  }
}

interface WithImages {
  images?: readonly Image[] | undefined;
}

function imagesOf({ images }: WithImages): { images?: readonly Image[] } {
  return images === undefined ? {} : { images };
}

function lengthOf({ images = [] }: WithImages): number {
  return images.reduce((length, { data }) => length + data.length, 0);
}

/** A message as it goes on once its pictures were refused: told of in words. */
function withoutImages(message: Message): Message {
  if (message.role === "assistant" || message.images === undefined) return message;
  const { images, ...rest } = message;
  const said = `${describeImages(images)} was not taken by the model, and is left out.`;
  if (rest.role === "user") return { ...rest, text: `${rest.text}\n\n${said}` };
  return { ...rest, output: `${rest.output}\n\n${said}` };
}

function lengthOfParts(parts: readonly AssistantPart[]): number {
  let length = 0;
  for (const part of parts) {
    length += part.kind === "call" ? JSON.stringify(part.input).length : part.text.length;
    if (part.provider !== undefined) length += JSON.stringify(part.provider).length;
  }
  return length;
}

function isUnanswered(last: Message | undefined): boolean {
  return last !== undefined && last.role !== "assistant";
}

/** The request that comes after `records`: the pure form of {@linkcode Replay}. */
export function replay(baseline: Baseline, records: Iterable<SessionRecord>): ReplayedRequest {
  const fold = new Replay(baseline);
  for (const record of records) fold.apply(record);
  return fold.request();
}

/** A request as JSON, the messages last: the form in which one request begins with the one before. */
export function encodeRequest(request: ReplayedRequest): string {
  const { messages, about: _about, ...head } = request;
  return JSON.stringify({ ...head, messages });
}

/** All that the model is told before the first message. */
function systemText(baseline: Baseline): string {
  const sections = [baseline.system, `Today is ${baseline.day}.`];
  if (baseline.repository !== null) sections.push(repositoryText(baseline.repository));
  if (baseline.userAgents !== undefined) {
    sections.push(`# The user's instructions, for all projects\n\n${baseline.userAgents}`);
  }
  if (baseline.agents !== null) {
    sections.push(`# The project's instructions (AGENTS.md)\n\n${baseline.agents}`);
  }
  if (baseline.memory !== null) {
    sections.push(`# What earlier sessions of this project showed\n\n${baseline.memory.text}`);
  }
  if (baseline.summary !== null) {
    sections.push(`# The conversation so far, in summary\n\n${baseline.summary}`);
  }
  return sections.join("\n\n");
}

function repositoryText(repository: NonNullable<Baseline["repository"]>): string {
  const where = repository.branch === null ? "a detached HEAD" : `branch ${repository.branch}`;
  const head = repository.head === null ? "no commit yet" : `commit ${repository.head}`;
  const dirty = repository.dirty.length === 0
    ? "no uncommitted changes"
    : `${repository.dirty.length} files with uncommitted changes`;
  return `When this conversation began, the git repository was on ${where} (${head}) with ${dirty}.`;
}

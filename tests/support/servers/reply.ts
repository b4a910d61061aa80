/** What a scripted model server answers, and how it misbehaves. */

/** Tokens in the words of the port: `input` holds the cached ones too. */
export interface ReplyUsage {
  input: number;
  output: number;
  cacheRead?: number;
  cacheWrite?: number;
  reasoning?: number;
  /** US dollars, as OpenRouter reports them. */
  cost?: number;
}

/** One answer of a {@linkcode ModelServer}. Without misbehaviour: a whole streamed answer. */
export interface Reply {
  text?: string;
  reasoning?: string;
  /** `raw` is sent in place of the input's JSON. */
  calls?: { tool: string; input?: unknown; raw?: string; id?: string }[];
  /** Absent: 10 in, 5 out. `false`: none is reported. */
  usage?: ReplyUsage | false;
  /** The protocol's own word. */
  finish?: string;
  /** Characters a delta, 8 when absent. */
  deltaLength?: number;
  /** The headers besides the usual ones. */
  headers?: { [name: string]: string };

  /** `usage` in the protocol's own words, in place of {@linkcode usage}. */
  rawUsage?: { [name: string]: unknown };

  /** An answer with this status and `body` (JSON when an object) instead of a stream; with `isStalled`, without its end. */
  status?: number;
  body?: unknown;
  /** The connection breaks after this many bytes of the stream. */
  cutAfterBytes?: number;
  /** The stream ends, whole as HTTP, before the event with this number (from 0). */
  endBeforeEvent?: number;
  /** Text deltas without end, until the client leaves. */
  isEndless?: boolean;
  /** Nothing is answered; the connection stays open. */
  isSilent?: boolean;
  /**
   * Nothing more comes after the stream's first event, or before the one that `endBeforeEvent` names; the
   * connection stays open.
   */
  isStalled?: boolean;
  /** The connection is closed without an answer. */
  isDropped?: boolean;
  /** The socket is closed after this answer, although keep-alive was announced. */
  closesAfterwards?: boolean;
  /** An error event instead of the rest, after the first event. */
  errorEvent?: unknown;

  /** The stream as it is written, in place of the events that are made of the rest. */
  wire?: string;
  /** Chat completions: tool call deltas have no `index`. */
  hasNoIndex?: boolean;
  /** Chat completions: how many `[DONE]` are sent, 1 when absent. */
  doneCount?: number;
  /** Chat completions: no event names a reason to stop. */
  hasNoFinish?: boolean;
}

/** `text` in pieces of `length` UTF-16 code units: a piece may end inside a code point. */
export function pieces(text: string, length = 8): string[] {
  const all: string[] = [];
  for (let start = 0; start < text.length; start += length) {
    all.push(text.slice(start, start + length));
  }
  return all;
}

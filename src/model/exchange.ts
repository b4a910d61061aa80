/**
 * One try of a request: the `fetch` that the SDK is given.
 * Rule: what is hashed is what is sent, and what comes back is either an event stream or an error.
 */
import type { Clock } from "../platform/clock.ts";
import { messageOf } from "../platform/errors.ts";
import { networkFetch } from "../platform/network.ts";
import { silenceOf, watchBody } from "./answer_body.ts";
import { ModelError } from "./errors.ts";
import type { Adapter } from "./adapter.ts";
import { parseRefusal, shorten } from "./failure.ts";
import { fieldsOf, newObservation } from "./observation.ts";
import type { SentRequest } from "./port.ts";
import { retryAfterMs } from "./retry_after.ts";
import { Disconnected, Refused } from "./try_again.ts";
import { describeBytes, encodeBody, type RequestBody } from "./wire.ts";

/** What a try needs to know. */
export interface ExchangeSettings {
  clock: Clock;
  signal: AbortSignal;
  idleTimeoutMs: number;
  mayBeginLate: boolean;
  maxWireBytes: number;
  wholeBodyMs: number;
  /** Who answers, for messages: title and host. */
  source: string;
  /** Whether a connection to the server may have been kept from before. */
  mayReuseConnection: boolean;
  /** Headers that the SDK sets and that must not be sent. */
  withoutHeaders: readonly string[];
  /** Turns the SDK's body into the one that is sent. */
  finishBody(body: RequestBody): RequestBody;
  observe: Adapter["observe"];
  eventsOfWhole: Adapter["eventsOfWhole"];
}

const MAX_ERROR_BYTES = 64 * 1024;

/** One try, and what became known of it. */
export class Exchange {
  readonly observation = newObservation();
  #settings: ExchangeSettings;
  #sent: SentRequest | undefined;
  #headers: Headers | undefined;
  #failure: unknown;

  constructor(settings: ExchangeSettings) {
    this.#settings = settings;
  }

  /** The body that was sent; `undefined` before that. */
  get sent(): SentRequest | undefined {
    return this.#sent;
  }

  /** The headers of the answer; `undefined` before they have come. */
  get headers(): Headers | undefined {
    return this.#headers;
  }

  /** What this try failed with, before the SDK wrapped it. */
  get failure(): unknown {
    return this.#failure;
  }

  /** The function to give to the SDK. */
  readonly fetch: typeof fetch = async (input, init) => {
    try {
      return await this.#send(input, init);
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  };

  async #send(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
    const settings = this.#settings;
    const requestBody = settings.finishBody(parseBody(init?.body));
    const bytes = encodeBody(requestBody);
    this.#sent = describeBytes(bytes);
    const headers = new Headers(init?.headers);
    for (const name of settings.withoutHeaders) headers.delete(name);
    const response = await this.#connect(input, { ...init, headers, body: bytes });
    this.#headers = response.headers;
    const stream = isStream(response)
      ? response.body
      : await this.#wholeAnswer(response, requestBody);
    if (stream === null) throw new Disconnected("the answer is empty", false);
    const body = watchBody(stream, {
      ...settings,
      onData: (data) => settings.observe(this.observation, data),
      onFailure: (failure) => this.#failure = failure,
      hasBegun: () => this.observation.isUnderstood,
      isOver: () => this.observation.isOver,
      isComplete: () => this.observation.isComplete,
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }

  async #connect(input: Parameters<typeof fetch>[0], init: RequestInit): Promise<Response> {
    const { signal, idleTimeoutMs, clock, source, mayReuseConnection, mayBeginLate } =
      this.#settings;
    const limitMs = mayBeginLate ? 0 : idleTimeoutMs;
    const silence = new AbortController();
    const answered = new AbortController();
    silenceOf(clock, limitMs, AbortSignal.any([answered.signal, signal]))
      .then(() => silence.abort(), () => {});
    try {
      // Redirects are refused: they would turn POST into GET and carry the key elsewhere.
      return await networkFetch(input, {
        ...init,
        redirect: "manual",
        signal: AbortSignal.any([signal, silence.signal]),
      });
    } catch (error) {
      signal.throwIfAborted();
      if (silence.signal.aborted) {
        throw new ModelError(
          "timeout",
          `${source} did not answer within ${
            Math.round(limitMs / 1000)
          } s. Try again, set [limits] silence_seconds, or choose another model.`,
          { cause: error },
        );
      }
      const text = messageOf(error);
      const isStale = mayReuseConnection && !/\(Connect\)|dns error/i.test(text);
      throw new Disconnected(text, isStale, { cause: error });
    } finally {
      answered.abort();
    }
  }

  /** The events of an answer that came whole. Anything else that is no stream is a refusal. */
  async #wholeAnswer(
    response: Response,
    requestBody: RequestBody,
  ): Promise<ReadableStream<Uint8Array>> {
    const { clock, source, eventsOfWhole, maxWireBytes, idleTimeoutMs } = this.#settings;
    const type = response.headers.get("content-type") ?? "";
    const isAnswer = response.status === 200 && /json/i.test(type);
    const text = isAnswer
      ? await readText(response, {
        ...this.#settings,
        wholeBodyMs: idleTimeoutMs,
        maxBytes: maxWireBytes,
      })
      : await readText(response, { ...this.#settings, maxBytes: MAX_ERROR_BYTES });
    const answer = isAnswer ? fieldsOf(parseJson(text)) : {};
    const events = answer.error === undefined ? eventsOfWhole(answer) : undefined;
    if (events !== undefined) {
      return new Blob([events.map((event) => `data: ${event}\n\n`).join("")]).stream();
    }
    if (response.status === 200 && !/"error"/.test(text)) {
      throw new ModelError(
        "protocol",
        `${source} answered with ${type} instead of an event stream: ${
          shorten(text).slice(0, 80)
        }. Check the base URL.`,
      );
    }
    const location = response.headers.get("location");
    const refusal = parseRefusal(
      location === null ? text : `the address has moved to ${location}`,
      response.status,
    );
    throw new Refused(refusal, retryAfterMs(response.headers, clock.now()), requestBody);
  }
}

/** Whatever is not said to be JSON or a page may be a stream: many servers send none of the right types. */
function isStream(response: Response): boolean {
  const type = response.headers.get("content-type") ?? "";
  return response.status === 200 && (!/json|html/i.test(type) || /ndjson|jsonl|stream/i.test(type));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseBody(body: unknown): RequestBody {
  if (typeof body !== "string") throw new TypeError("the SDK sent a body that is not text");
  return JSON.parse(body);
}

/** The beginning of a body as text; whatever came, when it broke or took too long. */
async function readText(
  response: Response,
  { clock, signal, wholeBodyMs, maxBytes }: ExchangeSettings & { maxBytes: number },
): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder();
  const ended = new AbortController();
  const time = clock.sleep(wholeBodyMs, AbortSignal.any([signal, ended.signal]))
    .then(() => undefined, () => undefined);
  let text = "";
  try {
    while (text.length <= maxBytes) {
      const chunk = await Promise.race([reader.read(), time]);
      if (chunk?.value === undefined) break;
      text += decoder.decode(chunk.value, { stream: true });
    }
  } catch {
    // An error's text that broke off is still better than none.
  } finally {
    ended.abort();
    reader.cancel().catch(() => {});
  }
  return text;
}

/**
 * A model behind HTTP: sends, watches, repeats, and gives back a whole answer or an error.
 * Rule: nothing of a broken answer survives; a request is repeated as it was, byte for byte.
 */
import { APICallError } from "@ai-sdk/provider";
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { sha256Hex } from "../platform/canonical_json.ts";
import type { Clock } from "../platform/clock.ts";
import type { Adapter, Endpoint } from "./adapter.ts";
import { isOnLoopback } from "./base_url.ts";
import { Collector } from "./collector.ts";
import { complaintAbout, sourceOf } from "./complaint.ts";
import { ContextOverflow, ModelError } from "./errors.ts";
import { Exchange } from "./exchange.ts";
import { parseRefusal, shorten } from "./failure.ts";
import { findImageSupport, hasImages, imagesRefused, refusesImages } from "./image_support.ts";
import type { GetJson } from "./probe.ts";
import {
  lossWithout,
  optionalFieldsIn,
  refusedField,
  subsetsOf,
  withoutFields,
} from "./optional_fields.ts";
import type {
  Completion,
  Model,
  ModelCall,
  ModelEvent,
  ModelUsage,
  StreamOptions,
} from "./port.ts";
import { costOf, type ModelFacts, type Price } from "./prices.ts";
import { isOwnServerAt } from "./own_server.ts";
import { backoffMs } from "./retry_after.ts";
import type { HttpLimits } from "./http_limits.ts";
import { Disconnected, Refused } from "./try_again.ts";
import { encodeBody, type RequestBody } from "./wire.ts";

/** How often a dead connection is replaced without counting. */
const MAX_STALE = 3;

/** What a model behind HTTP is made of. */
export interface HttpModelParts {
  endpoint: Endpoint;
  adapter: Adapter;
  clock: Clock;
  /** From 0 to 1, for the spread of waits. */
  random: () => number;
  limits: HttpLimits;
  facts: ModelFacts;
  price: Price | undefined;
  contextWindowTokens: number | undefined;
  get: GetJson;
}

/** Thrown by the `fetch` that only looks. */
class Captured extends Error {}

/** A {@linkcode Model} at an endpoint. */
export class HttpModel implements Model {
  readonly id: { readonly provider: string; readonly name: string };
  #contextWindowTokens: number | undefined;
  readonly #parts: HttpModelParts;
  #takesImages: Promise<boolean | undefined> | undefined;
  #hasAnswered = false;
  /** Optional fields that the server has refused. */
  #leftOut: ReadonlySet<string> = new Set();

  constructor(parts: HttpModelParts) {
    this.#parts = parts;
    this.id = { provider: parts.endpoint.provider, name: parts.endpoint.name };
    this.#contextWindowTokens = parts.contextWindowTokens;
  }

  get contextWindowTokens(): number | undefined {
    return this.#contextWindowTokens;
  }

  get enforcesSchemas(): boolean {
    const { provider, baseUrl } = this.#parts.endpoint;
    return isOwnServerAt(provider, baseUrl);
  }

  takesImages(): Promise<boolean | undefined> {
    const { endpoint, get } = this.#parts;
    return this.#takesImages ??= findImageSupport(endpoint, get);
  }

  async encode(call: ModelCall, sha256?: string): Promise<Uint8Array> {
    const { adapter } = this.#parts;
    let body: RequestBody | undefined;
    const capture: typeof fetch = (_input, init) => {
      body = adapter.finishBody(JSON.parse(String(init?.body)), call);
      return Promise.reject(new Captured());
    };
    try {
      await adapter.languageModel(capture).doStream(adapter.options(call));
    } catch (error) {
      if (body === undefined) throw error;
    }
    if (body === undefined) throw new TypeError("the SDK sent nothing");
    const bytes = encodeBody(withoutFields(body, this.#leftOut));
    if (sha256 === undefined || sha256Hex(bytes) === sha256) return bytes;
    // The server may have refused fields when this was sent: then it was without them, and will be again.
    for (const names of subsetsOf(optionalFieldsIn(body))) {
      const sent = encodeBody(withoutFields(body, names));
      if (sha256Hex(sent) !== sha256) continue;
      this.#leftOut = names;
      return sent;
    }
    return bytes;
  }

  async stream(call: ModelCall, { signal, onEvent }: StreamOptions): Promise<Completion> {
    const { clock, endpoint, limits, random } = this.#parts;
    let retries = 0;
    let stale = 0;
    let isLoading = false;
    for (;;) {
      signal.throwIfAborted();
      let hasShown = false;
      let defect: { error: unknown } | undefined;
      const show = (event: ModelEvent) => {
        hasShown = true;
        try {
          onEvent(event);
        } catch (error) {
          defect = { error };
          throw error;
        }
      };
      try {
        return { ...await this.#try(call, signal, show), retries };
      } catch (failure) {
        signal.throwIfAborted();
        // What the caller's own function throws is no failure of the provider's.
        if (defect !== undefined) throw defect.error;
        if (failure instanceof Refused && hasImages(call) && refusesImages(failure.refusal)) {
          this.#takesImages = Promise.resolve(false);
          throw imagesRefused(sourceOf(endpoint), endpoint.name, failure.refusal);
        }
        const field = this.#refusedField(failure, call);
        if (field !== undefined) {
          this.#leftOut = new Set([...this.#leftOut, field]);
          const text = `${
            sourceOf(endpoint)
          } refuses the field ${field}: it is left out from now on, and ${lossWithout(field)}.`;
          onEvent({ type: "notice", text });
          continue;
        }
        const complaint = await complaintAbout(failure, endpoint, retries + 1);
        const { error } = complaint;
        if (complaint.isLoading && isOnLoopback(endpoint.baseUrl)) {
          if (!isLoading) {
            onEvent({ type: "notice", text: `${sourceOf(endpoint)} is loading the model.` });
          }
          isLoading = true;
          await clock.sleep(limits.firstWaitMs, signal);
          continue;
        }
        if (error instanceof ContextOverflow) {
          this.#contextWindowTokens = error.windowTokens ?? this.#contextWindowTokens;
        }
        if (!complaint.isRetryable) throw error;
        if (complaint.isStale && stale < MAX_STALE) {
          stale++;
          continue;
        }
        const waitMs = complaint.retryAfterMs ?? backoffMs(retries + 1, limits, random());
        if (retries + 1 >= limits.maxTries) throw complaint.error;
        if (waitMs > limits.maxRetryAfterMs) throw tooLongToWait(complaint.error, waitMs);
        retries++;
        if (hasShown) onEvent({ type: "restart" });
        onEvent({ type: "retry", attempt: retries, reason: complaint.reason, waitMs });
        await clock.sleep(waitMs, signal);
      }
    }
  }

  #refusedField(failure: unknown, { parameters }: ModelCall): string | undefined {
    if (!(failure instanceof Refused) || failure.body === undefined) return undefined;
    return refusedField(failure.refusal, failure.body, (name) => name in parameters);
  }

  async #try(
    call: ModelCall,
    signal: AbortSignal,
    onEvent: (event: ModelEvent) => void,
  ): Promise<Omit<Completion, "retries">> {
    const { adapter, clock, endpoint, limits } = this.#parts;
    const broken = new AbortController();
    const exchange = new Exchange({
      clock,
      ...limits,
      mayBeginLate: isOnLoopback(endpoint.baseUrl),
      signal: AbortSignal.any([signal, broken.signal]),
      source: sourceOf(endpoint),
      mayReuseConnection: this.#hasAnswered,
      withoutHeaders: adapter.withoutHeaders,
      finishBody: (body) => withoutFields(adapter.finishBody(body, call), this.#leftOut),
      observe: adapter.observe,
      eventsOfWhole: adapter.eventsOfWhole,
    });
    try {
      const { stream } = await adapter.languageModel(exchange.fetch)
        .doStream({ ...adapter.options(call), abortSignal: signal });
      const collector = new Collector(onEvent);
      await this.#collect(stream, collector, exchange);
      this.#hasAnswered = true;
      const completion = this.#completion(collector, exchange);
      const { corrections } = exchange.observation.usage;
      if (corrections.length > 0) {
        const text = `${sourceOf(endpoint)} reports a usage that cannot be: ${
          corrections.join(", ")
        }.`;
        onEvent({ type: "notice", text });
      }
      return completion;
    } catch (error) {
      throw exchange.failure ?? refusalIn(error) ?? error;
    } finally {
      broken.abort();
    }
  }

  async #collect(
    stream: ReadableStream<LanguageModelV4StreamPart>,
    collector: Collector,
    exchange: Exchange,
  ): Promise<void> {
    const { endpoint, limits } = this.#parts;
    const { observation } = exchange;
    for await (const part of stream) {
      if (observation.refusal !== undefined) throw new Refused(observation.refusal);
      // At its end the SDK complains of a missing reason to stop: judged below.
      if (part.type === "error" && !isMissingFinish(part.error)) throw part.error;
      collector.accept(part);
      if (collector.length > limits.maxAnswerLength) {
        throw new ModelError(
          "too-large",
          `${sourceOf(endpoint)} does not stop answering: ${collector.length} characters so far. ` +
            "The answer was dropped; set maxOutputTokens in [model] parameters, or choose another model.",
        );
      }
    }
    if (observation.refusal !== undefined) throw new Refused(observation.refusal);
    if (!observation.isUnderstood && observation.strange !== undefined) {
      throw new Error(shorten(observation.strange));
    }
    if (!observation.isComplete && !collector.hasFinish) {
      throw new Disconnected("the answer broke off before its end", false);
    }
  }

  #completion(collector: Collector, exchange: Exchange): Omit<Completion, "retries"> {
    const { sent, headers, observation } = exchange;
    if (sent === undefined) throw new TypeError("an answer without a request");
    const content = collector.content();
    return {
      content,
      finish: collector.finish(),
      usage: this.#usage(exchange, JSON.stringify(content)),
      request: sent,
      requestId: headers?.get("request-id") ?? headers?.get("x-request-id") ?? observation.id ??
        `m31a-${crypto.randomUUID()}`,
    };
  }

  #usage({ sent, observation }: Exchange, content: string): ModelUsage {
    const { clock, facts, price } = this.#parts;
    const { tokens: reported, isUnusable } = observation.usage;
    const isReported = reported !== undefined && !isUnusable;
    const tokens = isReported ? reported : {
      input: Math.ceil((sent?.sizeBytes ?? 0) / 4),
      output: Math.ceil(content.length / 4),
      cacheRead: 0,
      cacheWrite: 0,
      ...(reported?.cost !== undefined && { cost: reported.cost }),
    };
    const { cost: _cost, ...counts } = tokens;
    return { ...counts, isReported, ...costOf(tokens, price, facts, clock.now()) };
  }
}

function isMissingFinish(error: unknown): boolean {
  return error instanceof Error && /without a finish reason/.test(error.message);
}

// The Anthropic SDK turns an error event that comes first into an exception with the event's data.
function refusalIn(error: unknown): Refused | undefined {
  if (!APICallError.isInstance(error) || error.responseBody === undefined) return undefined;
  return new Refused(parseRefusal(error.responseBody, error.statusCode));
}

function tooLongToWait(error: ModelError, waitMs: number): ModelError {
  const seconds = Math.ceil(waitMs / 1000);
  return new ModelError(error.kind, `${error.message} The server asks to wait ${seconds} s.`);
}

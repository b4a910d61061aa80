/**
 * Usage of requests, summed so that each request counts once.
 * Rule: a request belongs to the session that sent it; a fork only inherits it.
 */
import type { LedgerEntry } from "./entry.ts";
import type { CostSource, Phase } from "./names.ts";

/** One request to a model, as a session's log has it. Tokens as in the entry; `cost` in US dollars, 0 when unknown. */
export interface RequestUsage {
  /** The provider's id of the request, or another that is the request's alone. */
  id: string;
  /** The session that sent it: for records that a fork copied, the one it was copied from. */
  session: string;
  phase: Phase;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  cost: number;
  source: "reported" | "estimated" | "none";
}

/** What {@linkcode countRequests} gives: parts of a {@linkcode LedgerEntry}. */
export interface CountedRequests {
  usage: LedgerEntry["usage"];
  inherited: LedgerEntry["inherited"];
  /** Of the session's own requests; the phases' milliseconds come from elsewhere. */
  phases: Map<Phase, { requests: number; tokens: number; cost: number }>;
}

/**
 * Sums the requests of a session's log by request id: an id that comes twice (a record copied or
 * replayed) counts the first time. Requests that another session sent go to `inherited`.
 *
 * @param requests in log order; of a second attempt, its own requests are those since the first one's entry
 * @param session the id of the session whose entry is written
 *
 * @example
 * ```ts
 * import { countRequests } from "./usage.ts";
 * import assert from "node:assert/strict";
 *
 * const request = { id: "r1", session: "20261129-231205-a1b2", phase: "plan", input: 10, output: 2,
 *   cacheRead: 0, cacheWrite: 0, cost: 0.01, source: "reported" } as const;
 * const { usage } = countRequests([request, request], "20261129-231205-a1b2");
 * assert.equal(usage.requests, 1);
 * assert.equal(usage.input, 10);
 * ```
 */
export function countRequests(
  requests: readonly RequestUsage[],
  session: string,
): CountedRequests {
  const seen = new Set<string>();
  const sums = new Map<string, LedgerEntry["inherited"][number]>();
  const phases: CountedRequests["phases"] = new Map();
  const sources = new Set<CostSource>();
  for (const request of requests) {
    if (seen.has(request.id)) continue;
    seen.add(request.id);
    const sum = sums.get(request.session) ?? nothing(request.session);
    sums.set(request.session, sum);
    addRequest(sum, request);
    if (request.session !== session) continue;
    sources.add(request.source);
    const phase = phases.get(request.phase) ?? { requests: 0, tokens: 0, cost: 0 };
    phases.set(request.phase, phase);
    phase.requests++;
    phase.tokens += request.input + request.output;
    phase.cost += request.cost;
  }
  const { session: _, ...own } = sums.get(session) ?? nothing(session);
  sums.delete(session);
  return { usage: { ...own, source: sourceOf(sources) }, inherited: [...sums.values()], phases };
}

function nothing(session: string): LedgerEntry["inherited"][number] {
  return { session, requests: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0 };
}

function addRequest(sum: LedgerEntry["inherited"][number], request: RequestUsage): void {
  sum.requests++;
  sum.input += request.input;
  sum.output += request.output;
  sum.cacheRead += request.cacheRead;
  sum.cacheWrite += request.cacheWrite;
  sum.cost += request.cost;
}

function sourceOf(sources: ReadonlySet<CostSource>): CostSource {
  // Of a sum that is reported in part and estimated in part all is known, as an estimate.
  if (sources.size > 1) return sources.has("none") ? "mixed" : "estimated";
  const [only] = sources;
  return only ?? "none";
}

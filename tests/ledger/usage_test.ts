/** Requests count once. */
import assert from "node:assert/strict";
import { countRequests, type RequestUsage } from "../../src/ledger/usage.ts";

const PARENT = "20261129-100000-0001";
const FORK = "20261129-110000-0002";

function request(id: string, session: string, changes: Partial<RequestUsage> = {}): RequestUsage {
  return {
    id,
    session,
    phase: "execute",
    input: 100,
    output: 10,
    cacheRead: 60,
    cacheWrite: 5,
    cost: 0.5,
    source: "reported",
    ...changes,
  };
}

Deno.test("countRequests() counts a request id once", () => {
  const { usage } = countRequests([request("a", FORK), request("a", FORK)], FORK);
  assert.deepEqual(usage, {
    requests: 1,
    input: 100,
    output: 10,
    cacheRead: 60,
    cacheWrite: 5,
    cost: 0.5,
    source: "reported",
  });
});

Deno.test("countRequests() keeps what a fork inherited apart from what it sent", () => {
  const counted = countRequests([
    request("a", PARENT),
    request("b", PARENT),
    request("c", FORK, { phase: "plan" }),
  ], FORK);
  assert.equal(counted.usage.requests, 1);
  assert.deepEqual(counted.inherited.map((item) => [item.session, item.requests, item.input]), [
    [PARENT, 2, 200],
  ]);
  assert.deepEqual([...counted.phases], [["plan", { requests: 1, tokens: 110, cost: 0.5 }]]);
});

Deno.test("countRequests() says when costs are partly estimated, and when they are partly unknown", () => {
  const counted = countRequests(
    [request("a", FORK), request("b", FORK, { source: "estimated" })],
    FORK,
  );
  assert.equal(counted.usage.source, "estimated");
  const unknown = [request("a", FORK), request("b", FORK, { source: "none", cost: 0 })];
  assert.equal(countRequests(unknown, FORK).usage.source, "mixed");
  assert.equal(countRequests([], FORK).usage.source, "none");
});

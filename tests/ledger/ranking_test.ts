/** Which past sessions bear on a goal. */
import assert from "node:assert/strict";
import { type PastSession, SessionRanking } from "../../src/ledger/ranking.ts";

function ranking(sessions: Partial<PastSession>[]): SessionRanking {
  const index = new SessionRanking();
  sessions.forEach((session, n) =>
    index.add({ session: String(n), goal: "", files: [], labels: [], ...session })
  );
  return index;
}

function order(index: SessionRanking, goal: string, count = 5): string[] {
  return index.rank(goal, count).map((picked) => picked.session);
}

Deno.test("rank() gives nothing where there is no past", () => {
  assert.deepEqual(order(ranking([]), "anything"), []);
});

Deno.test("rank() puts the session with the goal's rare words first, however old", () => {
  const others = Array.from({ length: 100 }, (_, n) => ({ goal: `Tidy part ${n}` }));
  const index = ranking([{ goal: "Escape tabs in numstat names" }, ...others]);
  assert.equal(order(index, "numstat drops names with tabs")[0], "0");
});

Deno.test("rank() finds a session by the paths it changed", () => {
  const index = ranking([{ goal: "Tidy", files: ["src/git/numstat.ts"] }, { goal: "Fix login" }]);
  assert.equal(order(index, "parseNumstat() fails")[0], "0");
});

Deno.test("rank() prefers the newer of two that are alike", () => {
  const index = ranking([{ goal: "Fix login" }, { goal: "Fix login" }]);
  assert.deepEqual(order(index, "Fix login"), ["1", "0"]);
});

Deno.test("rank() covers other files rather than the same file again", () => {
  const cart = { goal: "Fix cart total", files: ["src/cart.ts"] };
  const index = ranking([
    { goal: "Fix cart total rounding", files: ["src/money.ts"] },
    ...[cart, cart, cart],
  ]);
  assert.deepEqual(order(index, "Fix cart total", 2), ["3", "0"]);
});

Deno.test("rank() does not go by files that almost every session changes", () => {
  const chores = Array.from(
    { length: 60 },
    (_, n) => ({ goal: `Chore ${n}`, files: ["CHANGELOG.md"] }),
  );
  const index = ranking([
    { goal: "Sort the menu", files: ["src/menu.ts", "CHANGELOG.md"] },
    { goal: "Menu keys", files: ["src/keys.ts"] },
    ...chores,
  ]);
  assert.deepEqual(order(index, "menu", 2).toSorted(), ["0", "1"]);
});

Deno.test("rank() finds a session by the cause of its failure", () => {
  const index = ranking([{ goal: "A", labels: ["missing_dependency"] }, { goal: "B" }]);
  assert.equal(order(index, "Why is a dependency missing?")[0], "0");
});

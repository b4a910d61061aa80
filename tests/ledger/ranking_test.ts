/** Which past work bears on a goal, and which files it names. */
import assert from "node:assert/strict";
import { indexPast, type PastWork } from "../../src/ledger/past/past_index.ts";
import { MAX_LIKELY_FILES, type RankingRequest, rankPast } from "../../src/ledger/ranking.ts";

type Ranking = Pick<RankingRequest, "segments">;

function ranking(...parts: Partial<PastWork>[][]): Ranking {
  let seconds = 0;
  const segments = parts.map((works) => {
    const first = seconds;
    const index = indexPast(works.map((work, n) => {
      seconds = work.seconds ?? first + n;
      return { payload: String(first + n), goal: "", files: [], seconds, ...work };
    }));
    seconds += 1;
    return { index, weight: 1 };
  });
  return { segments };
}

function order({ segments }: Ranking, goal: string, count = 5): string[] {
  return rankPast({ goal, segments, count }).works
    .map(({ segment, work }) => segments[segment]?.index.payload(work) ?? "");
}

function files(past: Ranking, goal: string, more: Partial<RankingRequest> = {}): string[] {
  return rankPast({ goal, count: 5, ...past, ...more }).files.map(({ path }) => path);
}

Deno.test("rankPast() gives nothing where there is no past", () => {
  assert.deepEqual(order(ranking([]), "anything"), []);
});

Deno.test("rankPast() puts the session with the goal's rare words first, however old", () => {
  const others = Array.from({ length: 100 }, (_, n) => ({ goal: `Tidy part ${n}` }));
  const index = ranking([{ goal: "Escape tabs in numstat names" }, ...others]);
  assert.equal(order(index, "numstat drops names with tabs")[0], "0");
});

Deno.test("rankPast() finds a session by the paths it changed", () => {
  const index = ranking([{ goal: "Tidy", files: ["src/git/numstat.ts"] }, { goal: "Fix login" }]);
  assert.equal(order(index, "parseNumstat() fails")[0], "0");
});

Deno.test("rankPast() prefers the newer of two that are alike", () => {
  const index = ranking([{ goal: "Fix login" }, { goal: "Fix login" }]);
  assert.deepEqual(order(index, "Fix login"), ["1", "0"]);
});

Deno.test("rankPast() covers other files rather than the same file again", () => {
  const cart = { goal: "Fix cart total", files: ["src/cart.ts"] };
  const index = ranking([
    { goal: "Fix cart total rounding", files: ["src/money.ts"] },
    ...[cart, cart, cart],
  ]);
  assert.deepEqual(order(index, "Fix cart total", 2), ["3", "0"]);
});

Deno.test("rankPast() does not go by files that almost every session changes", () => {
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

Deno.test("rankPast() finds a session by the cause of its failure", () => {
  const index = ranking([{ goal: "A missing_dependency" }, { goal: "B" }]);
  assert.equal(order(index, "Why is a dependency missing?")[0], "0");
});

Deno.test("rankPast() ranks the works of two segments as one history", () => {
  const works = Array.from({ length: 60 }, (_, n) => ({
    goal: n % 7 === 0 ? `Fix login ${n}` : `Tidy the cart, part ${n}`,
    files: [n % 7 === 0 ? "src/login.ts" : `src/cart_${n % 5}.ts`],
  }));
  const whole = ranking(works);
  const parts = ranking(works.slice(0, 40), works.slice(40));
  assert.deepEqual(order(parts, "login fails", 10), order(whole, "login fails", 10));
  assert.deepEqual(files(parts, "login fails"), files(whole, "login fails"));
});

Deno.test("rankPast() counts a segment's works by its weight where they match alike", () => {
  const commit = indexPast([{ payload: "commit", goal: "Fix login", files: [], seconds: 5 }]);
  const session = indexPast([{ payload: "session", goal: "Fix login", files: [], seconds: 5 }]);
  const segments = [{ index: commit, weight: 1 }, { index: session, weight: 1.25 }];
  assert.deepEqual(order({ segments }, "login"), ["session", "commit"]);
});

Deno.test("rankPast() leaves out what another work tells of", () => {
  const past = ranking([{ goal: "Fix login" }, { goal: "Fix login" }]);
  const isDoubled = ({ work }: { work: number }) => work === 1;
  const { works } = rankPast({ goal: "login", count: 5, isDoubled, ...past });
  assert.deepEqual(works.map(({ work }) => work), [0]);
});

Deno.test("rankPast() tells works that share a rare word with the goal from those that are only recent", () => {
  const chores = Array.from({ length: 60 }, (_, n) => ({ goal: `Fix chore ${n}` }));
  const past = ranking([{ goal: "Fix login" }, ...chores]);
  const { works } = rankPast({ goal: "fix login", count: 3, ...past });
  assert.deepEqual(works.map(({ work, isRelevant }) => [work === 0, isRelevant]), [
    [true, true],
    [false, false],
    [false, false],
  ]);
});

Deno.test("rankPast() names the files of the works that match, the likeliest first", () => {
  const past = ranking([
    { goal: "Fix login", files: ["src/login.ts", "tests/login_test.ts"] },
    { goal: "Login by mail", files: ["src/login.ts"] },
    { goal: "Draw the menu", files: ["src/menu.ts"] },
  ]);
  assert.equal(files(past, "login fails")[0], "src/login.ts");
});

Deno.test("rankPast() names a file for the goal's words in its path", () => {
  const past = ranking([
    { goal: "Begin", files: ["src/parse_numstat.ts", "src/menu.ts", "src/cart.ts"] },
  ]);
  assert.equal(files(past, "numstat drops names")[0], "src/parse_numstat.ts");
});

Deno.test("rankPast() names few files for a clear goal and at most MAX_LIKELY_FILES for a vague one", () => {
  const works = Array.from({ length: 200 }, (_, n) => ({ goal: "Tidy", files: [`src/${n}.ts`] }));
  const past = ranking([...works, { goal: "Escape tabs in numstat", files: ["src/git.ts"] }]);
  assert.ok(files(past, "numstat tabs").length < MAX_LIKELY_FILES);
  assert.equal(files(past, "tidy").length, MAX_LIKELY_FILES);
});

Deno.test("rankPast() names files by what they are called now, and none that is gone", () => {
  const past = ranking([{ goal: "Fix login", files: ["old/login.ts", "src/gone.ts"] }]);
  const nameNow = (path: string) => path === "old/login.ts" ? "src/login.ts" : path;
  const exists = (path: string) => path !== "src/gone.ts";
  assert.deepEqual(files(past, "login", { nameNow, exists }), ["src/login.ts"]);
});

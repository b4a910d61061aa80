/** Ledger entries for tests: one by hand, and arbitrary ones for properties. */
import fc from "fast-check";
import { type LedgerEntry, MAX_FILES } from "../../src/ledger/entry.ts";
import { CAUSES, COST_SOURCES, OUTCOMES, PHASES } from "../../src/ledger/names.ts";

type EntryOfVersion2 = Extract<LedgerEntry, { version: 2 }>;

/** An id of an entry: equal sessions and attempts have equal ones, as for entries that are told twice. */
function idOf(session: string, attempt: number): string {
  const digits = session.replaceAll("-", "").padEnd(18, "0");
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(12, 15)}-8${
    digits.slice(15, 18)
  }-${String(attempt).padStart(12, "0")}`;
}

/** An entry as version 1 has it. */
export function oldEntry(entry: LedgerEntry): LedgerEntry {
  const { memory, outcome } = entry;
  return {
    ...entry,
    version: 1,
    id: null,
    author: null,
    agent: "m31a",
    proved: null,
    outcome: outcome === "unknown" ? "abandoned" : outcome,
    memory: { ...memory, commits: [] },
  };
}

/** An entry in which every field holds something, with `changes` over it. */
export function sampleEntry(changes: Partial<EntryOfVersion2> = {}): EntryOfVersion2 {
  return {
    version: 2,
    id: idOf(changes.session ?? "20261129-231205-a1b2", changes.attempt ?? 1),
    session: "20261129-231205-a1b2",
    attempt: 1,
    author: "git:0123456789ab",
    agent: "m31a",
    outcome: "shipped",
    project: { name: "shop", type: "deno", framework: null },
    model: "anthropic:sonnet",
    started: "2026-11-29T23:12:05.000Z",
    ended: "2026-11-29T23:40:00.250Z",
    workingMs: 600_000,
    usage: {
      requests: 12,
      input: 40_000,
      output: 3_000,
      cacheRead: 30_000,
      cacheWrite: 2_000,
      cost: 0.25,
      source: "reported",
    },
    inherited: [],
    tasks: { total: 3, done: 2, failed: 1, skipped: 0 },
    heals: 2,
    phases: {
      plan: { ms: 60_000, requests: 2, tokens: 8_000, cost: 0.05 },
      execute: { ms: 540_000, requests: 10, tokens: 35_000, cost: 0.2 },
    },
    extensions: { ".md": 1, ".ts": 4 },
    memory: { blocks: ["20261101-080000-0001"], commits: ["a".repeat(40)], tokens: 300 },
    failures: [
      { cause: "test_failure", heals: 2, healed: false, task: "t3", detail: 'expected "1"\ngot 2' },
    ],
    checks: [{ name: "test", passed: true, ms: 1_200 }],
    diff: {
      added: 1,
      modified: 4,
      deleted: 0,
      renamed: 0,
      binary: 0,
      insertions: 80,
      deletions: 12,
    },
    files: ["README.md", "src/cart.ts"],
    base: "0123456789abcdef0123456789abcdef01234567",
    commit: "89abcdef0123456789abcdef0123456789abcdef",
    goal: "Let the cart | remember\nits items",
    proved: { tree: "d".repeat(40), why: "" },
    ...changes,
  };
}

const count = fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 2_000_000_000 }));
const cost = fc.oneof(fc.constant(0), fc.nat({ max: 9_999_999 }).map((value) => value / 1e5));
const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom('"\\"', "a\nb", "\u2028|`→", "## Session x", "\u0000"),
).map((value) => value.toWellFormed());
const name = text.filter((value) => value !== "");
const session = fc.record({ second: fc.nat({ max: 59 }), suffix: fc.nat({ max: 40 }) }).map((
  { second, suffix },
) => `20260708-1234${String(second).padStart(2, "0")}-${suffix.toString(16).padStart(4, "0")}`);
const instant = fc.date({
  min: new Date("2024-12-01T00:00:00Z"),
  max: new Date("2027-02-01T00:00:00Z"),
  noInvalidDate: true,
}).map((date) => date.toISOString());
const tokens = {
  requests: count,
  input: count,
  output: count,
  cacheRead: count,
  cacheWrite: count,
  cost,
};

/** Any entry, of either version; sessions come from a few thousand, so that keys and parents of forks repeat. */
const arbitraryOfVersion2: fc.Arbitrary<EntryOfVersion2> = fc.record({
  version: fc.constant(2 as const),
  session,
  attempt: fc.integer({ min: 1, max: 2 }),
  author: fc.option(fc.oneof(fc.constantFrom("ada", "git:0123456789ab", 'a"b'), name)),
  agent: fc.constantFrom("m31a", "claude-code"),
  outcome: fc.constantFrom(...OUTCOMES),
  project: fc.record({
    name: fc.constantFrom("shop", "späti", "a\nb"),
    type: fc.constantFrom("deno", "node"),
    framework: fc.option(text),
  }),
  model: fc.oneof(fc.constantFrom("anthropic:sonnet", "ollama:qwen3", 'a"b'), text),
  started: instant,
  ended: instant,
  workingMs: count,
  usage: fc.record({ ...tokens, source: fc.constantFrom(...COST_SOURCES) }),
  inherited: fc.array(fc.record({ session, ...tokens }), { maxLength: 2 }),
  tasks: fc.record({ total: count, done: count, failed: count, skipped: count }),
  heals: count,
  phases: fc.dictionary(
    fc.constantFrom(...PHASES),
    fc.record({ ms: count, requests: count, tokens: count, cost }),
    { noNullPrototype: true },
  ),
  extensions: fc.dictionary(
    fc.oneof(
      fc.constantFrom(".ts", ".md", ""),
      text.map((value) => `.${value.replaceAll("/", "")}x`),
    ),
    count,
    {
      noNullPrototype: true,
      maxKeys: 4,
    },
  ),
  memory: fc.record({
    blocks: fc.array(session, { maxLength: 2 }),
    commits: fc.array(fc.constant("b".repeat(40)), { maxLength: 1 }),
    tokens: count,
  }),
  failures: fc.array(
    fc.record({
      cause: fc.constantFrom(...CAUSES),
      heals: fc.nat({ max: 2 }),
      healed: fc.boolean(),
      task: text,
      detail: text,
    }),
    { maxLength: 3 },
  ),
  checks: fc.array(fc.record({ name: text, passed: fc.boolean(), ms: count }), { maxLength: 2 }),
  diff: fc.record({
    added: count,
    modified: count,
    deleted: count,
    renamed: count,
    binary: count,
    insertions: count,
    deletions: count,
  }),
  files: fc.array(text, { maxLength: 4 }).map((files) => files.toSorted().slice(0, MAX_FILES)),
  base: fc.option(fc.constant("0123456789abcdef0123456789abcdef01234567")),
  commit: fc.constant(null),
  goal: text,
  proved: fc.option(fc.record({ tree: fc.option(fc.constant("e".repeat(40))), why: text })),
}).map((entry) => ({ ...entry, id: idOf(entry.session, entry.attempt) }));

/** One m31a writes an attempt's entry, so that a key is of one version: every other id is old. */
export const arbitraryEntry: fc.Arbitrary<LedgerEntry> = arbitraryOfVersion2.map((entry) =>
  isOld(entry) ? oldEntry(entry) : entry
);

function isOld({ session, attempt }: EntryOfVersion2): boolean {
  return (Number.parseInt(session.slice(-4), 16) + attempt) % 2 === 0;
}

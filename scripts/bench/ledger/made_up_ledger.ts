/**
 * Ledgers of any size, made up but of the size and shape of real ones (about 2 KB an entry), for measurements.
 * Rule: the same count gives the same bytes.
 */
import { writeAllSync } from "../../../src/platform/files.ts";
import { encodeEntry, type LedgerEntry } from "../../../src/ledger/entry.ts";
import { CAUSES, PHASES } from "../../../src/ledger/names.ts";

const MODELS = [
  "anthropic:claude-sonnet-4-5",
  "anthropic:claude-opus-4-1",
  "openai:gpt-5",
  "ollama:qwen3-coder",
  "openrouter:deepseek-v3",
];
const ENDS = ["shipped", "failed", "abandoned"] as const;
const AUTHORS = ["git:a1b2c3d4e5f6", "git:0f1e2d3c4b5a", "ada"];
const WORDS =
  "fix add parser cart login token cache error test page menu style build index session render"
    .split(" ");
const TWO_YEARS_MS = 2 * 365 * 86_400_000;

/** Numbers from 0 up to, not including, `below`: Tommy Ettinger's mulberry32. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor(((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32 * below);
  };
}

/** The entry number `index` of a ledger of `count` entries that spans two years. */
export function madeUpEntry(index: number, count: number): Extract<LedgerEntry, { version: 2 }> {
  const below = generator(Math.imul(index + 1, 0x9e3779b1));
  const hex = (digits: number) =>
    Array.from({ length: digits }, () => below(16).toString(16)).join("");
  const words = (n: number) =>
    Array.from({ length: n }, () => WORDS[below(WORDS.length)]).join(" ");
  const started = new Date(Date.UTC(2025, 0, 1) + Math.floor(index * TWO_YEARS_MS / count));
  const workingMs = 60_000 + below(3_000_000);
  const at = started.toISOString();
  const session = `${at.slice(0, 10).replaceAll("-", "")}-${at.slice(11, 19).replaceAll(":", "")}-`;
  const outcome = below(4) < 3 ? "shipped" : ENDS[below(ENDS.length)] ?? "failed";
  const phases = PHASES.slice(0, 6).map((name) => [name, {
    ms: below(workingMs / 4),
    requests: below(10),
    tokens: below(100_000),
    cost: below(300_000) / 1e6,
  }]);
  return {
    version: 2,
    id: `${index.toString(16).padStart(8, "0")}-0000-4000-8000-${
      count.toString(16).padStart(12, "0")
    }`,
    session: session + index.toString(16).padStart(4, "0").slice(-4),
    attempt: 1,
    author: AUTHORS[index % 4] ?? null,
    agent: "m31a",
    outcome,
    project: {
      name: ["shop", "site", "api", "tool"][below(4)] ?? "",
      type: "deno",
      framework: null,
    },
    model: MODELS[below(MODELS.length)] ?? "",
    started: at,
    ended: new Date(started.getTime() + workingMs + below(1_000_000)).toISOString(),
    workingMs,
    usage: {
      requests: 5 + below(60),
      input: 10_000 + below(900_000),
      output: 500 + below(40_000),
      cacheRead: below(600_000),
      cacheWrite: below(50_000),
      cost: below(3_000_000) / 1e6,
      source: "reported",
    },
    inherited: [],
    tasks: { total: 1 + below(8), done: below(5), failed: below(2), skipped: 0 },
    heals: below(4),
    phases: Object.fromEntries(phases),
    extensions: {
      ".md": 1 + below(3),
      ".ts": 1 + below(12),
      ...(below(3) === 0 ? { ".css": 2 } : {}),
    },
    memory: {
      blocks: below(5) < 3 ? ["20250101-000000-0001"] : [],
      commits: [],
      tokens: below(2_000),
    },
    failures: Array.from({ length: below(5) < 2 ? 1 + below(2) : 0 }, () => ({
      cause: CAUSES[below(CAUSES.length)] ?? "unknown",
      heals: below(3),
      healed: below(5) < 3,
      task: `t${below(9)}`,
      detail: `src/${words(1)}.ts:12:5 expected "a"\nbut got ${words(12)}`,
    })),
    checks: [
      { name: "test", passed: true, ms: below(60_000) },
      { name: "lint", passed: below(9) > 0, ms: below(9_000) },
    ],
    diff: {
      added: below(5),
      modified: below(12),
      deleted: below(2),
      renamed: 0,
      binary: 0,
      insertions: below(800),
      deletions: below(300),
    },
    files: Array.from({ length: 4 + below(6) }, () => `src/${words(1)}/${words(1)}.ts`),
    base: hex(40),
    commit: hex(40),
    goal: words(9),
    proved: null,
  };
}

/** Writes a ledger of `count` entries to `path`. */
export function writeMadeUpLedger(path: string, count: number): void {
  const file = Deno.openSync(path, { write: true, create: true, truncate: true });
  const encoder = new TextEncoder();
  try {
    let lines: string[] = [];
    for (let index = 0; index < count; index++) {
      lines.push(`${encodeEntry(madeUpEntry(index, count))}\n`);
      if (lines.length < 1_000 && index + 1 < count) continue;
      writeAllSync(file, encoder.encode(lines.join("")));
      lines = [];
    }
  } finally {
    file.close();
  }
}

/** Appends lines to a file. */
export function appendLines(path: string, lines: readonly string[]): void {
  Deno.writeTextFileSync(path, lines.map((line) => `${line}\n`).join(""), { append: true });
}

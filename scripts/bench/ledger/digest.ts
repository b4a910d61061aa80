/**
 * Measures the memory digest over histories of repositories, beside simpler ways.
 * Usage: deno run --allow-read=FOLDER scripts/bench/ledger/digest.ts FOLDER, where FOLDER holds files
 * NAME.jsonl with a line {date, goal, files} a commit, oldest first.
 *
 * A commit of a history's second half is asked with its goal alone. What is given are five earlier commits and
 * the files that are named. Measured are hit@5 (one of the five changed a file that this commit changes),
 * hit (a file named is one that it changes), how many files were named, which share of them it changes
 * (precision), which share of those it changes were named (recall), and the tokens of it all.
 * Files of over 5 % of all commits do not count, and commits without any earlier one that could be a hit are left out.
 */
import { basename, join } from "@std/path";
import { digest, estimateTokens } from "../../../src/ledger/digest.ts";
import { scoreBm25 } from "../../../src/ledger/bm25.ts";
import { CommitWorks, noteOf, type PastCommit } from "../../../src/ledger/past/commits.ts";
import { NO_COMMITS } from "../../../src/ledger/past/known_commits.ts";
import { indexPast, type PastIndex } from "../../../src/ledger/past/past_index.ts";
import { changedTogether } from "../../../src/ledger/together.ts";
import { wordsOf } from "../../../src/ledger/words.ts";

interface Commit {
  date: string;
  goal: string;
  files: string[];
}

/** What was given for a goal. */
interface Given {
  /** Numbers of commits, at most five. */
  commits: number[];
  files: string[];
  tokens: number;
}

/** The history before a commit. */
interface Past {
  history: readonly Commit[];
  segments: readonly PastIndex[];
  /** How many commits there are. */
  count: number;
}

type Way = (past: Past, goal: string) => Given;

/** How many files of a commit a list of commits names. */
const FILES_OF_COMMIT = 12;
const FIVE = 5;

function listed({ history }: Past, commits: number[], limit = commits.length): Given {
  const chosen = commits.map((number) => history[number]);
  const lines = chosen.map((commit) =>
    `- ${commit?.goal}\n  Changed: ${commit?.files.slice(0, FILES_OF_COMMIT).join(", ")}\n`
  );
  return {
    commits: commits.slice(0, limit),
    files: [
      ...new Set(chosen.flatMap((commit) => commit?.files.slice(0, FILES_OF_COMMIT) ?? [])),
    ],
    tokens: estimateTokens(lines.join("")),
  };
}

const last = (count: number): Way => (past) =>
  listed(past, Array.from({ length: count }, (_, back) => past.count - 1 - back), count);

function closest({ segments, count }: Past, goal: string): number[] {
  const parts = segments.map(({ size }) => new Float64Array(size));
  scoreBm25(segments.map(({ goals }) => goals), wordsOf(goal), parts);
  const scores = Float64Array.from(parts.flatMap((part) => [...part]));
  return Array.from({ length: count }, (_, number) => number)
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || b - a).slice(0, FIVE);
}

const bm25: Way = (past, goal) => listed(past, closest(past, goal));

/** The files of the closest commit, and those that changed together with them. */
const coChange: Way = (past, goal) => {
  const [first = 0] = closest(past, goal);
  const files = past.history[first]?.files ?? [];
  const others = files.flatMap((path) => changedTogether(past.segments, path, (name) => name));
  const named = [...new Set([...files, ...others.map(({ path }) => path)])]
    .slice(0, FIVE * FILES_OF_COMMIT);
  return { commits: [first], files: named, tokens: estimateTokens(named.join(", ")) };
};

/** The digest itself, in the tokens that BM25's five commits take, or in those of a session. */
const digested = (budgetOf: Way | undefined): Way => (past, goal) => {
  const { segments, count } = past;
  const first = segments[0]?.size ?? 0;
  const note = (segment: number, work: number) => noteOf(segments[segment]?.payload(work) ?? "");
  const budgetTokens = budgetOf?.(past, goal).tokens ?? 2_000;
  const commits = { ...NO_COMMITS, segments, note, count };
  const given = digest({ goal, blocks: [], entries: [], commits, budgetTokens });
  const numbers = given.commits.slice(0, FIVE).map((id) => parseInt(id, 16));
  if (first > count) throw new Error("a segment is longer than the history");
  return { commits: numbers, files: given.files, tokens: given.tokens };
};

const COLUMNS = ["hit@5", "hit", "files", "precision", "recall", "tokens"] as const;

/** After so many commits the index of the older ones is built again. */
const REBUILD_EVERY = 200;

function measure(history: readonly Commit[], way: Way): number[] {
  const changes = new Map<string, number>();
  for (const file of history.flatMap(({ files }) => files)) {
    changes.set(file, (changes.get(file) ?? 0) + 1);
  }
  const counts = (file: string) => (changes.get(file) ?? 0) <= 0.05 * history.length;
  const seen = new Set<string>();
  const sums = COLUMNS.map(() => 0);
  let asked = 0;
  let older = { index: indexOf(history, 0, 0), end: 0 };
  history.forEach((commit, number) => {
    const targets = new Set(commit.files.filter(counts));
    if (number >= history.length / 2 && [...targets].some((file) => seen.has(file))) {
      if (number - older.end > REBUILD_EVERY) {
        older = { index: indexOf(history, 0, number), end: number };
      }
      const segments = [older.index, indexOf(history, older.end, number)];
      const given = way({ history, segments, count: number }, commit.goal);
      const touches = (file: string) => targets.has(file);
      const found = given.files.filter(touches).length;
      const values = [
        given.commits.some((choice) => history[choice]?.files.some(touches)) ? 1 : 0,
        found > 0 ? 1 : 0,
        given.files.length,
        found / Math.max(1, given.files.length),
        found / targets.size,
        given.tokens,
      ];
      values.forEach((value, column) => sums[column] = (sums[column] ?? 0) + value);
      asked++;
    }
    for (const file of targets) seen.add(file);
  });
  return sums.map((sum) => sum / asked);
}

function indexOf(history: readonly Commit[], from: number, to: number): PastIndex {
  const works = new CommitWorks();
  for (let number = to - 1; number >= from; number--) {
    const { goal, files } = history[number] ?? { goal: "", files: [] };
    const commit: PastCommit = {
      id: number.toString(16).padStart(40, "0"),
      // Their order is known, not their times.
      seconds: number,
      subject: goal,
      files,
      renames: [],
    };
    works.add(commit);
  }
  return indexPast(works.oldestFirst());
}

const folder = Deno.args[0];
if (folder === undefined) {
  console.error("usage: deno run --allow-read=FOLDER scripts/bench/ledger/digest.ts FOLDER");
  Deno.exit(2);
}
const WAYS: [string, Way][] = [
  ["the last 5", last(5)],
  ["the last 20", last(20)],
  ["5 by BM25 over goals", bm25],
  ["co-change alone", coChange],
  ["the digest in BM25's tokens", digested(bm25)],
  ["the digest of a session", digested(undefined)],
];
const names = [...Deno.readDirSync(folder)].map((file) => file.name)
  .filter((name) => name.endsWith(".jsonl")).sort();
const histories = names.map((name): Commit[] =>
  Deno.readTextFileSync(join(folder, name)).trim().split("\n").map((line) => JSON.parse(line))
);
console.log(`| history | what is given | ${COLUMNS.join(" | ")} |`);
console.log(`|---|---|${"---|".repeat(COLUMNS.length)}`);
const formatted = (values: number[]) =>
  values.map((value, column) =>
    COLUMNS[column] === "files" || COLUMNS[column] === "tokens"
      ? value.toFixed(1)
      : value.toFixed(3)
  ).join(" | ");
const reached = WAYS.map(([, way]) => histories.map((history) => measure(history, way)));
names.forEach((name, history) =>
  WAYS.forEach(([title], way) =>
    console.log(
      `| ${basename(name, ".jsonl")} | ${title} | ${formatted(reached[way]?.[history] ?? [])} |`,
    )
  )
);
WAYS.forEach(([title], way) => {
  const mean = COLUMNS.map((_, column) =>
    (reached[way] ?? []).reduce((sum, values) => sum + (values[column] ?? 0), 0) / names.length
  );
  console.log(`| average | ${title} | ${formatted(mean)} |`);
});

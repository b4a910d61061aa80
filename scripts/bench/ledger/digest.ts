/**
 * Measures the memory digest's ranking over histories of repositories: hit@5, beside simpler ways.
 * Usage: deno run --allow-read=FOLDER scripts/bench/ledger/digest.ts FOLDER, where FOLDER holds files
 * NAME.jsonl with a line {date, goal, files} a commit, oldest first.
 *
 * A commit of a history's second half is asked with its goal alone. It is a hit when one of the sessions
 * given changed a file that it changes. Files of over 5 % of all commits do not count, and commits
 * without any earlier one that could be a hit are left out.
 */
import { basename, join } from "@std/path";
import { estimateTokens } from "../../../src/ledger/digest.ts";
import { Bm25Index } from "../../../src/ledger/bm25.ts";
import { SessionRanking } from "../../../src/ledger/ranking.ts";
import { wordsOf } from "../../../src/ledger/words.ts";

interface Commit {
  goal: string;
  files: string[];
}

/** A way to choose sessions: learns a commit after it has been asked about it. */
interface Chooser {
  add(commit: Commit, index: number): void;
  choose(goal: string): number[];
}

/** What one way reached on one history. */
interface Reached {
  hitRate: number;
  /** Of what was given for a goal, on the average. */
  tokens: number;
}

function lastSessions(count: number): Chooser {
  let newest = -1;
  return {
    add: (_, index) => void (newest = index),
    choose: () => Array.from({ length: count }, (_, back) => newest - back).filter((n) => n >= 0),
  };
}

function bm25OverGoals(): Chooser {
  const goals = new Bm25Index();
  return {
    add: (commit) => goals.add(wordsOf(commit.goal)),
    choose(goal) {
      const scores = new Float64Array(goals.size);
      goals.score(wordsOf(goal), scores);
      return [...scores.keys()]
        .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || b - a).slice(0, 5);
    },
  };
}

function ranked(): Chooser {
  const ranking = new SessionRanking();
  return {
    add: (commit, index) => ranking.add({ ...commit, session: String(index), labels: [] }),
    choose: (goal) => ranking.rank(goal, 5).map((picked) => Number(picked.session)),
  };
}

function measure(history: readonly Commit[], chooser: Chooser): Reached {
  const changes = new Map<string, number>();
  for (const file of history.flatMap((commit) => commit.files)) {
    changes.set(file, (changes.get(file) ?? 0) + 1);
  }
  const counts = (file: string) => (changes.get(file) ?? 0) <= 0.05 * history.length;
  const seen = new Set<string>();
  let asked = 0;
  let hits = 0;
  let tokens = 0;
  history.forEach((commit, index) => {
    const targets = new Set(commit.files.filter(counts));
    if (index >= history.length / 2 && [...targets].some((file) => seen.has(file))) {
      const given = chooser.choose(commit.goal).map((choice) => history[choice]);
      asked++;
      if (given.some((past) => past?.files.some((file) => targets.has(file)))) hits++;
      for (const past of given) {
        tokens += estimateTokens(`- ${past?.goal}\n  Changed: ${past?.files.slice(0, 12)}\n`);
      }
    }
    chooser.add(commit, index);
    for (const file of targets) seen.add(file);
  });
  return { hitRate: hits / asked, tokens: tokens / asked };
}

const folder = Deno.args[0];
if (folder === undefined) {
  console.error("usage: deno run --allow-read=FOLDER scripts/bench/ledger/digest.ts FOLDER");
  Deno.exit(2);
}
const WAYS: [string, () => Chooser][] = [
  ["the last 5", () => lastSessions(5)],
  ["the last 20", () => lastSessions(20)],
  ["5 by BM25 over goals", bm25OverGoals],
  ["5 by the digest's ranking", ranked],
];
const names = [...Deno.readDirSync(folder)].map((file) => file.name)
  .filter((name) => name.endsWith(".jsonl")).sort();
const histories = names.map((name): Commit[] =>
  Deno.readTextFileSync(join(folder, name)).trim().split("\n").map((line) => JSON.parse(line))
);
const titles = names.map((name) => basename(name, ".jsonl"));
console.log(`| what is given | ${titles.join(" | ")} | average | tokens |`);
console.log(`|---|${"---|".repeat(names.length + 2)}`);
for (const [title, make] of WAYS) {
  const reached = histories.map((history) => measure(history, make()));
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const cells = [...reached, { hitRate: mean(reached.map((one) => one.hitRate)) }]
    .map((one) => one.hitRate.toFixed(3));
  const tokens = Math.round(mean(reached.map((one) => one.tokens)));
  console.log(`| ${title} | ${cells.join(" | ")} | ${tokens} |`);
}

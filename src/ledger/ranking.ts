/**
 * Which past sessions bear on a goal.
 * Rule: pure, and no constant is fitted to a history: BM25's usual ones, and the choices explained here.
 *
 * Two steps. First each session is scored by the goal's words against its goal and the words of its
 * paths (BM25 each, added), plus a bonus for being recent. Then the best {@linkcode VOTERS} vote for
 * the files that this goal is likely to touch, and sessions are picked: the best match first, then each
 * time the one whose files carry most of what is left of the vote. Five sessions about the same
 * file teach what one of them does; this way they cover five corners of what may be touched.
 */
import { Bm25Index } from "./bm25.ts";
import { type KnownWords, wordsOf } from "./words.ts";

/** A past session, as far as ranking is concerned. */
export interface PastSession {
  session: string;
  goal: string;
  /** Paths it changed. */
  files: readonly string[];
  /** Other words that say what it was about: extensions, causes of failures. */
  labels: readonly string[];
}

/** How much being the newest is worth, where the best match in words is worth 1. */
const RECENCY_WEIGHT = 0.4;
/** After this many newer sessions that bonus has halved. */
const RECENCY_HALF_LIFE = 60;
/** How many sessions vote for files. */
const VOTERS = 50;
/** A file that more than this share of the sessions changed (a lock file, a changelog) says nothing about a goal. */
const COMMON_SHARE = 0.05;
/** Histories with fewer sessions than this have no common files. */
const COMMON_FROM = 40;

/** An index of past sessions, oldest first, that can be asked and grow. */
export class SessionRanking {
  readonly #sessions: PastSession[] = [];
  readonly #goals: Bm25Index;
  readonly #paths: Bm25Index;
  readonly #changes = new Map<string, number>();
  readonly #pathWords = new Map<string, string[]>();
  readonly #knownWords: KnownWords = new Map();

  /** @param goals all the goals that will be asked about, when they are known: it saves time and memory */
  constructor(goals?: readonly string[]) {
    const vocabulary = goals === undefined
      ? undefined
      : new Set(goals.flatMap((goal) => wordsOf(goal)));
    this.#goals = new Bm25Index(vocabulary);
    this.#paths = new Bm25Index(vocabulary);
  }

  /** Adds the next newer session. */
  add(session: PastSession): void {
    this.#sessions.push(session);
    this.#goals.add(wordsOf([session.goal, ...session.labels].join(" "), this.#knownWords));
    this.#paths.add(session.files.flatMap((file) => this.#wordsOfPath(file)));
    for (const file of session.files) this.#changes.set(file, (this.#changes.get(file) ?? 0) + 1);
  }

  #wordsOfPath(path: string): string[] {
    const known = this.#pathWords.get(path);
    if (known !== undefined) return known;
    const words = wordsOf(path, this.#knownWords);
    this.#pathWords.set(path, words);
    return words;
  }

  /** The `count` sessions that bear most on `goal`, most useful first; newer first on ties. */
  rank(goal: string, count: number): PastSession[] {
    const scores = this.#scores(goal);
    const candidates = [...scores.keys()]
      .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || b - a)
      .slice(0, Math.max(VOTERS, count));
    const left = this.#vote(candidates, scores);
    const picked: PastSession[] = [];
    while (picked.length < count && candidates.length > 0) {
      const best = picked.length === 0 ? 0 : this.#heaviest(candidates, left);
      const session = this.#sessions[candidates.splice(best, 1)[0] ?? -1];
      if (session === undefined) break;
      picked.push(session);
      for (const file of session.files) left.delete(file);
    }
    return picked;
  }

  #scores(goal: string): Float64Array {
    const words = wordsOf(goal);
    const scores = new Float64Array(this.#sessions.length);
    this.#goals.score(words, scores);
    this.#paths.score(words, scores);
    const best = scores.reduce((most, score) => Math.max(most, score), 0) || 1;
    return scores.map((score, index) => {
      const newer = this.#sessions.length - 1 - index;
      return score / best + RECENCY_WEIGHT * 0.5 ** (newer / RECENCY_HALF_LIFE);
    });
  }

  /**
   * How likely, in relative terms, each file is to be touched. The square makes good matches count
   * for more; the root keeps a session with many files from outvoting those with few.
   */
  #vote(candidates: readonly number[], scores: Float64Array): Map<string, number> {
    const votes = new Map<string, number>();
    for (const index of candidates.slice(0, VOTERS)) {
      const files = this.#sessions[index]?.files ?? [];
      const weight = (scores[index] ?? 0) ** 2 / Math.sqrt(Math.max(1, files.length));
      for (const file of files) {
        if (!this.#isCommon(file)) votes.set(file, (votes.get(file) ?? 0) + weight);
      }
    }
    return votes;
  }

  #isCommon(file: string): boolean {
    const sessions = this.#sessions.length;
    return sessions >= COMMON_FROM && (this.#changes.get(file) ?? 0) > COMMON_SHARE * sessions;
  }

  /** Which of the candidates covers most of what is left of the vote; the better match on ties. */
  #heaviest(candidates: readonly number[], left: ReadonlyMap<string, number>): number {
    let best = 0;
    let most = 0;
    candidates.forEach((index, position) => {
      const files = this.#sessions[index]?.files ?? [];
      const votes = files.reduce((sum, file) => sum + (left.get(file) ?? 0), 0);
      if (votes <= most) return;
      most = votes;
      best = position;
    });
    return best;
  }
}

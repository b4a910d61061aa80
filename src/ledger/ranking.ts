/**
 * Which past work bears on a goal, and which files the goal is likely to touch.
 * Rule: pure. BM25's constants are the usual ones; the other weights were tried on four histories, and others may
 * like others better: docs/memory.md says so, docs/benchmarks.md how much it matters.
 *
 * Each piece of work (a commit, a session) is scored by the goal's words against its goal and the words of
 * its paths (BM25 each, added), plus a bonus for being recent. The best {@linkcode VOTERS} vote for files; a file
 * with the goal's words in its own path gets a vote too, and one that was changed long ago loses some.
 * Files are named down to a share of the best one's vote: a goal that is clear gets few, a vague one more.
 * Work is picked so that five pieces do not teach what one of them does: the best match first, then each time
 * the one whose files carry most of what is left of the vote.
 */
import { rarityOf, scoreBm25 } from "./bm25.ts";
import type { PastIndex } from "./past/past_index.ts";
import { wordsOf } from "./words.ts";

/** An index to rank in. */
export interface Segment {
  index: PastIndex;
  /** How much its works count beside those of other segments, match being equal. */
  weight: number;
}

/** A piece of work: the number of its segment, and its own in it. */
export interface WorkNumber {
  segment: number;
  work: number;
}

/** A piece of work that was picked. */
export interface RankedWork extends WorkNumber {
  /** It shares a word with the goal that few works have; others are there for being recent. */
  isRelevant: boolean;
}

/** A file that the goal is likely to touch. */
export interface LikelyFile {
  path: string;
  /** Its vote, where the best file's is 1. */
  vote: number;
}

/** What is asked of the past. */
export interface RankingRequest {
  goal: string;
  segments: readonly Segment[];
  /** How many works to pick. */
  count: number;
  /** Works that are told of by another one. */
  isDoubled?: (work: WorkNumber) => boolean;
  /** How a file that was renamed since is called now. */
  nameNow?: (path: string) => string;
  /** Whether a file is still there. */
  exists?: (path: string) => boolean;
}

/** How much being the newest is worth, where the best match in words is worth 1. */
const RECENCY_WEIGHT = 0.4;
/** After this many newer works that bonus has halved. */
const RECENCY_HALF_LIFE = 60;
/** Of works older than so many others the bonus is nothing worth mentioning. */
const RECENT = 10 * RECENCY_HALF_LIFE;
/** How many works vote for files. */
const VOTERS = 50;
/** Among how many works those to tell of are picked. */
const CANDIDATES = 1_000;
/** A file that more than this share of the works changed (a lock file, a changelog) says nothing about a goal. */
const COMMON_SHARE = 0.05;
/** Histories with fewer works than this have no common files. */
const COMMON_FROM = 40;
/** What the goal's words in a file's own path are worth at most, beside the best file's vote. */
const PATH_WEIGHT = 0.5;
/** A file that has not been changed for ever keeps this share of its vote; the rest halves every so many works. */
const OLD_FILE_SHARE = 0.3;
const OLD_FILE_HALF_LIFE = 300;
/** Files with less than this share of the best one's vote are not named. */
const NAMED_SHARE = 1 / 6;
/** And at most so many are. */
export const MAX_LIKELY_FILES = 24;
/** So many files by their path alone are looked at closely. */
const PATH_CANDIDATES = 500;

/** Ranks the works of all segments together. */
export function rankPast(request: RankingRequest): { works: RankedWork[]; files: LikelyFile[] } {
  const scored = new Scored(request);
  const votes = scored.vote();
  return { works: scored.pick(votes), files: scored.likely(votes) };
}

interface Candidate extends RankedWork {
  score: number;
  files: string[];
}

/** One question and its scores. */
class Scored {
  readonly #request: RankingRequest;
  readonly #segments: readonly Segment[];
  readonly #words: string[];
  readonly #size: number;
  readonly #candidates: Candidate[];

  constructor(request: RankingRequest) {
    this.#request = request;
    this.#segments = request.segments;
    this.#words = wordsOf(request.goal);
    this.#size = this.#segments.reduce((sum, { index }) => sum + index.size, 0);
    this.#candidates = this.#best(Math.max(CANDIDATES, request.count));
  }

  /** The works with the best scores; the newer of two that are alike first. */
  #best(count: number): Candidate[] {
    const scores = this.#segments.map(({ index }) => new Float64Array(index.size));
    scoreBm25(this.#segments.map(({ index }) => index.goals), this.#words, scores);
    scoreBm25(this.#segments.map(({ index }) => index.paths), this.#words, scores);
    const top = scores.reduce((most, list) => list.reduce((a, b) => Math.max(a, b), most), 0) || 1;
    const found = this.#segments.flatMap(({ index, weight }, segment) => {
      const list = scores[segment] ?? new Float64Array();
      const ranked: { segment: number; work: number; score: number; seconds: number }[] = [];
      for (let work = 0; work < index.size; work++) {
        const isRecent = index.size - work <= RECENT;
        const match = (list[work] ?? 0) / top;
        if (match === 0 && !isRecent) continue;
        const seconds = index.data.seconds[work] ?? 0;
        const newer = isRecent ? this.#newerThan(seconds, segment) + index.size - 1 - work : 0;
        const bonus = isRecent ? RECENCY_WEIGHT * 0.5 ** (newer / RECENCY_HALF_LIFE) : 0;
        ranked.push({ segment, work, score: weight * (match + bonus), seconds });
      }
      return ranked;
    });
    found.sort((a, b) => b.score - a.score || b.seconds - a.seconds || b.work - a.work);
    const relevant = this.#relevant();
    const best: Candidate[] = [];
    for (const { segment, work, score } of found) {
      if (best.length === count) break;
      if (this.#request.isDoubled?.({ segment, work })) continue;
      const files = (this.#segments[segment]?.index.filesOf(work) ?? [])
        .map((path) => this.#nameNow(path));
      const isRelevant = relevant[segment]?.has(work) ?? false;
      best.push({ segment, work, score, files, isRelevant });
    }
    return best;
  }

  /** The works that share a word with the goal that few works have. */
  #relevant(): Set<number>[] {
    const relevant = this.#segments.map(() => new Set<number>());
    for (const word of new Set(this.#words)) {
      for (const part of ["goals", "paths"] as const) {
        const found = this.#segments.map(({ index }) => index[part].documentsWith(word));
        const count = found.reduce((sum, works) => sum + works.length, 0);
        if (this.#isCommon(count)) continue;
        found.forEach((works, segment) => {
          for (let index = 0; index < works.length; index++) {
            relevant[segment]?.add(works[index] ?? 0);
          }
        });
      }
    }
    return relevant;
  }

  #isCommon(works: number): boolean {
    return this.#size >= COMMON_FROM && works > COMMON_SHARE * this.#size;
  }

  #nameNow(path: string): string {
    return this.#request.nameNow?.(path) ?? path;
  }

  /** How many works of the segments but `except` are newer. */
  #newerThan(seconds: number, except = -1): number {
    return this.#segments.reduce((sum, { index }, segment) => {
      if (segment === except) return sum;
      let low = 0;
      let high = index.size;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((index.data.seconds[middle] ?? 0) <= seconds) low = middle + 1;
        else high = middle;
      }
      return sum + index.size - low;
    }, 0);
  }

  /**
   * How likely, in relative terms, each file is to be touched. The square makes good matches count
   * for more; the root keeps a work with many files from outvoting those with few.
   */
  vote(): Map<string, number> {
    const votes = new Map<string, number>();
    for (const { score, files } of this.#candidates.slice(0, VOTERS)) {
      const weight = score ** 2 / Math.sqrt(Math.max(1, files.length));
      for (const path of files) votes.set(path, (votes.get(path) ?? 0) + weight);
    }
    const most = Math.max(0, ...votes.values()) || 1;
    for (const [path, match] of this.#pathMatches()) {
      votes.set(path, (votes.get(path) ?? 0) + most * PATH_WEIGHT * match);
    }
    for (const [path, vote] of votes) {
      const { changes, age } = this.#pastOf(path);
      if (this.#isCommon(changes)) votes.delete(path);
      else votes.set(path, vote * agedShare(age));
    }
    return votes;
  }

  /** How often a file was changed, and how many works there were since. */
  #pastOf(path: string): { changes: number; age: number } {
    let changes = 0;
    let last = -Infinity;
    for (const { index } of this.#segments) {
      const file = index.fileNumber(path);
      if (file < 0) continue;
      changes += index.data.changes[file] ?? 0;
      last = Math.max(last, index.data.seconds[index.data.lastChange[file] ?? 0] ?? 0);
    }
    return { changes, age: this.#newerThan(last) };
  }

  /** Files with words of the goal in their path, from 0 to 1: the rarity of the words, in relation to the path's length. */
  #pathMatches(): Map<string, number> {
    const total = this.#segments.reduce((sum, { index }) => sum + index.data.files.length, 0);
    const raw = this.#segments.map(() => new Map<number, number>());
    for (const word of new Set(this.#words)) {
      const found = this.#segments.map(({ index }) => index.filesWith(word));
      const rarity = rarityOf(found.reduce((sum, files) => sum + files.length, 0), total);
      found.forEach((files, segment) => {
        const into = raw[segment];
        for (const file of files) into?.set(file, (into.get(file) ?? 0) + rarity);
      });
    }
    const closest = raw.flatMap((files, segment) =>
      [...files].map(([file, sum]) => ({ segment, file, sum }))
    ).sort((a, b) => b.sum - a.sum).slice(0, PATH_CANDIDATES);
    const matches = new Map<string, number>();
    for (const { segment, file, sum } of closest) {
      const path = this.#segments[segment]?.index.data.files.at(file) ?? "";
      const match = sum ** 2 / Math.max(1, new Set(wordsOf(path)).size);
      const age = agedShare(this.#pastOf(path).age);
      const name = this.#nameNow(path);
      matches.set(name, Math.max(matches.get(name) ?? 0, match * age));
    }
    const most = Math.max(0, ...matches.values()) || 1;
    return new Map([...matches].map(([path, match]) => [path, match / most]));
  }

  /** The works to tell of, most useful first. */
  pick(votes: ReadonlyMap<string, number>): RankedWork[] {
    const left = new Map(votes);
    const candidates = [...this.#candidates];
    const picked: RankedWork[] = [];
    while (picked.length < this.#request.count && candidates.length > 0) {
      const best = picked.length === 0 ? 0 : heaviest(candidates, left);
      const [candidate] = candidates.splice(best, 1);
      if (candidate === undefined) break;
      const { segment, work, isRelevant, files } = candidate;
      picked.push({ segment, work, isRelevant });
      for (const path of files) left.delete(path);
    }
    return picked;
  }

  /** The files to name, most likely first. */
  likely(votes: ReadonlyMap<string, number>): LikelyFile[] {
    const exists = this.#request.exists ?? (() => true);
    const sorted = [...votes].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
    const files: LikelyFile[] = [];
    let most = 0;
    for (const [path, vote] of sorted) {
      if (files.length === MAX_LIKELY_FILES || vote < NAMED_SHARE * most) break;
      if (!exists(path)) continue;
      most ||= vote;
      files.push({ path, vote: vote / most });
    }
    return files;
  }
}

function agedShare(age: number): number {
  return OLD_FILE_SHARE + (1 - OLD_FILE_SHARE) * 0.5 ** (age / OLD_FILE_HALF_LIFE);
}

/** Which of the candidates covers most of what is left of the vote; the better match on ties. */
function heaviest(candidates: readonly Candidate[], left: ReadonlyMap<string, number>): number {
  let best = 0;
  let most = 0;
  candidates.forEach(({ files }, position) => {
    const votes = files.reduce((sum, path) => sum + (left.get(path) ?? 0), 0);
    if (votes <= most) return;
    most = votes;
    best = position;
  });
  return best;
}

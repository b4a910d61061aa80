/**
 * An index over past work (commits, sessions): words of goals and of paths, and which file was changed when.
 * Rule: numbers and bytes only, so that it is kept in a file as it is; pieces of work are numbered oldest first.
 */
import type { WordIndex } from "../bm25.ts";
import { type KnownWords, wordsOf } from "../words.ts";

/** A piece of past work, as far as ranking is concerned. */
export interface PastWork {
  /** What it is, for whoever built the index: not looked at here. */
  payload: string;
  /** When, in seconds since 1970. */
  seconds: number;
  goal: string;
  /** Paths it changed. */
  files: readonly string[];
}

/** Texts one behind the other. */
export class TextTable {
  readonly bytes: Uint8Array;
  /** Where each text begins, and where the last one ends. */
  readonly offsets: Uint32Array;

  constructor(bytes: Uint8Array, offsets: Uint32Array) {
    this.bytes = bytes;
    this.offsets = offsets;
  }

  /** Packs texts. */
  static of(texts: readonly string[]): TextTable {
    const encoder = new TextEncoder();
    const offsets = new Uint32Array(texts.length + 1);
    let bytes = new Uint8Array(texts.reduce((sum, text) => sum + text.length, 0) + 16);
    let end = 0;
    texts.forEach((text, index) => {
      if (bytes.length - end < text.length * 3) bytes = grown(bytes, text.length * 3);
      end += encoder.encodeInto(text, bytes.subarray(end)).written;
      offsets[index + 1] = end;
    });
    return new TextTable(bytes.slice(0, end), offsets);
  }

  get length(): number {
    return this.offsets.length - 1;
  }

  at(index: number): string {
    return decoder.decode(this.bytes.subarray(this.offsets[index], this.offsets[index + 1]));
  }

  /** Where `text` stands in a table that is sorted by UTF-16 code units; -1 when it does not. */
  find(text: string): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.at(middle) < text) low = middle + 1;
      else high = middle;
    }
    return low < this.length && this.at(low) === text ? low : -1;
  }
}

const decoder = new TextDecoder();

function grown(bytes: Uint8Array, more: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(bytes.length * 2 + more);
  larger.set(bytes);
  return larger;
}

/** A list of numbers for each of many keys, all in one array. */
export class NumberLists {
  readonly values: Uint32Array;
  readonly offsets: Uint32Array;

  constructor(values: Uint32Array, offsets: Uint32Array) {
    this.values = values;
    this.offsets = offsets;
  }

  static of(lists: readonly (readonly number[])[]): NumberLists {
    const offsets = new Uint32Array(lists.length + 1);
    lists.forEach((list, index) => offsets[index + 1] = (offsets[index] ?? 0) + list.length);
    const values = new Uint32Array(offsets.at(-1) ?? 0);
    lists.forEach((list, index) => values.set(list, offsets[index]));
    return new NumberLists(values, offsets);
  }

  at(index: number): Uint32Array {
    return this.values.subarray(this.offsets[index], this.offsets[index + 1]);
  }
}

/** What an index consists of. */
export interface PastIndexData {
  payloads: TextTable;
  seconds: Float64Array;
  /** All words, sorted by UTF-16 code units. */
  words: TextTable;
  goalLengths: Uint16Array;
  pathLengths: Uint16Array;
  /** By word: the works with it in their goal, those with it in a path, the files with it in their path. */
  worksByGoalWord: NumberLists;
  worksByPathWord: NumberLists;
  filesByWord: NumberLists;
  /** All paths, sorted in the same way. */
  files: TextTable;
  /** By file: how many works changed it, and the last one. */
  changes: Uint32Array;
  lastChange: Uint32Array;
  filesByWork: NumberLists;
}

/** The index. */
export class PastIndex {
  readonly data: PastIndexData;
  readonly goals: WordIndex;
  readonly paths: WordIndex;

  constructor(data: PastIndexData) {
    this.data = data;
    const { goalLengths, pathLengths, worksByGoalWord, worksByPathWord } = data;
    this.goals = {
      lengths: goalLengths,
      documentsWith: (word) => worksByGoalWord.at(this.#wordNumber(word)),
    };
    this.paths = {
      lengths: pathLengths,
      documentsWith: (word) => worksByPathWord.at(this.#wordNumber(word)),
    };
  }

  /** How many pieces of work it holds. */
  get size(): number {
    return this.data.seconds.length;
  }

  payload(work: number): string {
    return this.data.payloads.at(work);
  }

  filesOf(work: number): string[] {
    return Array.from(this.data.filesByWork.at(work), (file) => this.data.files.at(file));
  }

  /** The files with `word` in their path. */
  filesWith(word: string): Uint32Array {
    return this.data.filesByWord.at(this.#wordNumber(word));
  }

  /** The number of a file; -1 when no work changed it. */
  fileNumber(path: string): number {
    return this.data.files.find(path);
  }

  /** The place of a word; behind the last one, where every list is empty, when it is not there. */
  #wordNumber(word: string): number {
    const found = this.data.words.find(word);
    return found < 0 ? this.data.words.length : found;
  }
}

const LONGEST_COUNT = 0xffff;

/** Builds the index of `works`, oldest first. */
export function indexPast(works: readonly PastWork[]): PastIndex {
  const known: KnownWords = new Map();
  const paths = sortedTexts(works.flatMap(({ files }) => files));
  const fileNumbers = new Map(paths.map((path, number) => [path, number]));
  const goalWords = works.map(({ goal }) => wordsOf(goal, known));
  const pathWords = paths.map((path) => wordsOf(path, known));
  const words = sortedTexts([...goalWords, ...pathWords].flat());
  const wordNumbers = new Map(words.map((word, number) => [word, number]));
  const numbersOf = (own: readonly string[]) =>
    new Set(own.map((word) => wordNumbers.get(word) ?? 0));
  const wordsByFile = pathWords.map(numbersOf);
  // One empty list behind the last word stands for the words that are not there.
  const lists = () => Array.from({ length: words.length + 1 }, (): number[] => []);
  const [goalLists, pathLists, fileLists] = [lists(), lists(), lists()];
  wordsByFile.forEach((own, file) => own.forEach((word) => fileLists[word]?.push(file)));
  const changes = new Uint32Array(paths.length);
  const lastChange = new Uint32Array(paths.length);
  const goalLengths = new Uint16Array(works.length);
  const pathLengths = new Uint16Array(works.length);
  const filesByWork = works.map((work, index) => {
    const goal = numbersOf(goalWords[index] ?? []);
    goalLengths[index] = Math.min(goal.size, LONGEST_COUNT);
    for (const word of goal) goalLists[word]?.push(index);
    const touched = new Set<number>();
    const files = [...new Set(work.files.map((path) => fileNumbers.get(path) ?? 0))];
    for (const file of files) {
      changes[file] = (changes[file] ?? 0) + 1;
      lastChange[file] = index;
      for (const word of wordsByFile[file] ?? []) touched.add(word);
    }
    pathLengths[index] = Math.min(touched.size, LONGEST_COUNT);
    for (const word of touched) pathLists[word]?.push(index);
    return files;
  });
  return new PastIndex({
    payloads: TextTable.of(works.map(({ payload }) => payload)),
    seconds: Float64Array.from(works, ({ seconds }) => seconds),
    words: TextTable.of(words),
    goalLengths,
    pathLengths,
    worksByGoalWord: NumberLists.of(goalLists),
    worksByPathWord: NumberLists.of(pathLists),
    filesByWord: NumberLists.of(fileLists),
    files: TextTable.of(paths),
    changes,
    lastChange,
    filesByWork: NumberLists.of(filesByWork),
  });
}

/** Each text once, sorted by UTF-16 code units. */
function sortedTexts(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort((a, b) => (a < b ? -1 : 1));
}

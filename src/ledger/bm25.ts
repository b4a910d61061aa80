/**
 * Okapi BM25 over documents given as lists of words.
 * Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009),
 * with the usual k1 = 1.2 and b = 0.75. Rule: pure; documents are numbered as they are added.
 */

const K1 = 1.2;
const B = 0.75;

/** An index that grows. */
export class Bm25Index {
  readonly #postings = new Map<string, { document: number; count: number }[]>();
  readonly #lengths: number[] = [];
  #totalLength = 0;
  readonly #vocabulary: ReadonlySet<string> | undefined;

  /** @param vocabulary the only words that will be asked for, when they are known: the others are but counted */
  constructor(vocabulary?: ReadonlySet<string>) {
    this.#vocabulary = vocabulary;
  }

  /** How many documents were added. */
  get size(): number {
    return this.#lengths.length;
  }

  /** Adds the next document. */
  add(words: readonly string[]): void {
    const document = this.#lengths.length;
    const counts = new Map<string, number>();
    for (const word of words) {
      if (this.#vocabulary?.has(word) === false) continue;
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    for (const [word, count] of counts) {
      const postings = this.#postings.get(word);
      if (postings === undefined) this.#postings.set(word, [{ document, count }]);
      postings?.push({ document, count });
    }
    this.#lengths.push(words.length);
    this.#totalLength += words.length;
  }

  /** Adds to `scores` (one number a document) how well each document answers `query`. */
  score(query: readonly string[], scores: Float64Array): void {
    const averageLength = this.#totalLength / this.size || 1;
    for (const word of new Set(query)) {
      const postings = this.#postings.get(word) ?? [];
      const rarity = Math.log(
        1 + (this.size - postings.length + 0.5) / (postings.length + 0.5),
      );
      for (const { document, count } of postings) {
        const length = (this.#lengths[document] ?? 0) / averageLength;
        const weight = count * (K1 + 1) / (count + K1 * (1 - B + B * length));
        scores[document] = (scores[document] ?? 0) + rarity * weight;
      }
    }
  }
}

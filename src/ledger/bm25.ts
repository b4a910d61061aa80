/**
 * Okapi BM25 over documents that lie in several indexes and are ranked as one collection.
 * Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009),
 * with the usual k1 = 1.2 and b = 0.75. Rule: pure; a word counts once in a document, however often it is there.
 */

const K1 = 1.2;
const B = 0.75;

/** An index: which documents hold a word, and how long each document is. */
export interface WordIndex {
  /** How many words each document has. */
  readonly lengths: ArrayLike<number>;
  /** The documents that hold `word`. */
  documentsWith(word: string): ArrayLike<number>;
}

/**
 * Adds to `scores` (a list an index, a number a document) how well each document answers `query`. How rare a
 * word is, and how long documents are on the average, is taken over all indexes together.
 */
export function scoreBm25(
  indexes: readonly WordIndex[],
  query: readonly string[],
  scores: readonly Float64Array[],
): void {
  const size = indexes.reduce((sum, { lengths }) => sum + lengths.length, 0);
  const averageLength = indexes.reduce((sum, index) => sum + totalOf(index.lengths), 0) / size || 1;
  for (const word of new Set(query)) {
    const found = indexes.map((index) => index.documentsWith(word));
    const count = found.reduce((sum, documents) => sum + documents.length, 0);
    const rarity = rarityOf(count, size) * (K1 + 1);
    found.forEach((documents, number) => {
      const lengths = indexes[number]?.lengths ?? [];
      const into = scores[number] ?? new Float64Array();
      for (let index = 0; index < documents.length; index++) {
        const document = documents[index] ?? 0;
        const length = (lengths[document] ?? 0) / averageLength;
        into[document] = (into[document] ?? 0) + rarity / (1 + K1 * (1 - B + B * length));
      }
    });
  }
}

/** How much a word that `count` of `size` documents hold tells: BM25's inverse document frequency. */
export function rarityOf(count: number, size: number): number {
  return Math.log(1 + (size - count + 0.5) / (count + 0.5));
}

function totalOf(lengths: ArrayLike<number>): number {
  let total = 0;
  for (let index = 0; index < lengths.length; index++) total += lengths[index] ?? 0;
  return total;
}

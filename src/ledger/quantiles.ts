/**
 * Quantiles of many values in little memory: counts in buckets of equal relative width.
 * Rule: a quantile is within 1/128 (0.8 %) of the true one; two sketches add up to that of all values.
 *
 * A bucket is what the exponent and the first six bits of a double's mantissa have in common (the
 * bucketing of HdrHistogram): 64 buckets an octave. No logarithm is taken.
 */

/** Values below this, zero apart, share the lowest bucket. */
const LEAST = 2 ** -24;
/** Values above this share the highest bucket. */
const MOST = 2 ** 50;

const double = new Float64Array(1);
const halves = new Int32Array(double.buffer);
/** Which half of a double holds its exponent, on this machine. */
const HIGH = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0;
const FIRST = bucketNumber(LEAST);

function bucketNumber(value: number): number {
  double[0] = value;
  return (halves[HIGH] ?? 0) >> 14;
}

/** The bucket of a value: 0 for zero, up from 1 for the others. */
export function bucketOf(value: number): number {
  if (!(value > 0)) return 0;
  if (value <= LEAST) return 1;
  return bucketNumber(value > MOST ? MOST : value) - FIRST + 1;
}

/** The value that stands for all of a bucket: its middle. */
export function valueOf(bucket: number): number {
  if (bucket === 0) return 0;
  return (edge(bucket) + edge(bucket + 1)) / 2;
}

function edge(bucket: number): number {
  halves[1 - HIGH] = 0;
  halves[HIGH] = (bucket - 1 + FIRST) << 14;
  return double[0] ?? 0;
}

/** Counts of values by bucket. */
export class Quantiles {
  #counts: Uint32Array;

  /** @param counts what {@linkcode Quantiles.counts} gave, to go on from there */
  constructor(counts: ArrayLike<number> = []) {
    this.#counts = Uint32Array.from(counts);
  }

  /** The counts by bucket. */
  get counts(): Uint32Array {
    return this.#counts;
  }

  /** Counts a value by its bucket. */
  addBucket(bucket: number): void {
    if (bucket >= this.#counts.length) this.#growTo(bucket + 1);
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
  }

  #growTo(length: number): void {
    const longer = new Uint32Array(Math.max(length, Math.ceil(this.#counts.length * 1.25)));
    longer.set(this.#counts);
    this.#counts = longer;
  }

  /** Adds another's counts. */
  merge(other: Quantiles): void {
    if (other.#counts.length > this.#counts.length) this.#growTo(other.#counts.length);
    other.#counts.forEach((count, bucket) =>
      this.#counts[bucket] = (this.#counts[bucket] ?? 0) + count
    );
  }

  /** The value with at least `share` (0 to 1) of all values at or below it; 0 when there are none. */
  at(share: number): number {
    const total = this.#counts.reduce((sum, count) => sum + count, 0);
    const rank = Math.max(1, Math.ceil(share * total));
    let seen = 0;
    for (let bucket = 0; bucket < this.#counts.length; bucket++) {
      seen += this.#counts[bucket] ?? 0;
      if (seen >= rank) return valueOf(bucket);
    }
    return 0;
  }
}

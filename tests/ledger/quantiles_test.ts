/** Quantiles within their stated error. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { bucketOf, Quantiles, valueOf } from "../../src/ledger/quantiles.ts";

const value = fc.oneof(
  fc.constant(0),
  fc.nat({ max: 300 }),
  fc.nat({ max: 2 ** 31 - 1 }),
  fc.double({ min: 1e-6, max: 1e9, noNaN: true }),
);

function sketch(values: readonly number[]): Quantiles {
  const quantiles = new Quantiles();
  for (const one of values) quantiles.addBucket(bucketOf(one));
  return quantiles;
}

Deno.test("valueOf() is within 1/128 of every value of the bucket", () => {
  fc.assert(fc.property(value, (one) => {
    assert.ok(Math.abs(valueOf(bucketOf(one)) - one) <= one / 128);
  }));
});

Deno.test("at() is within 1/128 of the nearest rank", () => {
  const share = fc.constantFrom(0, 0.1, 0.5, 0.9, 0.99, 1);
  fc.assert(fc.property(fc.array(value, { minLength: 1 }), share, (values, part) => {
    const sorted = values.toSorted((a, b) => a - b);
    const exact = sorted[Math.max(1, Math.ceil(part * values.length)) - 1] ?? 0;
    assert.ok(Math.abs(sketch(values).at(part) - exact) <= exact / 128);
  }));
});

Deno.test("merge() of two sketches is the sketch of all values", () => {
  fc.assert(fc.property(fc.array(value), fc.array(value), (some, others) => {
    const merged = sketch(some);
    merged.merge(sketch(others));
    for (const share of [0.5, 0.9]) {
      assert.equal(merged.at(share), sketch([...some, ...others]).at(share));
    }
  }));
});

Deno.test("at() of no values is 0", () => {
  assert.equal(new Quantiles().at(0.5), 0);
});

Deno.test("bucketOf() puts what is beyond its range, or no number, at an end", () => {
  assert.equal(bucketOf(2 ** 60), bucketOf(2 ** 50));
  assert.equal(bucketOf(1e-12), 1);
  assert.equal(bucketOf(NaN), 0);
});

/** The set of keys. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { hashKey, KeySet } from "../../src/ledger/key_set.ts";

const half = fc.oneof(fc.constant(0), fc.integer({ min: -3, max: 3 }), fc.integer());

Deno.test("add() says whether a key is new, as a set of strings would", () => {
  fc.assert(fc.property(fc.array(fc.tuple(half, half), { maxLength: 3_000 }), (keys) => {
    const known = new Set<string>();
    const set = new KeySet();
    for (const [high, low] of keys) {
      // (0, 0) is stored as (0, 1): one more collision in 2⁶⁴.
      const name = high === 0 && low === 0 ? "0,1" : `${high},${low}`;
      assert.equal(set.has(high, low), known.has(name));
      assert.equal(set.add(high, low), !known.has(name));
      known.add(name);
    }
    assert.equal(set.size, known.size);
    assert.equal(new KeySet(set.slots, set.size).size, known.size);
  }));
});

Deno.test("add() knows every key again after it has grown, several times", () => {
  const set = new KeySet();
  const keys = Array.from(
    { length: 20_000 },
    (_, n) => [n % 7, 1 + Math.imul(n, 0x9e3779b1)] as const,
  );
  for (const [high, low] of keys) assert.ok(set.add(high, low));
  for (const [high, low] of keys) assert.ok(!set.add(high, low));
  assert.equal(set.size, keys.length);
});

Deno.test("hashKey() tells sessions and attempts apart", () => {
  const hash = { high: 0, low: 0 };
  const set = new KeySet();
  for (let session = 0; session < 65_536; session++) {
    const id = `20261129-231205-${session.toString(16).padStart(4, "0")}`;
    for (const attempt of [1, 2, 3]) {
      hashKey(new TextEncoder().encode(id), 0, id.length, attempt, hash);
      assert.ok(set.add(hash.high, hash.low), `${id}#${attempt} collides`);
    }
  }
});

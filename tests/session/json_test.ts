import assert from "node:assert/strict";
import fc from "fast-check";
import { jsonObject, jsonValue, MAX_JSON_DEPTH } from "../../src/session/json.ts";

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

Deno.test("jsonValue gives every JSON value back as it is, keys in their order", () => {
  fc.assert(fc.property(fc.json(), (text) => {
    assert.equal(
      JSON.stringify(jsonValue.parse(JSON.parse(text))),
      JSON.stringify(JSON.parse(text)),
    );
  }));
});

Deno.test("jsonValue keeps keys that mean something to JavaScript", () => {
  const text = '{"b":1,"__proto__":{"polluted":true},"constructor":2,"toString":3}';
  assert.equal(JSON.stringify(jsonValue.parse(JSON.parse(text))), text);
  assert.equal(JSON.stringify(jsonObject.parse(JSON.parse(text))), text);
  assert.equal(Object.hasOwn(Object.prototype, "polluted"), false);
});

Deno.test("jsonValue refuses deep nesting by a message, not by a stack overflow", () => {
  assert.ok(jsonValue.safeParse(nested(MAX_JSON_DEPTH)).success);
  for (const depth of [MAX_JSON_DEPTH + 1, 100_000]) {
    const parsed = jsonValue.safeParse(nested(depth));
    assert.match(parsed.error?.issues[0]?.message ?? "", /nested more than 500 deep/);
  }
});

Deno.test("jsonValue and jsonObject refuse what JSON cannot hold", () => {
  for (const value of [NaN, Infinity, undefined, () => 1, Symbol("a"), 1n, new Date(), new Map()]) {
    assert.equal(jsonValue.safeParse({ value: [value] }).success, false, String(value));
  }
  for (const value of [[], null, 1, "a"]) assert.equal(jsonObject.safeParse(value).success, false);
});

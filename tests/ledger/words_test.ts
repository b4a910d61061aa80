/** Words in a form in which they can meet. */
import assert from "node:assert/strict";
import { wordsOf } from "../../src/ledger/words.ts";

Deno.test("wordsOf() takes identifiers apart and keeps them whole too", () => {
  assert.deepEqual(wordsOf("parseNumstat"), ["pars", "numstat", "parsenumstat"]);
  assert.deepEqual(wordsOf("HTTPServer_test"), ["http", "server", "test", "httpservertest"]);
});

Deno.test("wordsOf() gives the parts of a path", () => {
  assert.deepEqual(wordsOf("src/git/numstat.ts"), ["src", "git", "numstat", "ts"]);
});

Deno.test("wordsOf() brings plurals and tenses together", () => {
  const forms = ["parse", "parses", "parsed", "parsing"].map((form) => wordsOf(form)[0]);
  assert.deepEqual(new Set(forms), new Set(["pars"]));
  assert.deepEqual(wordsOf("dependencies"), wordsOf("dependency"));
  assert.deepEqual(wordsOf("stopped"), wordsOf("stopping"));
});

Deno.test("wordsOf() leaves out numbers, single letters and words that say nothing", () => {
  assert.deepEqual(wordsOf("Add a test for #42 to the x"), ["add", "test"]);
});

Deno.test("wordsOf() keeps words of other languages", () => {
  assert.deepEqual(wordsOf("Größe ändern 日本語"), ["größ", "ändern", "日本語"]);
});

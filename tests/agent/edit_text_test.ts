import assert from "node:assert/strict";
import fc from "fast-check";
import { editText } from "../../src/agent/edit_text.ts";

function problem(...args: Parameters<typeof editText>): string {
  const result = editText(...args);
  return "problem" in result ? result.problem : assert.fail("there was no problem");
}

Deno.test("editText() takes dollar signs in the new text as they are", () => {
  assert.deepEqual(editText("a b", "b", "$& $1 $$", false), {
    text: "a $& $1 $$",
    replacements: 1,
  });
});

Deno.test("editText() keeps CRLF when one line becomes several", () => {
  assert.deepEqual(editText("a\r\nb\r\n", "b", "c\nd", false), {
    text: "a\r\nc\r\nd\r\n",
    replacements: 1,
  });
});

Deno.test("editText() keeps mixed line ends outside the place", () => {
  assert.deepEqual(editText("a\r\nb\nc\r\n", "b\nc", "B\nC", false), {
    text: "a\r\nB\nC\r\n",
    replacements: 1,
  });
  assert.deepEqual(editText("x\na\r\nb\r\n", "a\nb", "A\nB", false), {
    text: "x\nA\r\nB\r\n",
    replacements: 1,
  });
});

Deno.test("editText() names every place when there are several", () => {
  assert.match(problem("x\ny\nx\nz\nx\n", "x", "w", false), /3 times, at lines 1, 3, 5\./);
  assert.deepEqual(editText("x x", "x", "y", true), { text: "y y", replacements: 2 });
});

Deno.test("editText() shows the nearest place with its line numbers", () => {
  const text = "function a() {\n  return 1;\n}\n\nfunction b() {\n    return two;\n}\n";
  const nearest = problem(text, "function b() {\n  return 2;\n}", "", false);
  assert.match(nearest, /lines 5-7 \(closest\):\n5: function b\(\) \{\n6: {5}return two;\n7: \}$/);
});

Deno.test("editText() says when only the white space differs", () => {
  assert.match(
    problem("if (a) {\n\tb();\n}\n", "if (a) {\n  b();\n}", "", false),
    /white space differs/,
  );
});

Deno.test("editText() says when nothing is like it", () => {
  assert.match(problem("alpha\n", "omega()", "", false), /Nothing in it is much like it/);
  assert.match(problem("", "omega()", "", false), /The file is empty/);
});

Deno.test("editText() refuses an empty old text and a change that changes nothing", () => {
  assert.match(problem("a", "", "b", false), /old_text is empty/);
  assert.match(problem("a", "a", "a", false), /the same/);
});

Deno.test("editText() replaces exactly the place that it was given", () => {
  const piece = fc.string({ unit: fc.constantFrom("a", "b", " ", "\n", "é", "$", "\r") });
  fc.assert(fc.property(piece, piece, piece, (head, tail, replacement) => {
    const result = editText(`${head}<here>${tail}`, "<here>", `<${replacement}>`, false);
    assert.ok("text" in result);
    assert.ok(result.text.startsWith(`${head}<`) && result.text.endsWith(`>${tail}`));
  }));
});

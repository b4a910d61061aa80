import assert from "node:assert/strict";
import fc from "fast-check";
import { subjectOf } from "../../src/ship/subject.ts";

const CONVENTIONAL = "{type}: {goal}";

function subject(goal: string, template = CONVENTIONAL): string {
  return subjectOf(template, { type: "feat", goal, session: "20261129-231205-a1b2" });
}

Deno.test("subjectOf() begins in lower case, keeps names as code and ends without a full stop", () => {
  const cases = {
    "Make the second number 5": "make the second number 5",
    "Make it so.": "make it so",
    "Wait...": "wait",
    "README explains the flags": "`README` explains the flags",
    "TypeScript is checked": "`TypeScript` is checked",
    "A greeting": "a greeting",
    "Ärger vermeiden": "ärger vermeiden",
    "readFile() closes the file": "readFile() closes the file",
    "3 tests fail": "3 tests fail",
    "...": "changes without a goal",
    "": "changes without a goal",
  };
  for (const [goal, expected] of Object.entries(cases)) {
    assert.equal(subject(goal), `feat: ${expected}`);
  }
});

Deno.test("subjectOf() puts the parts where the template has them, and reads no goal as a template", () => {
  assert.equal(
    subject("Greet {type}", "[{session}] {goal} ({type})"),
    "[20261129-231205-a1b2] greet {type} (feat)",
  );
});

Deno.test("subjectOf() gives no subject in sentence, start, pascal or upper case, nor one with a full stop", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), (goal) => {
    const text = subject(goal).slice("feat: ".length);
    assert.doesNotMatch(text, /^\p{Lu}/u);
    assert.doesNotMatch(text, /\.$/);
    assert.notEqual(text, "");
  }));
});

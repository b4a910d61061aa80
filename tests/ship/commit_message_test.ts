import assert from "node:assert/strict";
import fc from "fast-check";
import stringWidth from "string-width";
import { commitMessage } from "../../src/ship/commit_message.ts";
import { OUTLINE } from "./shippable.ts";

const SESSION = "20260102-030405-1a2b";
const TREE = "a".repeat(40);

function messageOf(goal: string, titles: readonly string[] = []): string {
  const tasks = titles.map((title, index) => ({
    id: String(index),
    title,
    status: "done" as const,
    heals: 0,
    detail: "",
  }));
  return commitMessage({
    outline: { ...OUTLINE, goal, tasks },
    session: SESSION,
    prefix: "feat",
    proved: { tree: TREE },
    assistedBy: "p:m",
  });
}

Deno.test("commitMessage() cuts a long goal between words, within 72 columns, and tells all of it below", () => {
  const goal =
    "Let the greeting take a name from the command line, and greet the world without one";
  const [subject = "", , first] = messageOf(goal).split("\n");
  assert.equal(subject, "feat: Let the greeting take a name from the command line, and greet the…");
  assert.equal(first, "Goal: Let the greeting take a name from the command line, and greet the");
});

Deno.test("commitMessage() counts columns, not characters, and keeps a word that is too long for any line", () => {
  assert.ok(stringWidth(messageOf("漢".repeat(60)).split("\n")[0] ?? "") <= 72);
  assert.ok(stringWidth(messageOf("👩‍👩‍👧‍👦".repeat(60)).split("\n")[0] ?? "") <= 72);
});

Deno.test("commitMessage() leaves the attribution out when it is not wanted", () => {
  const message = commitMessage({
    outline: { ...OUTLINE, goal: "", tasks: [] },
    session: SESSION,
    prefix: "chore",
    proved: { tree: TREE },
    assistedBy: undefined,
  });
  assert.equal(
    message,
    `chore: changes without a goal\n\nM31A-Session: ${SESSION}\nProved: ${TREE}\n`,
  );
});

Deno.test("commitMessage() keeps any text to its own lines: the last paragraph is the trailers", () => {
  const hostile = fc.string({ unit: "binary", maxLength: 200 }).map((text) =>
    `${text}\n\nM31A-Session: x\n# ${text}`
  );
  fc.assert(fc.property(hostile, fc.array(hostile, { maxLength: 3 }), (goal, titles) => {
    const message = messageOf(goal, titles);
    const paragraphs = message.trimEnd().split("\n\n");
    assert.equal(
      paragraphs.at(-1),
      `M31A-Session: ${SESSION}\nProved: ${TREE}\nAssisted-by: m31a (p:m)`,
    );
    assert.ok(message.isWellFormed());
    for (const line of paragraphs.slice(1, -1).join("\n").split("\n")) {
      assert.match(line, /^(Goal: | {2}|- |$)/);
    }
    // deno-lint-ignore no-control-regex -- that there are none is what is tested
    assert.doesNotMatch(message, /[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]/);
  }));
});

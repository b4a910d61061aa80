import assert from "node:assert/strict";
import fc from "fast-check";
import stringWidth from "string-width";
import { commitMessage, withProof } from "../../src/ship/commit_message.ts";
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
    files: [],
    changedNothing: false,
  }));
  return commitMessage({
    outline: { ...OUTLINE, goal, tasks },
    session: SESSION,
    prefix: "feat",
    proof: { tree: TREE, why: "" },
    subject: "{type}: {goal}",
    given: undefined,
    assistedBy: "p:m",
  });
}

Deno.test("commitMessage() cuts a long goal between words, within 72 columns, and tells all of it below", () => {
  const goal =
    "Let the greeting take a name from the command line, and greet the world without one";
  const [subject = "", , first] = messageOf(goal).split("\n");
  assert.equal(subject, "feat: let the greeting take a name from the command line, and greet the…");
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
    proof: { tree: TREE, why: "" },
    subject: "{type}: {goal}",
    given: undefined,
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

const PARTS = {
  outline: OUTLINE,
  session: SESSION,
  prefix: "fix",
  subject: "{type}: {goal}",
  given: undefined,
  proof: { tree: TREE, why: "" },
  assistedBy: undefined,
};

Deno.test("commitMessage() names no task that changed nothing", () => {
  const [task] = OUTLINE.tasks;
  assert.ok(task !== undefined);
  const idle = { ...task, id: "2", title: "Say that all is done", changedNothing: true };
  const outline = { ...OUTLINE, tasks: [task, idle] };
  const message = commitMessage({ ...PARTS, outline });
  assert.match(message, /\n- Take a name\n\nM31A-Session/);
});

Deno.test("commitMessage() takes the user's words, and its trailers go on with trailers of the user's", () => {
  const own = `M31A-Session: ${SESSION}\nProved: ${TREE}\n`;
  const plain = commitMessage({ ...PARTS, given: "ABC-1: Greet\n\nWhy: because." });
  assert.equal(plain, `ABC-1: Greet\n\nWhy: because.\n${own}`);
  assert.equal(commitMessage({ ...PARTS, given: "Greet" }), `Greet\n\n${own}`);
  const text = commitMessage({ ...PARTS, given: "Greet\n\nIt was time." });
  assert.equal(text, `Greet\n\nIt was time.\n\n${own}`);
});

Deno.test("commitMessage() gives no line that a checker finds too long, whatever is said", () => {
  const words = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 300 }),
    fc.stringMatching(/^[a-z]{80,200}$/),
    fc.constantFrom("👩‍👩‍👧‍👦".repeat(90), "e\u0301\u0302\u0303".repeat(90)),
  );
  fc.assert(fc.property(words, words, words, (goal, title, why) => {
    const tasks = OUTLINE.tasks.map((task) => ({ ...task, title }));
    const message = commitMessage({
      ...PARTS,
      outline: { ...OUTLINE, goal, tasks },
      proof: { tree: null, why },
      assistedBy: why,
    });
    for (const line of message.split("\n")) assert.ok(line.length <= 100, line);
  }));
});

Deno.test("withProof() changes the trailer alone, and keeps what a hook has written", () => {
  const message = `fix: a\n\nProved: in the body\n\nProved: ${TREE}\nChange-Id: I1`;
  const other = "b".repeat(40);
  assert.equal(
    withProof(message, { tree: other, why: "" }),
    `fix: a\n\nProved: in the body\n\nProved: ${other}\nChange-Id: I1`,
  );
  assert.match(withProof(message, { tree: null, why: "no\nway" }), /\nProved: no \(no way\)\n/);
});

import assert from "node:assert/strict";
import { type Answer, QuestionBroker } from "../../src/app/questions.ts";
import { Interrupted } from "../../src/platform/errors.ts";

const CONFIRM = { kind: "confirmation", about: "commit", question: "Commit?", detail: "" } as const;

function broker() {
  const told: string[] = [];
  const questions = new QuestionBroker({
    asked: ({ kind }) => told.push(`asked ${kind}`),
    ended: (_id, answer, by) => told.push(answer === undefined ? "cancelled" : `answered by ${by}`),
  });
  return { told, questions };
}

const YES: Answer = { kind: "confirmation", isConfirmed: true };
const NO: Answer = { kind: "confirmation", isConfirmed: false };

Deno.test("QuestionBroker lets the first answer count, and tells who gave it", async () => {
  const { told, questions } = broker();
  const asked = questions.ask(CONFIRM, new AbortController().signal, "q1");
  assert.deepEqual(questions.open, [{ ...CONFIRM, id: "q1" }]);
  assert.equal(questions.answer("q1", YES, "an editor"), true);
  assert.equal(questions.answer("q1", NO, "a terminal"), false);
  assert.equal((await asked).isConfirmed, true);
  assert.deepEqual(told, ["asked confirmation", "answered by an editor"]);
  assert.deepEqual(questions.open, []);
});

Deno.test("QuestionBroker ends a question that is cancelled, and takes no answer to it any more", async () => {
  const { told, questions } = broker();
  const cancelling = new AbortController();
  const asked = questions.ask(CONFIRM, cancelling.signal, "q1");
  cancelling.abort(new Interrupted());
  await assert.rejects(asked, Interrupted);
  assert.equal(questions.answer("q1", YES, "an editor"), false);
  assert.deepEqual(told, ["asked confirmation", "cancelled"]);
  await assert.rejects(questions.ask(CONFIRM, cancelling.signal), Interrupted);
});

Deno.test("QuestionBroker refuses an answer to another kind of question, which stays open", async () => {
  const { questions } = broker();
  const asked = questions.ask(CONFIRM, new AbortController().signal, "q1");
  assert.throws(() => questions.answer("q1", { kind: "choice", text: "yes" }, "x"), TypeError);
  assert.equal(questions.open.length, 1);
  questions.answer("q1", NO, "x");
  assert.equal((await asked).isConfirmed, false);
});

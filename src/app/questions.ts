/**
 * The questions that are open in a conversation, and their answers.
 * Rule: the first answer counts, and everybody is told of it; what is cancelled is no longer asked.
 */
import type { ApprovalAnswer } from "../agent/approval.ts";
import type { OpenApproval, UserQuestion } from "../agent/tool.ts";
import type { PlanReview } from "../workflow/gates.ts";
import type { Plan } from "../workflow/state.ts";

/** What is asked. */
export type Question =
  /** May this be done? `scope` says what "always" would cover. */
  | ({ kind: "approval" } & Pick<OpenApproval, "tool" | "summary" | "detail" | "scope">)
  /** Which of these, or something else in words? The recommended one is the first. */
  | ({ kind: "choice" } & UserQuestion)
  /** Is the plan to be carried out? */
  | { kind: "plan"; plan: Plan; version: number }
  /** Yes or no: may this commit be made, these hooks run, these changes be taken back? `detail` is to be looked at. */
  | { kind: "confirmation"; about: "commit" | "hooks" | "undo"; question: string; detail: string };

/** A question that waits for its answer. */
export type OpenQuestion = Question & { id: string };

/** An answer, with the kind of question that it is one to. */
export type Answer =
  | ({ kind: "approval" } & ApprovalAnswer)
  | { kind: "choice"; text: string }
  | ({ kind: "plan" } & PlanReview)
  | { kind: "confirmation"; isConfirmed: boolean };

/** A question that is asked, and who waits for it. */
interface Waiting {
  question: OpenQuestion;
  settle(answer: Answer): void;
}

/** Who is told when a question is asked, and when it has ended: with an answer, or cancelled. */
export interface QuestionListener {
  asked(question: OpenQuestion): void;
  ended(id: string, answer?: Answer, by?: string): void;
}

/** The broker between those who ask and those who answer. */
export class QuestionBroker {
  readonly #listener: QuestionListener;
  readonly #waiting = new Map<string, Waiting>();

  constructor(listener: QuestionListener) {
    this.#listener = listener;
  }

  /** The questions that wait for an answer, the oldest first. */
  get open(): readonly OpenQuestion[] {
    return [...this.#waiting.values()].map(({ question }) => question);
  }

  /**
   * Asks, and waits for the first answer.
   *
   * @param signal ends the question
   * @param id tells it from every other
   * @returns an answer of the question's kind
   * @throws the signal's reason, when it ends before there is an answer
   */
  async ask<Q extends Question>(
    question: Q,
    signal: AbortSignal,
    id: string = crypto.randomUUID(),
  ): Promise<Extract<Answer, { kind: Q["kind"] }>> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const cancel = () => {
      if (!this.#waiting.delete(id)) return;
      this.#listener.ended(id);
      reject(signal.reason);
    };
    const asked = { ...question, id };
    this.#waiting.set(id, { question: asked, settle: resolve });
    signal.addEventListener("abort", cancel, { once: true });
    try {
      this.#listener.asked(asked);
      const answer = await promise;
      if (!isTo(question, answer)) throw new TypeError("the answer is to another question");
      return answer;
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  }

  /**
   * Answers a question.
   *
   * @param by the face that answers, in words for the others
   * @returns whether this is the answer that counts; false when the question is answered or cancelled already
   * @throws {TypeError} when it is no answer to a question of this kind
   */
  answer(id: string, answer: Answer, by: string): boolean {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return false;
    const { kind } = waiting.question;
    if (kind !== answer.kind) throw new TypeError(`a ${kind} is not answered by a ${answer.kind}`);
    this.#waiting.delete(id);
    this.#listener.ended(id, answer, by);
    waiting.settle(answer);
    return true;
  }
}

function isTo<Q extends Question>(
  question: Q,
  answer: Answer,
): answer is Extract<Answer, { kind: Q["kind"] }> {
  return answer.kind === question.kind;
}

/**
 * The questions of a conversation, put at a terminal.
 * Rule: one at a time; a question that somebody else has answered, or that was cancelled, goes away.
 */
import type { EventBody } from "../../../app/events/conversation_event.ts";
import type { Answer, OpenQuestion } from "../../../app/questions.ts";
import { PLAN_ANSWERS, reviewOf } from "../../../app/telling/plan_answers.ts";
import type { Environment } from "../../../platform/environment.ts";
import { createPaint } from "../ansi.ts";
import { askApproval } from "../approval_prompt.ts";
import { askChoice } from "../prompt.ts";
import type { TerminalInput } from "../terminal_input.ts";
import { patchLines } from "../undo_view.ts";
import { askYesNo } from "../yes_no.ts";
import { editDocument } from "./edit_document.ts";

const COMMIT = "commit it";
const LATER = "not yet";
const RUN_HOOKS = "let git run it";

/** The terminal, and what becomes of an answer. */
export interface PromptParts {
  input: TerminalInput;
  isColour: boolean;
  environment: Environment;
  /** What the answers of this terminal are told as. */
  name: string;
  /** Resolves when nothing else reads from the terminal. */
  takeTerminal(): Promise<void>;
  /** Makes room for a question; `shown` is the patch that it shows. */
  pause(shown?: string): void;
  say(line: string): void;
  answer(id: string, answer: Answer, by: string): void;
  /** Ctrl-C was pressed at a question. */
  interrupt(): void;
  /** The question could not be put: the terminal is gone, or the process is told to end. */
  fail(error: Error): void;
}

/** See the head of this file. */
export class QuestionPrompts {
  readonly #parts: PromptParts;
  readonly #open = new Map<string, AbortController>();
  #last: Promise<void> = Promise.resolve();

  constructor(parts: PromptParts) {
    this.#parts = parts;
  }

  /** Takes what a conversation tells of its questions. */
  show(body: EventBody): void {
    if (body.type === "question_asked") {
      const controller = new AbortController();
      this.#open.set(body.question.id, controller);
      this.#last = this.#last.then(() => this.#put(body.question, controller.signal));
    }
    if (body.type !== "question_ended") return;
    const { id, by } = body;
    const isElsewhere = this.#open.has(id) && by !== this.#parts.name;
    this.#open.get(id)?.abort(new Error("the question has ended"));
    this.#open.delete(id);
    if (!isElsewhere || by === undefined) return;
    this.#last = this.#last.then(() => this.#parts.say(`Answered by ${by}.`));
  }

  /** Resolves when no question has the terminal. */
  async idle(): Promise<void> {
    await this.#last;
  }

  async #put(question: OpenQuestion, signal: AbortSignal): Promise<void> {
    await this.#parts.takeTerminal();
    if (signal.aborted) return;
    this.#parts.pause(question.kind === "approval" ? question.detail : undefined);
    try {
      const answer = await this.#ask(question, signal);
      if (answer === undefined) return this.#parts.interrupt();
      this.#parts.answer(question.id, answer, this.#parts.name);
    } catch (error) {
      if (!signal.aborted) this.#parts.fail(error instanceof Error ? error : new Error(`${error}`));
    }
  }

  /** Undefined when the user interrupts. */
  async #ask(question: OpenQuestion, signal: AbortSignal): Promise<Answer | undefined> {
    const { input, isColour } = this.#parts;
    switch (question.kind) {
      case "approval": {
        const { summary, detail, scope } = question;
        const put = { summary, detail, always: `${scope.words}, in this chat` };
        const { decision, ...why } = await askApproval(input, put, isColour, signal);
        return decision === "interrupt" ? undefined : { kind: "approval", decision, ...why };
      }
      case "choice": {
        const text = await this.#choose(question.question, question.options, signal);
        return text === undefined ? undefined : { kind: "choice", text };
      }
      case "plan":
        return await this.#review(signal);
      case "confirmation":
        return await this.#confirm(question, signal);
    }
  }

  async #choose(
    question: string,
    options: readonly string[],
    signal: AbortSignal,
  ): Promise<string | undefined> {
    return await askChoice(this.#parts.input, question, options, this.#parts.isColour, signal);
  }

  async #review(signal: AbortSignal): Promise<Answer | undefined> {
    const question = "The whole plan is in planning/plan.md. What now? (Or say what to change.)";
    const text = await this.#choose(question, Object.values(PLAN_ANSWERS), signal);
    if (text === undefined) return undefined;
    const review = reviewOf(text);
    if (review.decision === "edited") {
      const problem = await editDocument("planning/plan.md", this.#parts.environment);
      if (problem !== undefined) this.#parts.say(problem);
    }
    return { kind: "plan", ...review };
  }

  async #confirm(
    { about, question, detail }: Extract<OpenQuestion, { kind: "confirmation" }>,
    signal: AbortSignal,
  ): Promise<Answer | undefined> {
    if (about === "undo") {
      const paint = createPaint(this.#parts.isColour);
      const diff = patchLines(detail, paint);
      const answer = await askYesNo(this.#parts.input, question, paint, diff, signal);
      return answer === "interrupt"
        ? undefined
        : { kind: "confirmation", isConfirmed: answer === "yes" };
    }
    const [text, options, yes] = about === "commit"
      ? [question, [COMMIT, LATER], COMMIT]
      : [`${detail}\n\n${question}`, [LATER, RUN_HOOKS], RUN_HOOKS];
    const answer = await this.#choose(text, options, signal);
    return answer === undefined ? undefined : { kind: "confirmation", isConfirmed: answer === yes };
  }
}

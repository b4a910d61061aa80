/**
 * The questions of a conversation, asked through one client.
 * Rule: each question is answered at most once from here; one that was answered elsewhere is taken back.
 */
import {
  type AgentContext,
  type ClientCapabilities,
  methods,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SendRequestOptions,
} from "@agentclientprotocol/sdk";
import type { Answer, OpenQuestion } from "../../app/questions.ts";
import { PLAN_ANSWERS, reviewOf } from "../../app/telling/plan_answers.ts";
import { type Choice, choiceForm, choiceRequest, formAnswer, optionAnswer } from "./choice.ts";
import {
  approvalAnswer,
  approvalRequest,
  confirmationAnswer,
  confirmationRequest,
} from "./permission.ts";

const PLAN_QUESTION = "The whole plan is in planning/plan.md. What now? (Or say what to change.)";

/** See the head of this file. */
export class Questions {
  readonly #client: AgentContext;
  readonly #capabilities: ClientCapabilities;
  readonly #sessionId: string;
  readonly #root: string;
  readonly #asked = new Map<string, AbortController>();

  constructor(
    client: AgentContext,
    capabilities: ClientCapabilities,
    sessionId: string,
    root: string,
  ) {
    this.#client = client;
    this.#capabilities = capabilities;
    this.#sessionId = sessionId;
    this.#root = root;
  }

  /**
   * Puts a question to the user.
   *
   * @param call the tool call that is running
   * @returns the answer; undefined when the user does not want to answer, "elsewhere" when it was taken back
   * @throws what the client answers in place of an answer
   */
  async ask(
    question: OpenQuestion,
    call: number | undefined,
  ): Promise<Answer | undefined | "elsewhere"> {
    const end = new AbortController();
    this.#asked.set(question.id, end);
    try {
      return await this.#answerTo(question, call, end.signal);
    } catch (error) {
      if (end.signal.aborted) return "elsewhere";
      throw error;
    } finally {
      this.#asked.delete(question.id);
    }
  }

  /** Takes a question back. */
  takeBack(id: string): void {
    this.#asked.get(id)?.abort();
  }

  /** Takes all questions back. */
  close(): void {
    for (const asked of this.#asked.values()) asked.abort();
  }

  async #answerTo(
    question: OpenQuestion,
    call: number | undefined,
    signal: AbortSignal,
  ): Promise<Answer | undefined> {
    switch (question.kind) {
      case "approval": {
        const request = approvalRequest(this.#root, this.#sessionId, question, call);
        return approvalAnswer(await this.#permission(request, signal));
      }
      case "confirmation": {
        const request = confirmationRequest(this.#sessionId, question);
        return confirmationAnswer(await this.#permission(request, signal));
      }
      case "choice": {
        const text = await this.#choose(question, signal);
        return text === undefined ? undefined : { kind: "choice", text };
      }
      case "plan": {
        const options = Object.values(PLAN_ANSWERS);
        const choice = { id: question.id, question: PLAN_QUESTION, options };
        const text = await this.#choose(choice, signal);
        return text === undefined ? undefined : { kind: "plan", ...reviewOf(text) };
      }
    }
  }

  async #choose(choice: Choice, signal: AbortSignal): Promise<string | undefined> {
    if (this.#capabilities.elicitation?.form) {
      const form = choiceForm(this.#sessionId, choice);
      const { create } = methods.client.elicitation;
      return formAnswer(await this.#client.request(create, form, untilAborted(signal)));
    }
    const request = choiceRequest(this.#sessionId, choice);
    return optionAnswer(choice, await this.#permission(request, signal));
  }

  #permission(
    request: RequestPermissionRequest,
    signal: AbortSignal,
  ): Promise<RequestPermissionResponse> {
    const { requestPermission } = methods.client.session;
    return this.#client.request(requestPermission, request, untilAborted(signal));
  }
}

function untilAborted(signal: AbortSignal): SendRequestOptions {
  return { cancellationSignal: signal, stopWaitingOnCancel: true };
}

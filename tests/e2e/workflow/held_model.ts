/**
 * A model behind a server that gives its words in order and can be made to wait with one of them.
 * Rule: which answer is asked for is what the log says: one more than it holds; so a killed run goes on where it was.
 */
import type { Project } from "../../support/project.ts";
import { ModelServer, type Reply } from "../../support/servers/mod.ts";
import { openAi } from "../protocols.ts";
import type { Words } from "./model_words.ts";

/** The model. Use it with `await using`. */
export class HeldModel implements AsyncDisposable {
  readonly server: ModelServer;
  readonly #project: Project;
  #heldAnswer = -1;
  #asked = Promise.withResolvers<void>();
  #released = Promise.withResolvers<Reply | undefined>();

  /** Starts it, and lets every process of the project talk to it. */
  constructor(project: Project, words: readonly Words[]) {
    this.#project = project;
    this.server = ModelServer.start(async () => {
      const answer = this.#recordedAnswers;
      let misbehaviour: Reply | undefined;
      if (answer === this.#heldAnswer) {
        this.#asked.resolve();
        misbehaviour = await this.#released.promise;
      }
      const { text = "", calls = [] } = words[answer] ?? {};
      return misbehaviour ?? { text, calls };
    });
    project.use(openAi(this.server));
  }

  /** Holds this answer, from 0, back until it is released. */
  hold(answer: number): void {
    this.#heldAnswer = answer;
    this.#asked = Promise.withResolvers();
    this.#released = Promise.withResolvers();
  }

  /** Resolves when the answer that is held back is asked for. */
  get asked(): Promise<void> {
    return this.#asked.promise;
  }

  /** Lets it go, or does something else in its place. From here on nothing is held back. */
  release(misbehaviour?: Reply): void {
    this.#heldAnswer = -1;
    this.#released.resolve(misbehaviour);
  }

  get #recordedAnswers(): number {
    return this.#project.records().filter(({ type }) => type === "assistant").length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.release({ isDropped: true });
    await this.server[Symbol.asyncDispose]();
  }
}

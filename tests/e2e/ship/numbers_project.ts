/**
 * A project whose check wants every line of its files to be a number, a model on a server that works in it, and
 * what is to be said of both afterwards.
 * Rule: the server's own count of tokens is kept here, apart from what m31a makes of it.
 */
import { ModelServer, type Reply } from "../../support/servers/mod.ts";
import {
  type EndedBytes,
  type Project,
  type StartOptions,
  withProject,
} from "../../support/project.ts";
import { entrySchema, type LedgerEntry } from "../../../src/ledger/entry.ts";
import { LOOKED, replaces, submits, task, type Words } from "../workflow/model_words.ts";
import { openAi } from "../protocols.ts";

/** What a demonstration of the model's looks like. */
export const DEMONSTRATION: Words = {
  text: "## What changed\n\nThe numbers.\n\n## How to run it\n\n`make test`\n\n" +
    "## Decisions\n\nNone.\n\n## Limits\n\nNone.",
};

/** Tokens of some requests, as the server has counted them. */
export interface Spent {
  requests: number;
  input: number;
  output: number;
  cacheRead: number;
  cost: number;
}

/** The model. What it is to say is put in a queue; each answer costs something else. */
export class ScriptedModel {
  readonly server: ModelServer;
  /** Done when it is asked, before it answers. */
  whenAsked: () => void = () => {};
  #queue: Words[] = [];
  #usages: Omit<Spent, "requests">[] = [];

  constructor() {
    this.server = ModelServer.start((_, number) => this.#answer(number));
  }

  /** Says these next. */
  says(...words: Words[]): void {
    this.#queue = words;
  }

  /** What the answers from number `first` on took. */
  spentSince(first: number): Spent {
    const usages = this.#usages.slice(first);
    const sum = (name: "input" | "output" | "cacheRead" | "cost") =>
      usages.reduce((total, usage) => total + usage[name], 0);
    return {
      requests: usages.length,
      input: sum("input"),
      output: sum("output"),
      cacheRead: sum("cacheRead"),
      cost: sum("cost"),
    };
  }

  #answer(number: number): Reply {
    this.whenAsked();
    const words = this.#queue.shift();
    if (words === undefined) return { status: 400, body: { error: { message: "nothing to say" } } };
    const usage = {
      input: 1000 + 7 * number,
      output: 100 + number,
      cacheRead: 10 * number,
      cost: (number + 1) / 64,
    };
    this.#usages.push(usage);
    return { ...words, usage };
  }
}

/** The project, and its model. */
export class NumbersProject {
  readonly project: Project;
  readonly model: ScriptedModel;

  constructor(project: Project, model: ScriptedModel) {
    this.project = project;
    this.model = model;
  }

  /** Runs `m31a run GOAL`, the model saying `words`. */
  async run(
    goal: string,
    words: readonly Words[],
    options: StartOptions & { flags?: readonly string[] } = {},
  ): Promise<EndedBytes> {
    this.model.says(...words);
    return await this.project.run(["run", goal, ...options.flags ?? []], options);
  }

  /** The entries of the ledger, each line as it is. */
  get entries(): LedgerEntry[] {
    return this.read("planning/ledger.jsonl").split("\n").filter((line) => line !== "")
      .map((line) => entrySchema.parse(JSON.parse(line)));
  }

  /** The memory, empty when there is none. */
  get memory(): string {
    return this.read("planning/MEMORY.md");
  }

  /** A file of the project, empty when it is not there. */
  read(path: string): string {
    try {
      return Deno.readTextFileSync(`${this.project.root}/${path}`);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return "";
      throw error;
    }
  }

  /** Writes an executable hook. */
  hook(name: string, script: string): void {
    this.project.write({ [`.git/hooks/${name}`]: `#!/bin/sh\n${script}\n` });
    Deno.chmodSync(`${this.project.root}/.git/hooks/${name}`, 0o755);
  }

  /** The commits that say that a session made them, newest first, by the session's id. */
  async shippedSessions(): Promise<string[]> {
    const format = "--format=%(trailers:key=M31A-Session,valueonly)";
    return (await this.project.git("log", format)).split("\n").filter((line) => line !== "");
  }
}

/** What a model says that plans one task and does it with one edit of `path` after the other. */
export function work(path: string, ...texts: string[]): Words[] {
  const edits = texts.slice(1).map((to, index) => replaces(path, texts[index] ?? "", to));
  return [LOOKED, submits(task("1", `Mend ${path}`, path)), ...edits];
}

/** Makes the project with a commit; it is gone afterwards. */
export async function withNumbers(
  test: (numbers: NumbersProject) => Promise<void>,
): Promise<void> {
  await withProject(async (project) => {
    const model = new ScriptedModel();
    await using server = model.server;
    project.use(openAi(server));
    project.write({
      "numbers.txt": "1\n2\n3\n",
      "more.txt": "10\n20\n",
      "Makefile":
        "test:\n\t@if grep -n '[^0-9]' *.txt; then echo '1 failed: not a number'; exit 1; fi\n",
      ".gitignore": "planning/\nsessions/\n",
    });
    await project.git("config", "user.name", "Ada");
    await project.git("config", "user.email", "ada@example.org");
    await project.git("add", "--all");
    await project.git("commit", "--quiet", "--message=all");
    await test(new NumbersProject(project, model));
  });
}

/**
 * The model's side of a workflow, for `--model script:` and for a server: a plan, edits, the end of a task.
 * Rule: only words; what comes of them is real.
 */
import type { JsonValue } from "../../../src/platform/canonical_json.ts";

type Input = { [name: string]: JsonValue };

/** One answer of the model. */
export interface Words {
  text?: string;
  calls?: { tool: string; input: Input }[];
  /** What it must have been told before. */
  expect?: string;
}

/** The file that a script is in. It is kept out of the repository. */
export const SCRIPT = "model.script";

/** What the model says at the end of the discussion. */
export const LOOKED: Words = { text: "Looked." };

export const FINISH = { tool: "finish_task", input: { summary: "Done." } };

/** A task of a plan, as a model submits it. */
export function task(id: string, title: string, file: string, ...dependsOn: string[]): Input {
  return { id, title, files: [file], depends_on: dependsOn, acceptance: "The tests pass." };
}

/** Submits a plan. */
export function submits(...tasks: Input[]): Words {
  return { calls: [{ tool: "submit_plan", input: { summary: "Mend it.", tasks } }] };
}

/** Reads a file, replaces a text in it, and says that the task is finished. */
export function replaces(path: string, from: string, to: string, expect?: string): Words {
  return {
    ...(expect === undefined ? {} : { expect }),
    calls: [
      { tool: "read_file", input: { path } },
      { tool: "edit_file", input: { path, old_text: from, new_text: to } },
      FINISH,
    ],
  };
}

/** The text of a script. */
export function scriptOf(...words: Words[]): string {
  return words.map((answer) => `${JSON.stringify(answer)}\n`).join("");
}

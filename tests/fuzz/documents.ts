/**
 * Planning documents that nobody meant: parsed as each of the four kinds, rendered, parsed again.
 * Rule: a document is refused with its line, or it says the same once it is rendered.
 */
import assert from "node:assert/strict";
import { parsePlan, renderPlan } from "../../src/planning/plan.ts";
import { PlanningError } from "../../src/planning/planning_error.ts";
import { parseProject, renderProject } from "../../src/planning/project.ts";
import { parseState, renderState } from "../../src/planning/state.ts";
import { parseTasks, renderTasks } from "../../src/planning/tasks.ts";
import type { Fuzzer } from "./fuzzer.ts";

/** Reads a text as one kind of document; gives what it says, and what is read of what is rendered of it. */
const ROUNDS: readonly ((text: string) => [unknown, unknown])[] = [
  (text) => {
    const document = parsePlan(text);
    return [document, parsePlan(renderPlan(document))];
  },
  (text) => {
    const document = parseProject(text);
    return [document, parseProject(renderProject(document))];
  },
  (text) => {
    const document = parseState(text);
    return [document, parseState(renderState(document))];
  },
  (text) => {
    const document = parseTasks(text);
    return [document, parseTasks(renderTasks(document))];
  },
];

export const DOCUMENTS: Fuzzer = {
  name: "documents",
  words: [
    ...["\n", "\n\n", "\r\n", "|", "\\|", " | ", "- ", "* ", "1. ", "> ", "    ", "\t", "`", "```"],
    ...["~~~", "**", "_", "~~", "<", ">", "<!--", "-->", "<br>", "</p>", "&amp;", "&#0;", "\\"],
    ...["[a](b)", "[a]: b", "![", "]", "(", "===", "---", "| - | - |", "# ", "## ", "### ", "\0"],
    ...["## Goal\n", "## Tasks\n", "## Risks\n", "### 1. a\n", "**Files:** ", "Acceptance: "],
    ...[
      "| ID | Status | Task |\n| - | - | - |\n",
      "| 1 | done | a |\n",
      "<<<<<<< HEAD\n",
      "\ufeff",
    ],
    ...["> ".repeat(30), "- ".repeat(30), "[".repeat(50), "*".repeat(50), "\u2028", "\ud7ff"],
  ],
  check(input, choice) {
    // A document is text: bytes that are none are refused where it is read.
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(input);
    const chosen = ROUNDS.filter((_, index) => choice === 0 || index === choice % ROUNDS.length);
    for (const round of chosen) {
      try {
        const [once, again] = round(text);
        assert.deepEqual(again, once);
      } catch (error) {
        if (!(error instanceof PlanningError)) throw error;
        assert.ok(
          error.line >= 1 && error.line <= text.split(/\r\n|[\r\n]/).length + 1,
          error.message,
        );
      }
    }
  },
};

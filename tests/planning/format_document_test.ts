/** The examples of docs/planning-format.md are documents: they parse, and m31a would write them so. */
import assert from "node:assert/strict";
import type { Code } from "mdast";
import { parseMarkdown } from "../../src/planning/markdown.ts";
import { parsePlan, renderPlan } from "../../src/planning/plan.ts";
import { parseProject, renderProject } from "../../src/planning/project.ts";
import { parseState, renderState } from "../../src/planning/state.ts";
import { parseTasks, renderTasks } from "../../src/planning/tasks.ts";

const text = Deno.readTextFileSync(new URL("../../docs/planning-format.md", import.meta.url));

const ROUNDS: Record<string, (text: string) => string> = {
  "PROJECT.md": (text) => renderProject(parseProject(text)),
  "TASKS.md": (text) => renderTasks(parseTasks(text)),
  "STATE.md": (text) => renderState(parseState(text)),
  "plan.md": (text) => renderPlan(parsePlan(text)),
};

const examples = parseMarkdown(text).children
  .filter((node): node is Code => node.type === "code" && node.lang === "markdown");

Deno.test("docs/planning-format.md has examples of every document", () => {
  const shown = new Set(examples.map((example) => example.meta?.split(" ")[0]));
  assert.deepEqual([...shown].sort(), Object.keys(ROUNDS).sort());
});

for (const example of examples) {
  const [file = "", ...notes] = (example.meta ?? "").split(" ");
  const line = example.position?.start.line;
  Deno.test(`docs/planning-format.md:${line} is a ${file} as it says`, () => {
    const round = ROUNDS[file];
    assert.ok(round !== undefined, `no codec for ${file}`);
    const written = round(`${example.value}\n`);
    if (notes.join(" ") === "by hand") assert.equal(round(written), written);
    else assert.equal(written, `${example.value}\n`);
  });
}

Deno.test("docs/planning-format.md shows the error that a wrong status gives", () => {
  const rows = ["| 1 | done | a |", "| 2 | done | b |", "| 3 | doen | c |"];
  const tasks = ["# Tasks", "", "| ID | Status | Task |", "| - | - | - |", ...rows].join("\n");
  assert.throws(() => parseTasks(tasks), (error: unknown) => {
    assert.ok(error instanceof Error);
    assert.ok(text.includes(error.message), error.message);
    return true;
  });
});

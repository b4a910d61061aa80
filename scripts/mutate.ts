/**
 * Mutation tests: `deno task mutate [words…]` puts each defect of scripts/mutate/list/ into a copy of the
 * project, runs the tests that are to notice it, and says which went unnoticed. Words select by file or description.
 * Rule: at most one in twenty may go unnoticed; a mutation that does not apply any more is an error.
 *
 * The list is by hand. Stryker runs these tests too (its command runner, `deno test`), but it mutates
 * everything: thousands of mutants for the heart, hours, and many of them change nothing that could be seen.
 */
import { join } from "@std/path";
import { pathExists } from "../src/platform/files.ts";
import { PROJECT_ROOT } from "./deno.ts";
import { judge, type Verdict } from "./mutate/judge.ts";
import { MUTATIONS } from "./mutate/list.ts";
import type { Mutation } from "./mutate/mutation.ts";
import { ProjectCopy } from "./mutate/project_copy.ts";

const WORKERS = 2;
/** Of a hundred. */
const ALLOWED_UNNOTICED = 5;
/** How long all the tests may take that the list names, in milliseconds. */
const FIRST_RUN_MS = 20 * 60_000;

/** Whether the tests pass without a mutation: otherwise their failing would say nothing. */
async function passes([copy]: readonly ProjectCopy[], mutations: readonly Mutation[]) {
  const files = [...new Set(mutations.flatMap(({ tests }) => tests))];
  const missing = files.filter((file) => !pathExists(join(PROJECT_ROOT, file)));
  if (missing.length > 0) {
    console.error(`there is no ${missing.join(", ")}; mend scripts/mutate/list/`);
  }
  if (missing.length > 0 || copy === undefined) return false;
  console.log(`running ${files.length} test files as they are …`);
  const { code, output } = await copy.test(["--parallel", ...files], FIRST_RUN_MS);
  if (code === 0) return true;
  console.error(output.split("\n").filter((line) => !line.includes(" ... ok (")).join("\n"));
  console.error("these tests do not pass as they are, so their failing would prove nothing");
  return false;
}

function tell({ mutation, kind, detail }: Verdict): void {
  const { file, what } = mutation;
  console.log(`${kind.padEnd(9)}${file}: ${what}${detail === "" ? "" : ` (${detail})`}`);
}

/** Judges mutations of the queue until it is empty. */
async function work(queue: Mutation[], verdicts: Verdict[], copy: ProjectCopy): Promise<void> {
  for (let mutation = queue.shift(); mutation !== undefined; mutation = queue.shift()) {
    const verdict = await judge(copy, mutation);
    verdicts.push(verdict);
    tell(verdict);
  }
}

const selected = MUTATIONS.filter(({ file, what }) =>
  Deno.args.length === 0 || Deno.args.some((word) => file.includes(word) || what.includes(word))
);
if (selected.length === 0) {
  console.error(`no mutation has ${Deno.args.join(" or ")} in its file or description`);
  Deno.exit(2);
}

const verdicts: Verdict[] = [];
const copies: ProjectCopy[] = [];
const removeCopies = () => copies.splice(0).forEach((copy) => copy.remove());
Deno.addSignalListener("SIGINT", () => {
  removeCopies();
  Deno.exit(130);
});
try {
  for (let n = 0; n < WORKERS; n++) copies.push(await ProjectCopy.make());
  const isPassing = await passes(copies, selected);
  const queue = isPassing ? [...selected] : [];
  await Promise.all(copies.map((copy) => work(queue, verdicts, copy)));
} finally {
  removeCopies();
}
if (verdicts.length === 0) Deno.exit(1);

const of = (...kinds: Verdict["kind"][]) => verdicts.filter(({ kind }) => kinds.includes(kind));
const applied = of("killed", "survived", "hung");
const unnoticed = of("survived", "hung");
const wrong = of("stale", "broken");
const percent = applied.length === 0 ? 0 : 100 * unnoticed.length / applied.length;
if (unnoticed.length > 0) console.log("\nunnoticed:");
unnoticed.forEach(tell);
if (wrong.length > 0) console.log("\nto be mended in scripts/mutate/list/:");
wrong.forEach(tell);
console.log(
  `\n${applied.length} mutations, ${unnoticed.length} unnoticed: ${percent.toFixed(1)} % ` +
    `(at most ${ALLOWED_UNNOTICED} %); ${wrong.length} that do not apply`,
);
Deno.exit(wrong.length > 0 || percent > ALLOWED_UNNOTICED ? 1 : 0);

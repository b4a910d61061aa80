/**
 * What was not proved of a commit, as far as its log tells.
 * Rule: pure; each sentence is one line, and nothing that is known is left out.
 */
import { MAX_FILES } from "../ledger/entry.ts";
import { counted } from "../platform/text.ts";
import type { CheckOutcome } from "./account.ts";
import { isTestFile } from "./checks/test_files.ts";
import { worthOf } from "./checks/test_count.ts";
import type { DemonstrationSubject } from "./demonstration_facts.ts";
import { oneLine } from "./one_line.ts";

/** The limits of what was shipped, in sentences. */
export function knownLimits(subject: DemonstrationSubject): string[] {
  const { commit, checks, overrides, outline } = subject;
  const { tree, why } = commit.proof;
  return [
    ...(tree === null ? [`The commit was not proved on its own: ${oneLine(why)}.`] : []),
    ...(tree !== null && why !== "" ? [`The commit was proved ${oneLine(why)}.`] : []),
    ...overrides.map((flag) => OVERRIDDEN[flag] ?? `It was shipped with ${flag}.`),
    ...(checks.length === 0 ? ["No check was run."] : checks.flatMap(limitOfCheck)),
    ...outline.caveats.map(oneLine),
    ...changedTests(subject),
    ...byChecks(subject),
    ...outline.tasks.flatMap(({ id, status, detail }) =>
      status === "done" ? [] : [
        `Task ${id} is ${status}${detail === "" ? "." : `: ${oneLine(detail)}`}`,
      ]
    ),
    ...outline.tasks.filter(({ changedNothing }) => changedNothing).map(({ id, files }) =>
      `Task ${id} changed nothing${
        files.length === 0 ? "." : `, though the plan named ${files.map(oneLine).join(", ")}.`
      }`
    ),
    ...(outline.plan?.risks ?? []).map((risk) => `Risk: ${oneLine(risk)}`),
  ];
}

const OVERRIDDEN: Readonly<Record<string, string>> = {
  "--unverified": "It was shipped though the checks had not passed on it (--unverified).",
  "--partial": "It was shipped though not all tasks were done (--partial).",
  "--include-dirty": "It holds work of the user's in the same files (--include-dirty).",
};

function limitOfCheck(check: CheckOutcome): string[] {
  const { name, command, passed, tests } = check;
  const named = `${oneLine(name)} (${oneLine(command)})`;
  if (!passed) return [`The check ${named} failed.`];
  switch (worthOf(check, tests).worth) {
    case "ran nothing":
      return [`The check ${named} ran no test.`];
    case "not known":
      return [`How many tests the check ${named} ran is not known.`];
    default:
      return [];
  }
}

/** What a check writes is committed with the session's work, and nobody has planned it. */
function byChecks({ changedByChecks, commit }: DemonstrationSubject): string[] {
  const names = commit.paths.filter((path) => changedByChecks.has(path)).map((path) =>
    `${oneLine(path)} (check ${oneLine(changedByChecks.get(path) ?? "")})`
  );
  return names.length === 0 ? [] : [`Checks changed files of the commit: ${names.join(", ")}.`];
}

/** A change of tests can weaken what they prove. */
function changedTests({ metrics }: DemonstrationSubject): string[] {
  const tests = metrics.files.filter(isTestFile);
  if (tests.length === 0) return [];
  const isCut = metrics.files.length >= MAX_FILES;
  const names = tests.map(oneLine).join(", ");
  return [
    `${counted(tests.length, "file")} of tests changed along with it: ${names}` +
    (isCut ? `, among the first ${MAX_FILES} files.` : "."),
  ];
}

/** Nothing is exported that nothing uses; what only tests use is listed here, with the reason. */
import assert from "node:assert/strict";
import { resolve } from "@std/path";
import { sourcesOf, unusedExports } from "./support/exports.ts";

const ROOT = resolve(".");
const SRC = sourcesOf(ROOT, ["src"]);
const SCRIPTS = sourcesOf(ROOT, ["scripts"]);
const TESTS = sourcesOf(ROOT, ["tests"]);

/** By the reason, what is exported for tests alone. A folder stands for all that is in it. */
const FOR_TESTS: Readonly<Record<string, readonly string[]>> = {
  "pure parts with more cases than can be reached through the whole": [
    "src/agent/configuration.ts: resolveConfiguration",
    "src/cli/exit.ts: endingOf",
    "src/cli/program.ts: createProgram",
    "src/cli/render/html_export.ts: escapeHtml",
    "src/cli/render/markdown_export.ts: fenced",
    "src/cli/render/markdown_export.ts: withClosedFences",
    "src/ledger/project_digest.ts: newestEntries",
    "src/ledger/quantiles.ts: valueOf",
    "src/ledger/report/report.ts: embedJson",
    "src/ledger/stats.ts: weekName",
    "src/ledger/team/push.ts: withoutWords",
    "src/workflow/detect/no_check.ts: provesSomething",
    "src/workflow/detect/project.ts: describeEcosystem",
    "src/workflow/plan_validation.ts: findCycle",
    "src/workflow/plan_validation.ts: pathProblem",
  ],
  "the plain form of a fold, which property tests compare it with": [
    "src/workflow/fold.ts: nextState",
    "src/session/replay.ts: replay",
  ],
  "errors that whoever calls may tell by their class": [
    "src/agent/configuration.ts: ConfigurationInvalid",
    "src/session/replay.ts: RequestTooLarge",
    "src/workflow/project_lock.ts: WorkflowInUse",
  ],
  "bounds and names that tests take from where they stand": [
    "src/app/events/event_tail.ts: LONGEST_KEPT_OUTPUT",
    "src/app/events/event_tail.ts: MAX_KEPT_EVENTS",
    "src/app/events/follow.ts: MAX_WAITING_BYTES",
    "src/app/events/follow.ts: MAX_WAITING_EVENTS",
    "src/git/user_environment.ts: LOCAL_VARIABLES",
    "src/ledger/memory.ts: KEPT_BLOCKS",
    "src/ledger/memory.ts: MEMORY_LIMIT_BYTES",
    "src/ledger/past/commits.ts: MAX_COMMIT_FILES",
    "src/ledger/past/commits.ts: MAX_SUBJECT",
    "src/ledger/ranking.ts: MAX_LIKELY_FILES",
    "src/planning/tasks.ts: TASK_COLUMNS",
    "src/planning/tasks.ts: TASK_STATUSES",
    "src/platform/text.ts: MASK",
    "src/session/json.ts: MAX_JSON_DEPTH",
    "src/ship/preflight/check.ts: CHECK_NAMES",
    "src/workflow/plain_turn.ts: LONGEST_SUBJECT",
    "src/workflow/plain_turn.ts: MOST_FILES_TOLD",
  ],
  "steps of one operation that tests take one by one": [
    "src/agent/configuration.ts: readConfiguration",
    "src/git/apply.ts: applyPatch",
    "src/platform/lock.ts: lateAttemptsEnded",
    "src/git/rollback.ts: applyRollback",
  ],
  "an answer as the next prompt repeats it, for the tests of the adapters": [
    "src/model/prompt.ts: assistantMessage",
  ],
};

const isFolder = (entry: string) => entry.endsWith("/");
const ENTRIES = Object.values(FOR_TESTS).flat();

Deno.test("src/ exports nothing that only its own file, or only tests, use", () => {
  const unused = unusedExports(ROOT, SRC, ["main.ts", ...SRC, ...SCRIPTS]);
  const isListed = (name: string) =>
    ENTRIES.some((entry) => isFolder(entry) ? name.startsWith(entry) : name === entry);
  assert.deepEqual(unused.filter((name) => !isListed(name)), []);
  const stale = ENTRIES.filter((entry) => !isFolder(entry) && !unused.includes(entry));
  assert.deepEqual(
    stale,
    [],
    `these are used, or gone, take them off the list: ${stale.join(", ")}`,
  );
});

Deno.test("what src/ exports for tests alone is used by tests", () => {
  const unused = unusedExports(ROOT, SRC, ["main.ts", ...SRC, ...SCRIPTS, ...TESTS]);
  assert.deepEqual(unused.filter((name) => ENTRIES.includes(name)), []);
});

Deno.test("scripts/ and tests/ export nothing that nothing uses", () => {
  const files = [...SCRIPTS, ...TESTS];
  // A benchmark is found by its file's name. What has an example is there for it.
  const unused = unusedExports(ROOT, files, files)
    .filter((name) => !/^scripts\/bench\/\w+\.ts: (?:name|run)$/.test(name));
  assert.deepEqual(unused, ["scripts/mutate/judge.ts: verdictOf"]);
});

/** Defects of the workflow: what counts as done, what a person's edit does, what comes back. */
import { mutationsOf } from "../mutation.ts";

export const WORKFLOW = [
  ...mutationsOf("src/workflow/run_checks.ts", "tests/workflow/workflow_test.ts", [
    ["a check runs twice on one tree", "last.tree === watch.treeBefore", "false"],
    ["what has changed since is not checked again", "last.tree === watch.treeBefore", "true"],
  ]),
  ...mutationsOf("src/workflow/fold_checks.ts", "tests/workflow/workflow_test.ts", [
    [
      "one passing check of two is enough",
      "if (first === undefined) return null;",
      "if (first === undefined || attempt?.checks.some(({ passed }) => passed)) return null;",
    ],
    ["what a plan leaves failing is healed", '!passed && standing !== "excused"', "!passed"],
    ["the model is to mend the machine", "before?.passed !== true && isEnv", "false && isEnv"],
  ]),
  ...mutationsOf("src/ship/checks/run_check.ts", "tests/workflow/workflow_test.ts", [
    [
      "a check whose time was over has passed",
      "passed: result.exitCode === 0 && !result.timedOut",
      "passed: result.exitCode === 0 || result.timedOut",
    ],
  ]),
  ...mutationsOf("src/workflow/settle_definitions.ts", "tests/workflow/weakened_checks_test.ts", [
    ["a changed check counts unasked", "if (found.every(isKnown)) {", "if (true) {"],
  ]),
  ...mutationsOf("src/workflow/old_tests.ts", "tests/workflow/weakened_checks_test.ts", [
    ["the tests as they were are not run", "if (old.length === 0)", "if (true)"],
  ]),
  ...mutationsOf("src/workflow/machine.ts", "tests/workflow/workflow_test.ts", [
    [
      "a phase that was cut off is over",
      'if (last.status === "entered") return',
      "if (false) return",
    ],
    ["a phase that failed is over", 'if (last.status === "failed") return', "if (false) return"],
  ]),
  ...mutationsOf("src/workflow/phases/execute.ts", "tests/workflow/workflow_test.ts", [
    [
      "a task runs whose dependency failed",
      'status.get(other) !== "done"',
      'status.get(other) === "pending"',
    ],
    [
      "one task that is done is enough",
      "if (done === tasks.length) return",
      "if (done > 0) return",
    ],
  ]),
  ...mutationsOf("src/workflow/phases/task.ts", "tests/workflow/workflow_test.ts", [
    ["a task is healed once more", "number < MAX_HEALS", "number <= MAX_HEALS"],
    ["what was given up is done", "if (turn.gaveUp !== null)", "if (false)"],
  ]),
  ...mutationsOf("src/workflow/phases/verify.ts", "tests/workflow/workflow_test.ts", [
    ["without checks it is verified", "if (count === 0) return", "if (false) return"],
    ["what failed is verified", "if (obstacle !== undefined) return", "if (false) return"],
    ["no test is proof", "if (!isProof) return", "if (false) return"],
  ]),
  ...mutationsOf("src/workflow/plan_validation.ts", "tests/workflow/plan_validation_test.ts", [
    ["a circle can be carried out", "if (cycle !== undefined) {", "if (false) {"],
    ["a file may lead out of the project", 'if (parts.includes("..")) return', "if (false) return"],
    ["a file may be in .git", 'plain.includes(".git") || ', ""],
    [
      "a folder of m31a's own may be written",
      'if (OWN_FOLDERS.includes(plain[0] ?? "")) return',
      "if (false) return",
    ],
    ["an ID may come twice", "if (seen.has(id)) problems.push", "if (false) problems.push"],
    ["an unknown dependency is none", "if (ids.has(id)) return [];", "return [];"],
    ["a dependency comes after", "task.dependsOn.every((id) => done.has(id))", "true"],
  ]),
  ...mutationsOf("src/workflow/fold.ts", "tests/workflow/fold_test.ts", [
    [
      "a second goal has the first one's plan",
      "plans: state.isShipped ? [] : state.plans.map",
      "plans: state.plans.map",
    ],
    ["what failed gets no other chance", 'if (phase === "execute") return', "if (false) return"],
    [
      "what is taken back of a ship stays put away",
      "return { ...next, isShipped: false, tasks:",
      "return { ...next, tasks:",
    ],
    [
      "an approved plan stays approved for another goal",
      "({ ...version, approved: false })",
      "version",
    ],
    [
      "planning that begins anew counts the old tries",
      "submitted: null, refusedPlans: 0 };",
      "submitted: null };",
    ],
  ]),
  ...mutationsOf("src/workflow/fold_attempt.ts", "tests/workflow/fold_test.ts", [
    [
      "anything that is said belongs to the attempt",
      "if (about === undefined || !isSameSubject(about, attempt.about))",
      "if (false)",
    ],
    [
      "a heal keeps the checks of the attempt before",
      "    turn,\n    checks: [],",
      "    turn,\n    checks: attempt.checks,",
    ],
    [
      "a check of another task counts",
      'record.purpose === "attempt" && record.task === attempt?.about.task',
      'record.purpose === "attempt"',
    ],
  ]),
  ...mutationsOf("src/workflow/plan_tasks.ts", "tests/workflow/fold_test.ts", [
    ["a task of another content keeps being done", "JSON.stringify(planned) === content", "true"],
  ]),
  ...mutationsOf("src/workflow/undo_fold.ts", "tests/workflow/undo_fold_test.ts", [
    ["an undo leads to where it began", "after.get(to ?? 0) ?? []", "live"],
    [
      "a task whose work went is done",
      "live.has(task.checkpoint)) return task;",
      "true) return task;",
    ],
    [
      "what a person called done is taken back",
      'if (task.status === "done" && task.checkpoint === null) return task;',
      "",
    ],
  ]),
  ...mutationsOf("src/workflow/undo_settle.ts", "tests/workflow/undo_test.ts", [
    ["what is left as it is now is not told", "if (!isOurs) others.push(path);", ""],
    [
      "an undo that was cut off is not looked for",
      "if (undo === null) return undefined;",
      "if (undo === null || undo.number < 3) return undefined;",
    ],
    [
      "what a task did that was cut off is forgotten by its undo",
      "checkpoint.number > last && checkpoint.number < number",
      "false",
    ],
    ["an undo that had not begun is recorded", "if (!isBegun) {", "if (false) {"],
  ]),
  ...mutationsOf("src/workflow/undo.ts", "tests/workflow/undo_test.ts", [
    [
      "conflicts are overwritten unasked",
      "if (conflicts.length > 0 && !options.force) throw",
      "if (false) throw",
    ],
    [
      "an undo that wrote nothing stays",
      "if (!hasWritten) {",
      "if (false) {",
    ],
    [
      "a task that was cut off is not taken back",
      "...this.#cutOff === undefined ? [] : [this.#cutOff],",
      "",
    ],
  ]),
  ...mutationsOf("src/workflow/undo_record.ts", "tests/workflow/undo_test.ts", [
    [
      "what was taken back stays verified",
      "const hasExecuted = phase !== null && ",
      "const hasExecuted = phase === null && ",
    ],
  ]),
  ...mutationsOf("src/workflow/merge_edit.ts", [
    "tests/workflow/projection_test.ts",
    "tests/workflow/workflow_test.ts",
  ], [
    ["a check without a command always passes", 'command.trim() === ""', "false"],
    [
      "an edited plan is not approved",
      "const approved = latest?.approved ?? false;",
      "const approved = false;",
    ],
    [
      "a plan that says the same is a new version",
      "if (JSON.stringify(latest?.plan) === JSON.stringify(plan)) return state;",
      "",
    ],
  ]),
  ...mutationsOf("src/workflow/projection.ts", "tests/workflow/projection_test.ts", [
    [
      "an edit is overwritten",
      "if (present !== undefined && await this.#isEdited(document, present, state)) continue;",
      "",
    ],
    ["an edit that makes no sense is taken over", "if (problems.length > 0) {", "if (false) {"],
    [
      "what is put away comes back",
      "    // What is put away in the archive stays there.\n    if (state.isShipped) return;",
      "",
    ],
  ]),
  ...mutationsOf("src/workflow/rebase_edit.ts", ["tests/workflow/projection_test.ts"], [
    [
      "the log's present is overwritten by an edit",
      "return isSame(old, mine) ? now : mine;",
      "return mine;",
    ],
    ["a person's edit is lost", "return isSame(old, mine) ? now : mine;", "return now;"],
  ]),
  ...mutationsOf("src/workflow/link.ts", "tests/workflow/workflow_test.ts", [
    [
      "files may change before the plan is approved",
      'if (phase !== "discuss" && phase !== "plan") return undefined;',
      "return undefined;",
    ],
    [
      "a plan that cannot be carried out is taken",
      "if (problems.length === 0) return done",
      "return done",
    ],
    ["a question is asked twice", "if (known?.answer) return known.answer.text;", ""],
  ]),
  ...mutationsOf("src/workflow/causes.ts", "tests/workflow/causes_test.ts", [
    [
      "a time that was over is a failed test",
      'if (exitCode === TIMEOUT_EXIT_CODE) return "timeout";',
      "",
    ],
  ]),
  ...mutationsOf("src/workflow/checks/worth.ts", "tests/workflow/checks/worth_test.ts", [
    [
      "a count that vanished verifies",
      "if (was === null || was.ran === 0 || now.tests !== null) continue;",
      "continue;",
    ],
  ]),
  ...mutationsOf(
    "src/workflow/checks/definition_change.ts",
    "tests/workflow/checks/definition_test.ts",
    [["a new name counts as a changed one", "part.mayBeNew === true", "false"]],
  ),
];

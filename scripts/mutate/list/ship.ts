/** Defects of shipping: what is committed twice, what is not proved, what is told of it. */
import { mutationsOf } from "../mutation.ts";

export const SHIP = [
  ...mutationsOf("src/ship/steps.ts", "tests/ship/ship_test.ts", [
    [
      "a second goal's documents are not put away",
      "    this.demonstration = undefined;\n    this.isArchived = false;",
      "    this.demonstration = undefined;",
    ],
    [
      "a second goal goes by the first one's commit",
      "    this.commit = undefined;\n    this.metrics",
      "    this.metrics",
    ],
    [
      "new work after a ship is shipped already",
      "    if (isNewWork && this.isShipped) this.#beginAnew();\n",
      "",
    ],
  ]),
  ...mutationsOf("src/ship/find_commit.ts", [
    "tests/ship/ship_test.ts",
    "tests/ship/find_commit_test.ts",
  ], [
    ["a commit with another parent is taken for it", ' && parents === (base ?? "")', ""],
    ["a commit of another session is taken for it", "owner === session && parents", "parents"],
  ]),
  ...mutationsOf(
    "src/ship/settle_entry.ts",
    ["tests/ship/ship_test.ts", "tests/ship/kill_test.ts"],
    [
      [
        "the memory is not told",
        "const archived = await appendMemory(root, blockOf(unsettled.entry));",
        "const archived: string[] = [];",
      ],
    ],
  ),
  ...mutationsOf("src/ship/ship.ts", ["tests/ship/ship_test.ts", "tests/ship/kill_test.ts"], [
    [
      "what an attempt before decided to tell is not told",
      "  await settleEntry(request.root, account, log);\n  if (!account",
      "  if (!account",
    ],
    [
      "DEMONSTRATION.md comes back when it is put away",
      "if (!steps.isArchived) writeDemonstration",
      "writeDemonstration",
    ],
    [
      "a ship that goes on has two entries",
      "if (!isEntryOf(steps.entry?.entry, commit)) decideEntry",
      "decideEntry",
    ],
  ]),
  ...mutationsOf(
    "src/ship/commit_step.ts",
    ["tests/ship/ship_test.ts", "tests/ship/kill_test.ts"],
    [
      [
        "a commit that was made is made again",
        "if (made !== undefined && begunBase !== undefined) {",
        "if (false) {",
      ],
      [
        "the user's no is a yes",
        "if (await request.confirm?.(checks) === false) return",
        "if (false) return",
      ],
    ],
  ),
  ...mutationsOf("src/ship/preflight/work_checks.ts", "tests/ship/preflight_test.ts", [
    [
      "files may change after the checks",
      "if (isVerified && changedSince.length === 0)",
      "if (isVerified)",
    ],
    ["a skipped task is a done one", 'status !== "done"', 'status === "failed"'],
    ["nothing is enough to ship", "if (changedFiles === 0)", "if (false)"],
  ]),
  ...mutationsOf("src/ship/preflight/line_checks.ts", "tests/ship/preflight_test.ts", [
    ["the mark of the common base is no conflict", "|>{7}|\\|{7})( |$)/", "|>{7})( |$)/"],
    ["the mark of a merge's begin is no conflict", "(<{7}|>{7}|", "(>{7}|"],
    ["any row of bars is a conflict", "\\|{7})( |$)/", "\\|{7})/"],
  ]),
  ...mutationsOf("src/ship/preflight/file_checks.ts", "tests/ship/preflight_test.ts", [
    [
      "the user's own changes go along",
      "if (dirtyBefore.length === 0) return passed",
      "return passed",
    ],
    ["an ignored file is no obstacle", "if (ignored.length === 0) return passed", "return passed"],
  ]),
  ...mutationsOf("src/ship/account.ts", "tests/ship/account_test.ts", [
    [
      "what was verified stays so after a change",
      "if (changesFiles(record)) this.isVerified = false;",
      "",
    ],
    [
      "a check after a task says more than the last one",
      "record.task === null || known === undefined || known.task !== null",
      "true",
    ],
    [
      "a fork's records are the session's own",
      "    if (isOwn) this.steps.apply(record);",
      "    this.steps.apply(record);",
    ],
    [
      "a second attempt counts the first one's requests",
      "    this.#requests = [];\n    this.failures",
      "    this.failures",
    ],
    [
      "a goal that was verified is verified for the next",
      "        this.isVerified = false;\n        this.#checks.clear();",
      "        this.#checks.clear();",
    ],
  ]),
  ...mutationsOf("src/ship/touched_files.ts", "tests/ship/touched_files_test.ts", [
    [
      "what was there before the first touch is forgotten",
      "{ path, before: first.before,",
      "{ path, before,",
    ],
    ["what was taken back is touched", "if (since > back) this.#files.delete(path);", ""],
    [
      "a renamed file's old name is not touched",
      "if (renamedFrom !== undefined) this.#touch(renamedFrom, { kept: before }, { kept: null });",
      "",
    ],
    [
      "a commit that was taken back is committed",
      "this.#files = this.#committed;",
      "this.#files = new Map();",
    ],
  ]),
  ...mutationsOf("src/ship/work_clock.ts", "tests/ship/account_test.ts", [
    [
      "a phase that ended goes on",
      'record.status === "entered" ? record.phase : "chat"',
      "record.phase",
    ],
  ]),
  ...mutationsOf("src/ship/steps.ts", "tests/ship/kill_test.ts", [
    [
      "an entry that is not in the memory is settled",
      "this.entry?.isInMemory === false",
      "this.entry?.isInLedger === false",
    ],
  ]),
  ...mutationsOf("src/ship/commit_step.ts", "tests/ship/preflight_test.ts", [
    ["what blocks does not block", "if (!mayShip(checks)) return", "if (false) return"],
  ]),
  ...mutationsOf("src/ship/proof/prove.ts", "tests/ship/proof_test.ts", [
    [
      "a check that made its tree of another one proves it",
      " && touched.length + unknown.length === 0",
      "",
    ],
  ]),
  ...mutationsOf("src/ship/proof/ignored_work.ts", "tests/ship/ignored_work_test.ts", [
    [
      "what a session made is taken along",
      "if (isWhole) work.made.push(entry);",
      "if (false) work.made.push(entry);",
    ],
    ["what a command changed is not named", "else if (isOfCommand) work.changed.push(entry);", ""],
  ]),
];

/** Defects of what m31a does with git: checkpoints, going back, committing, reading what git says. */
import { mutationsOf } from "../mutation.ts";

export const GIT = [
  ...mutationsOf("src/git/checkpoint.ts", "tests/git/checkpoint_test.ts", [
    [
      "a file makes no room for a folder of its name",
      "[...items.filter(isRemoval), ...items.filter((item) => !isRemoval(item))]",
      "[...items]",
    ],
    ["a checkpoint is made on the first", "checkpoint.number < number", "checkpoint.number < 2"],
    ["the user's hooks run", '"core.hooksPath=/dev/null"', '"core.bare=false"'],
    ["checkpoints are in the order of their names", ".sort((a, b) => a.number - b.number)", ""],
  ]),
  ...mutationsOf("src/git/rollback.ts", "tests/git/checkpoint_test.ts", [
    [
      "what someone else changed is overwritten",
      'file.verdict === "conflict" && !options.overwriteConflicts',
      "false",
    ],
    [
      "a change under the work of later tasks is overwritten",
      "if (isMixed) {",
      "if (false) {",
    ],
    ["checkpoints that do not count are taken back", "number <= last);", "true);"],
    [
      "what an undo brought back is taken for another's",
      "foreign.has(path.text) && !history.known.has(keyOf(before))",
      "foreign.has(path.text)",
    ],
    [
      "what was taken back already is a conflict",
      "if (isMixed === undefined && isSameKept(last, target))",
      "if (false)",
    ],
  ]),
  ...mutationsOf("src/git/index_sync.ts", [
    "tests/git/commit_test.ts",
    "tests/git/undo_commit_test.ts",
  ], [
    [
      "an entry that the user has staged is overwritten",
      "index?.newMode === change.oldMode && index.newBlob === change.oldBlob",
      "true",
    ],
    ["the old side is the new one", 'blob: side === "old" ? oldBlob : newBlob', "blob: newBlob"],
  ]),
  ...mutationsOf("src/git/commit.ts", "tests/git/commit_test.ts", [
    ["an ignored file is committed", "if (ignored.length > 0) {", "if (false) {"],
    ["nothing is committed as a commit", "if (code === 0) {", "if (false) {"],
    ["what a hook added is not told", "!asked.has(pathKey(path))", "false"],
    ["the index stays behind the commit", 'await syncIndex(git, changes, "new");', ""],
    [
      "a commit of another session is taken for its own",
      "if (owner !== session || commit === undefined)",
      "if (commit === undefined)",
    ],
  ]),
  ...mutationsOf("src/git/undo_commit.ts", "tests/git/undo_commit_test.ts", [
    ["a commit that is not m31a's is taken back", 'if (owner === "") throw', "if (false) throw"],
    [
      "a commit of another session is taken back",
      "if (session !== undefined && owner !== session)",
      "if (false)",
    ],
    ["a merge is taken back", 'if (parents.includes(" ")) throw', "if (false) throw"],
    [
      "a commit that was pushed is taken back",
      "if (await isPushed(git, state.head))",
      "if (false)",
    ],
    ["what the user has staged since is lost", "!isStaged.has(pathKey(path))", "true"],
    [
      "a commit is taken back in the middle of a merge",
      "if (state.operation !== undefined) throw",
      "if (false) throw",
    ],
  ]),
  ...mutationsOf("src/git/numstat.ts", "tests/git/numstat_test.ts", [
    ["a deleted link is no link", 'newMode === "000000" ? oldMode : newMode', "newMode"],
    [
      "a file that became a link does not count",
      'count("modified", "typechange")',
      'count("modified")',
    ],
    [
      "the old name counts in place of the new",
      "    reader.name();\n    name = reader.name();",
      "    name = reader.name();\n    reader.name();",
    ],
    ["output that was cut is taken", "if (rest.byteLength > 0)", "if (false)"],
  ]),
  ...mutationsOf("src/git/quote.ts", "tests/git/apply_test.ts", [
    ["a name with a blank is not quoted", '[\\x00-\\x20"\\\\\\x7f]/;', '[\\x00-\\x1f"\\\\\\x7f]/;'],
  ]),
  ...mutationsOf("src/git/state.ts", "tests/git/state_test.ts", [
    [
      "a tracked file that matches a pattern is ignored",
      "!tracked.has(decodeLatin1(bytes))",
      "true",
    ],
    ["a rebase is not seen", '  ["rebase-merge", "rebase"],\n', ""],
    ["one of two identities is enough", "answers.every(", "answers.some("],
  ]),
  ...mutationsOf(
    "src/git/work_tree/unlike_checkout.ts",
    "tests/git/work_tree/unlike_checkout_test.ts",
    [
      [
        "line ends are not compared with those that are stored",
        "sizes.get(name) !== entries.get(name)?.sizeBytes",
        "false",
      ],
      [
        "what a checkout converts is not compared",
        "const asked = [...onCheckout, ...shrunk];",
        "const asked = [...shrunk];",
      ],
      ["what the umask gives is the only usual mode", "mostFrequent(found, kind)])", "undefined])"],
    ],
  ),
];

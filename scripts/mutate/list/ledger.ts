/** Defects of the ledger and the memory: what counts once, what is in the file, what the cache may say. */
import { mutationsOf } from "../mutation.ts";

export const LEDGER = [
  ...mutationsOf("src/ledger/stats_cache.ts", "tests/ledger/ledger_sources_test.ts", [
    [
      "a file of the same size that was changed is not read again",
      "if (size === header.sizeBytes && header.changedMs !== mtime?.getTime()) return false;",
      "",
    ],
    ["a file that was replaced goes by the old fold", "header.ino !== ino || ", ""],
    [
      "the sample is not compared",
      "return header.sample === sampleHash(file, header.position.bytes);",
      "return true;",
    ],
    ["a cache of another format is read", "header.format !== CACHE_FORMAT || ", ""],
  ]),
  ...mutationsOf("src/ledger/entry_scanner.ts", "tests/ledger/entry_scanner_test.ts", [
    [
      "an extension that comes twice is taken",
      "if (view.extensions[n] === extension) return false;",
      "",
    ],
    ["a phase's name is not looked at", "view.phaseBits |= 1 << phase;", "view.phaseBits |= 1;"],
    ["an extension may hold a slash", "bytes[at] === SLASH || ", ""],
    [
      "a line may end anywhere",
      "return bytes[last] === CLOSE_BRACE ? newline : -1;",
      "return newline;",
    ],
    ["an attempt of nought is taken", " || this.value === 0", ""],
    [
      "healed is not told from not healed",
      "view.causeHealed[view.failureCount++] = healed;",
      "view.causeHealed[view.failureCount++] = true;",
    ],
  ]),
  ...mutationsOf("src/ledger/key_set.ts", "tests/ledger/key_set_test.ts", [
    [
      "a key counts twice",
      "if (this.#slots[slot] !== 0 || this.#slots[slot + 1] !== 0) return false;",
      "",
    ],
    ["growing loses keys", "      this.#slots[free + 1] = low;\n", ""],
    [
      "the empty key is not stored",
      "high === 0 && low === 0 ? 1 : low;\n    this.#size++;",
      "low;\n    this.#size++;",
    ],
  ]),
  ...mutationsOf("src/ledger/ledger.ts", [
    "tests/ledger/ledger_test.ts",
    "tests/ledger/append_faults_test.ts",
  ], [
    ["an entry is appended twice", "if (holdsKey(file, entry)) return false;", ""],
    [
      "an unfinished line is written on to",
      "    if (!line.isFinished) {\n      throw new LedgerDamaged(LEDGER_PATH, line.number, tornLineAdvice(LEDGER_PATH));\n    }\n",
      "",
    ],
    ["an entry is not synced", "    file.syncDataSync();\n", ""],
    ["half an entry stays after a failure", "      file.truncateSync(sizeBytes);\n", ""],
    [
      "verify is silent about two entries of one key",
      "if (earlier.hash === hash) return;",
      "return;",
    ],
    ["a key that comes again counts", "if (keys.has(entryKey(entry))) continue;", ""],
  ]),
  ...mutationsOf("src/ledger/ledger_fold.ts", "tests/ledger/stats_test.ts", [
    [
      "a key that comes again counts in the statistics",
      "if (!this.keys.add(view.high, view.low)) return;",
      "",
    ],
    ["the last day is left out", "view.day > untilDay", "view.day >= untilDay"],
    ["weeks begin on another day", "(day + 3) / 7", "(day + 4) / 7"],
    ["forks bring their usage twice", "!isLess(known.usage, item.usage)", "false"],
    ["a cause counts once more for each failure", "(isFirst ? 1 : 0)", "1"],
  ]),
  ...mutationsOf("src/ledger/tally.ts", "tests/ledger/stats_test.ts", [
    ["each attempt counts as a session", "if (view.attempt === 1) ", ""],
  ]),
  ...mutationsOf("src/ledger/entry.ts", "tests/ledger/entry_test.ts", [
    ["files are not in order", "valid.files.toSorted()", "valid.files"],
    ["more files than an entry keeps", ".slice(0, MAX_FILES)", ""],
    ["a newer entry is read", "if (version > ENTRY_VERSION)", "if (false)"],
    ["the conflict mark of the common base is called no JSON", "|>{7}|\\|{7})/", "|>{7})/"],
  ]),
  ...mutationsOf("src/ledger/memory_file.ts", "tests/ledger/memory_file_test.ts", [
    [
      "what is archived is told again",
      "isArchived(root, block) ? memory : addBlock(memory, block)",
      "addBlock(memory, block)",
    ],
    ["a block goes to the archive twice", "!known.has(raw.text.trimEnd())", "true"],
    ["a block leaves before it is in the archive", "    archiveBlocks(root, moved);\n", ""],
  ]),
  ...mutationsOf("src/ledger/locked_file.ts", "tests/ledger/ledger_test.ts", [
    [
      "a file that was replaced under the lock is written to",
      "if (isAt(file, path)) return",
      "return",
    ],
  ]),
  ...mutationsOf("src/ledger/cache_folder.ts", "tests/ledger/ledger_sources_test.ts", [
    [
      "the cache is put under git",
      'writeAtomically(join(root, IGNORE_PATH), "*\\n")',
      'writeAtomically(join(root, IGNORE_PATH), "")',
    ],
  ]),
];

/** Defects of the session store: what is durable, what is refused, what a request is made of. */
import { mutationsOf } from "../mutation.ts";

export const SESSION = [
  ...mutationsOf("src/session/log_writer.ts", "tests/session/log_writer_test.ts", [
    ["a log that was replaced is written to", "ino !== this.#opened.ino", "false"],
    [
      "a log that something else wrote to goes on",
      "if (size === this.#sizeBytes) return;",
      "return;",
    ],
    [
      "after a failed write more is written",
      "if (this.#failure !== undefined) throw this.#failure;",
      "",
    ],
    ["the size that is left is not counted", "this.#sizeBytes += bytes.byteLength;", ""],
  ]),
  ...mutationsOf("src/session/log_writer.ts", "tests/session/faults_test.ts", [
    ["a record is not synced", "      this.#file.syncDataSync();\n", ""],
  ]),
  ...mutationsOf("src/session/log_reader.ts", "tests/session/damage_test.ts", [
    ["an unfinished last line is read as a record", "if (!isEnded) return", "if (false) return"],
    [
      "damage in the middle is called a tail",
      "error.isGarbled && isNothingButZeros(lines)",
      "true",
    ],
    ["an empty log is good", "if (position.seq > 1) return", "if (position.seq > 0) return"],
    ["cutting may leave no record", "isTail: goodBytes > 0 && isTail", "isTail"],
    [
      "the newline is not counted",
      "goodBytes += bytes.byteLength + 1;",
      "goodBytes += bytes.byteLength;",
    ],
  ]),
  ...mutationsOf("src/session/line.ts", "tests/session/line_test.ts", [
    ["half a surrogate pair is written", "&& HALF_PAIR.test(line)", "&& false"],
    ["NaN is written as null", "!Number.isFinite(value)", "false"],
  ]),
  ...mutationsOf("src/session/line.ts", "tests/session/damage_test.ts", [
    ["a lost line is not noticed", "record.seq !== position.seq", "false"],
    ["the chain is not checked", "record.prev !== position.prev", "false"],
    [
      "bytes that are not UTF-8 are replaced",
      'text.includes("\\ufffd") ? strictDecoder',
      "false ? strictDecoder",
    ],
  ]),
  ...mutationsOf("src/session/sequence.ts", "tests/session/sequence_test.ts", [
    [
      "a message may follow a call without a result",
      'this.#refuseOpenCalls("a user message");',
      "",
    ],
    ["a reply may follow a call without a result", 'this.#refuseOpenCalls("a reply");', ""],
    ["calls may have any number", "if (part.call !== expected)", "if (false)"],
    ["a result may be of another tool", " || next.tool !== record.tool", ""],
    [
      "a log may begin twice",
      "if (isStart === this.#hasStarted)",
      "if (!isStart && !this.#hasStarted)",
    ],
    ["the tokens of a reply are not counted", "record.input + record.output", "record.input"],
  ]),
  ...mutationsOf("src/session/sequence.ts", "tests/session/damage_test.ts", []),
  ...mutationsOf("src/session/session.ts", "tests/session/session_test.ts", [
    ["an interrupted call gets no result", "[...overdue, ...drafts]", "drafts"],
    [
      "a result is made up twice",
      "    this.#sequence = sequence;\n    this.#interruptedCalls = [];",
      "    this.#sequence = sequence;",
    ],
    ["the made-up results are given back", "records.slice(overdue.length)", "records"],
    [
      "an epoch ends in the middle of a call",
      "if (this.#sequence.openCalls.length > 0)",
      "if (false)",
    ],
    [
      "an epoch forgets what was before it",
      "carried: { ...this.totals, turns: this.totals.turns - moved, workflow }",
      "carried: { ...this.#baseline.carried, workflow }",
    ],
  ]),
  ...mutationsOf("src/session/session.ts", "tests/session/faults_test.ts", [
    [
      "the old epoch goes on though the new one is there",
      "if (pathExists(join(this.#root, logPath(this.id, baseline.epoch)))) this.close();",
      "",
    ],
  ]),
  ...mutationsOf("src/session/epoch.ts", "tests/session/session_test.ts", [
    [
      "an old epoch goes on whose next one began meanwhile",
      "if (listEpochs(root, id).at(-1) !== epoch) throw new SessionInUse(id);",
      "",
    ],
    ["what was begun of an epoch stays", "  removeLeftovers();\n  let file", "  let file"],
  ]),
  ...mutationsOf("src/session/verify.ts", "tests/session/verify_test.ts", [
    ["an epoch is missing", "if (before?.epoch !== epoch - 1) return", "if (false) return"],
    [
      "records lost at an epoch's end",
      "if (parent.seq === before.records) return undefined;",
      "return undefined;",
    ],
    ["damage is left out", "damage === undefined ? gap : whatIsWrong(id, damage, isNewest)", "gap"],
  ]),
  ...mutationsOf("src/session/repair.ts", "tests/session/repair_test.ts", [
    ["damage in the middle is cut", "if (!damage.isTail) throw", "if (false) throw"],
    ["nothing is copied first", "    copyDurably(join(root, path), join(root, copyPath));\n", ""],
    [
      "a byte too many is cut",
      "file.truncateSync(damage.goodBytes);",
      "file.truncateSync(damage.goodBytes - 1);",
    ],
    ["an earlier copy is overwritten", "if (pathExists(to)) throw", "if (false) throw"],
  ]),
  ...mutationsOf("src/session/replay.ts", "tests/session/replay_test.ts", [
    [
      "a turn that a kill ended has no reply",
      '      this.#endTurn();\n      this.#add({ role: "user"',
      '      this.#add({ role: "user"',
    ],
    ["the summary is not told", "if (baseline.summary !== null)", "if (false)"],
    [
      "a request without an end",
      "messages: this.#messages.slice(0, messageCount)",
      "messages: this.#messages",
    ],
    ["two messages of the user's stand side by side", "...(isMidTurn ? [NO_REPLY] : [])", ""],
    [
      "a failed result is a good one",
      "tool, output, isError }, output.length)",
      "tool, output, isError: false }, output.length)",
    ],
    [
      "a conversation that nothing reads is sent",
      "if (this.#length > MAX_REQUEST_LENGTH) {",
      "if (false) {",
    ],
  ]),
  ...mutationsOf("src/session/copy.ts", "tests/session/copy_test.ts", [
    [
      "a fork takes a record too many",
      "record.seq > lastSeq) return;",
      "record.seq > lastSeq + 1) return;",
    ],
  ]),
  ...mutationsOf("src/session/baseline.ts", "tests/session/baseline_test.ts", [
    [
      "a baseline that was edited is read",
      "if (canonicalJson(parsed.data) !== text)",
      "if (false)",
    ],
    ["a newer format is read", "format > FORMAT_VERSION", "false"],
  ]),
  ...mutationsOf("src/session/epoch_files.ts", "tests/session/damage_test.ts", [
    [
      "a baseline of another session is taken",
      "if (baseline.session !== id || baseline.epoch !== epoch)",
      "if (false)",
    ],
  ]),
  ...mutationsOf("src/session/session_reader.ts", "tests/session/session_reader_test.ts", [
    ["a writer's line in progress is damage", "return isInProgress ?", "return false ?"],
    ["a torn end is work in progress", " && await hasWriter(root, logPath(id, epoch))", ""],
  ]),
  ...mutationsOf("src/session/log_reader.ts", "tests/session/log_reader_test.ts", [
    [
      "a line that begins at the buffer's end is lost",
      "buffer.copyWithin(0, start, filled);",
      "buffer.copyWithin(0, start + 1, filled);",
    ],
  ]),
  ...mutationsOf("src/session/sequence.ts", "tests/session/sequence_test.ts", [
    [
      "a log with another baseline is read",
      "if (record.baseline !== this.#baselineHash)",
      "if (false)",
    ],
  ]),
  ...mutationsOf("src/session/session.ts", "tests/session/log_writer_test.ts", [
    ["a closed session takes records", "if (this.#isClosed) throw new SessionClosed(this.id);", ""],
    [
      "a record that is refused counts",
      "const sequence = this.#sequence.clone();",
      "const sequence = this.#sequence;",
    ],
  ]),
  ...mutationsOf("src/session/epoch.ts", "tests/session/damage_test.ts", [
    [
      "a log that is damaged is opened",
      "if (reading.damage !== undefined) throw",
      "if (false) throw",
    ],
  ]),
  ...mutationsOf("src/session/line.ts", "tests/session/damage_test.ts", [
    [
      "two records of one append have the same link",
      "prev: linkTo(line), format };",
      "prev: position.prev, format };",
    ],
  ]),
];

/** A log as storage, power cuts and editors damage it: each kind is refused by line, and nothing on disk changes. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import { BaselineInvalid, type Damage, SessionTorn } from "../../src/session/errors.ts";
import { baselinePath } from "../../src/session/layout.ts";
import type { SessionRecord } from "../../src/session/records.ts";
import { Session } from "../../src/session/session.ts";
import { scanEpoch } from "../../src/session/session_reader.ts";
import { withTemporaryFolder } from "../support/temporary.ts";
import { filesOf, ID, logFile, makeSession, readLines, user, writeLines } from "./samples.ts";

/** Reads the log as opening does, without the lock. */
function scan(root: string): { records: number; damage: Damage | undefined } {
  let records = 0;
  const { damage } = scanEpoch(root, ID, 0, () => void records++);
  return { records, damage };
}

/** Opens the session and gives how many records it has, or the damage. */
async function openRecords(root: string): Promise<SessionRecord[] | SessionTorn> {
  const records: SessionRecord[] = [];
  try {
    const folds = () => [{ apply: (record: SessionRecord) => void records.push(record) }];
    using _session = await Session.open(root, ID, { folds });
    return records;
  } catch (error) {
    if (error instanceof SessionTorn) return error;
    throw error;
  }
}

/** Asserts that the session is refused at `line` for `why` and that no byte of it has changed. */
async function assertRefused(
  root: string,
  line: number,
  why: RegExp,
  isTail = false,
): Promise<void> {
  const before = filesOf(root);
  const outcome = await openRecords(root);
  assert.ok(outcome instanceof SessionTorn, "it was opened");
  assert.equal(outcome.exitCode, 3);
  assert.ok(outcome.message.startsWith(`sessions/${ID}/0.jsonl:${line}: `), outcome.message);
  assert.match(outcome.message, why);
  assert.match(outcome.message, isTail ? /m31a session repair / : /m31a session salvage /);
  assert.deepEqual(filesOf(root), before);
}

async function withSession(
  turns: number,
  test: (root: string) => Promise<void> | void,
): Promise<void> {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, turns);
    await test(root);
  });
}

Deno.test("damage: truncated at every byte → the whole prefix or the right line, never fewer records", async () => {
  await withSession(2, (root) => {
    const whole = Deno.readFileSync(logFile(root));
    const lineEnds = [...whole.keys()].filter((index) => whole[index] === 0x0a);
    for (let size = 0; size <= whole.byteLength; size++) {
      Deno.writeFileSync(logFile(root), whole.subarray(0, size));
      const wholeLines = lineEnds.filter((end) => end < size).length;
      const { records, damage } = scan(root);
      assert.equal(records, wholeLines);
      const isAtLineEnd = size > 0 && whole[size - 1] === 0x0a;
      if (isAtLineEnd) {
        assert.equal(damage, undefined, `refused at ${size}`);
        continue;
      }
      assert.equal(damage?.line, wholeLines + 1, `at byte ${size}`);
      assert.equal(damage?.isTail, wholeLines > 0);
    }
  });
});

Deno.test("damage: a bit flipped anywhere before the last record is refused at its line or the next", async () => {
  await withSession(1, (root) => {
    const whole = Deno.readFileSync(logFile(root));
    const lastLineStart = whole.lastIndexOf(0x0a, whole.byteLength - 2) + 1;
    let line = 1;
    for (let index = 0; index < lastLineStart; index++) {
      const damaged = whole.slice();
      damaged[index] = (whole[index] ?? 0) ^ (1 << (index % 8));
      Deno.writeFileSync(logFile(root), damaged);
      const { damage } = scan(root);
      assert.ok(damage !== undefined, `good with byte ${index} changed`);
      assert.ok([line, line + 1].includes(damage.line), damage.why);
      // Joined with the line before it, the last record is garbled, and it is the end.
      assert.equal(damage.isTail, index === lastLineStart - 1, damage.why);
      if (whole[index] === 0x0a) line += 1;
    }
  });
});

Deno.test("damage: checksum mismatch → a word changed in line 3 shows at line 4", async () => {
  await withSession(2, async (root) => {
    const log = Deno.readTextFileSync(logFile(root));
    Deno.writeTextFileSync(logFile(root), log.replace("answer 1", "answer 2"));
    await assertRefused(root, 4, /checksum mismatch: the line before this one/);
  });
});

Deno.test("damage: checksum mismatch at the last line is not a tail that repair may cut", async () => {
  await withSession(1, async (root) => {
    const log = Deno.readTextFileSync(logFile(root));
    Deno.writeTextFileSync(logFile(root), log.replace("answer 1", "answer 2"));
    await assertRefused(root, 4, /checksum mismatch/);
  });
});

for (
  const [what, change, line, why] of [
    [
      "a line lost",
      (lines: string[]) => lines.toSpliced(2, 1),
      3,
      /expected record 3, found record 4/,
    ],
    [
      "a line doubled",
      (lines: string[]) => lines.toSpliced(2, 0, lines[2] ?? ""),
      4,
      /expected record 4, found record 3/,
    ],
    [
      "two lines swapped",
      (
        lines: string[],
      ) => [...lines.slice(0, 2), lines[3] ?? "", lines[2] ?? "", ...lines.slice(4)],
      3,
      /lost, doubled or reordered/,
    ],
    [
      "error joins records",
      (lines: string[]) => [...lines.slice(0, 2), `${lines[2]}${lines[3]}`, ...lines.slice(4)],
      3,
      /is not JSON/,
    ],
    ["a line that is not JSON", (lines: string[]) => lines.with(2, "not JSON"), 3, /is not JSON/],
    ["an empty line", (lines: string[]) => lines.toSpliced(2, 0, ""), 3, /is empty/],
    [
      "a block of 4 KB of NUL bytes",
      (lines: string[]) => lines.toSpliced(2, 0, "\0".repeat(4096)),
      3,
      /NUL bytes, as a power cut leaves them/,
    ],
    [
      "NUL bytes inside of a record",
      (lines: string[]) => lines.with(2, (lines[2] ?? "").replace("answer", "\0\0\0\0\0\0")),
      3,
      /NUL bytes/,
    ],
    [
      "the first line lost",
      (lines: string[]) => lines.slice(1),
      1,
      /expected record 1, found record 2/,
    ],
    [
      "\\r\\n for every \\n",
      (lines: string[]) => lines.map((text) => text + "\r"),
      2,
      /checksum mismatch/,
    ],
    [
      "the order of a record's keys",
      (lines: string[]) =>
        lines.with(
          2,
          JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(lines[2] ?? "")).reverse())),
        ),
      4,
      /checksum mismatch/,
    ],
  ] as const
) {
  Deno.test(`damage: ${what} → refused at line ${line}, nothing changed`, async () => {
    await withSession(3, async (root) => {
      writeLines(logFile(root), change(readLines(logFile(root))));
      await assertRefused(root, line, why);
    });
  });
}

Deno.test("damage: truncated tail → the final newline alone is missing", async () => {
  await withSession(2, async (root) => {
    const log = Deno.readFileSync(logFile(root));
    Deno.writeFileSync(logFile(root), log.subarray(0, -1));
    await assertRefused(root, 7, /truncated tail: \d+ bytes without a newline/, true);
  });
});

for (
  const [what, tail] of [
    ["1,728 NUL bytes", "\0".repeat(1728)],
    ["NUL bytes with newlines between", "\0\0\n\0\0\n"],
    ["half a record", '{"seq":8,"at":"20'],
    ["half a record and NUL bytes", `{"seq":8,"at":"20${"\0".repeat(100)}`],
    ["a record with NUL bytes in its middle, as the last line", '{"seq":8,"at":"\0\0\0\0"}\n'],
    ["two megabytes without a newline", "x".repeat(2 << 20)],
  ] as const
) {
  Deno.test(`damage: ${what} after the last record → refused at line 8, repair is offered`, async () => {
    await withSession(2, async (root) => {
      Deno.writeTextFileSync(logFile(root), tail, { append: true });
      await assertRefused(root, 8, /./, true);
    });
  });
}

Deno.test("damage: half a record, then room again, then whole records → nothing is glued, line 8 is refused", async () => {
  await withSession(2, async (root) => {
    const [line] = readLines(logFile(root)).slice(-1);
    Deno.writeTextFileSync(logFile(root), `{"seq":8,"at":"20${line}\n`, { append: true });
    await assertRefused(root, 8, /is not JSON/, true);
    Deno.writeTextFileSync(logFile(root), `${line}\n`, { append: true });
    await assertRefused(root, 8, /is not JSON/);
  });
});

Deno.test("damage: a 0xFF byte put in by hand → refused with its line", async () => {
  await withSession(2, async (root) => {
    const log = Deno.readFileSync(logFile(root));
    const text = new TextDecoder().decode(log);
    log[text.indexOf("answer 1")] = 0xff;
    Deno.writeFileSync(logFile(root), log);
    await assertRefused(root, 3, /is not UTF-8/);
  });
});

Deno.test("damage: a record of an unknown type at the end → refused by name and not cut by repair", async () => {
  await withSession(1, async (root) => {
    const lines = readLines(logFile(root));
    writeLines(logFile(root), lines.with(3, (lines[3] ?? "").replace('"usage"', '"telepathy"')));
    await assertRefused(root, 4, /record type "telepathy" is unknown/);
  });
});

Deno.test("damage: an empty log → refused at line 1, and never offered to repair", async () => {
  await withSession(1, async (root) => {
    Deno.writeTextFileSync(logFile(root), "");
    await assertRefused(root, 1, /the log is empty/);
    Deno.writeTextFileSync(logFile(root), "\0\0\0\0");
    await assertRefused(root, 1, /all NUL/);
  });
});

for (
  const [what, change, why] of [
    ["empty", () => "", /the baseline is empty/],
    ["garbled", (text: string) => text.slice(10), /not JSON/],
    [
      "edited in canonical form",
      (text: string) => text.replace("Be brief.", "Be verbose."),
      /0\.jsonl:1: checksum mismatch: the baseline/,
    ],
    ["reformatted", (text: string) => JSON.stringify(JSON.parse(text), null, 2), /has been edited/],
    [
      "of another session",
      (text: string) => text.replace(`"session":"${ID}"`, '"session":"20250101-000000-0000"'),
      /the file was moved here/,
    ],
  ] as const
) {
  Deno.test(`damage: the baseline is ${what} → refused, both files unchanged`, async () => {
    await withSession(1, async (root) => {
      const path = join(root, baselinePath(ID, 0));
      Deno.writeTextFileSync(path, change(Deno.readTextFileSync(path)));
      const before = filesOf(root);
      await assert.rejects(
        Session.open(root, ID),
        (error) =>
          (error instanceof BaselineInvalid || error instanceof SessionTorn) &&
          error.exitCode === 3 && why.test(error.message),
      );
      assert.deepEqual(filesOf(root), before);
    });
  });
}

Deno.test("damage: the baseline is missing → refused by name", async () => {
  await withSession(1, async (root) => {
    Deno.removeSync(join(root, baselinePath(ID, 0)));
    await assert.rejects(Session.open(root, ID), /0\.baseline\.json: is missing/);
  });
});

for (const text of ["a\u2028b\u2029c\u0085d\r\ne\rf\ng", "caf\ufffd \ufeff \0 \x1b[31m"]) {
  Deno.test(`a message comes back from disk unchanged: ${JSON.stringify(text)}`, async () => {
    await withSession(0, async (root) => {
      {
        using session = await Session.open(root, ID);
        session.append([user(text)]);
      }
      const records = await openRecords(root);
      assert.ok(Array.isArray(records));
      const last = records.at(-1);
      assert.equal(last?.type === "user" && last.text, text);
    });
  });
}

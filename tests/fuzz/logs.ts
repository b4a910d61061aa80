/**
 * A session whose baseline or log is not what was written: opened, verified, repaired.
 * Rule: what is wrong is said as an error of the session store; what opens has every line that the file has.
 */
import assert from "node:assert/strict";
import { join } from "@std/path";
import { M31aError } from "../../src/platform/errors.ts";
import { baselinePath, logPath, sessionDirectory } from "../../src/session/layout.ts";
import { decodeRecord, LineInvalid } from "../../src/session/line.ts";
import { FORMAT_VERSION, type SessionRecord } from "../../src/session/records.ts";
import { repairSession } from "../../src/session/repair.ts";
import { Session } from "../../src/session/session.ts";
import { verifySession } from "../../src/session/verify.ts";
import { filesOf, ID } from "../session/samples.ts";
import { withTemporaryFolder } from "../support/temporary.ts";
import type { Fuzzer } from "./fuzzer.ts";

/** A seed holds both files: the baseline is its first line, the log the rest. */
const NEWLINE = 0x0a;

export const LOGS: Fuzzer = {
  name: "logs",
  words: [
    ...["\n", "\r\n", "\0", "\0\0\0\0", "{", "}", '"', ",", "[[[[", "null", "-1", "1e999", "1.5"],
    ...['"seq":1,', '"prev":"0000000000000000",', '"type":"user",', '"type":"telepathy",'],
    ...['"__proto__":{"a":1},', '"format":2,', "\ufeff", "\\ud800", "\u2028", "{}\n", "[]\n"],
  ],
  check: (input) => withTemporaryFolder((root) => checkSession(root, input)),
};

async function checkSession(root: string, input: Uint8Array): Promise<void> {
  const split = input.indexOf(NEWLINE);
  const [baseline, log] = [input.subarray(0, split), input.subarray(split + 1)];
  Deno.mkdirSync(join(root, sessionDirectory(ID)), { recursive: true });
  Deno.writeFileSync(join(root, baselinePath(ID, 0)), baseline);
  Deno.writeFileSync(join(root, logPath(ID, 0)), log);
  for (const line of linesOf(log)) for (const format of [1, FORMAT_VERSION]) decodes(line, format);

  const before = filesOf(root);
  const opened = await open(root);
  assert.deepEqual(filesOf(root), before, "opening changed a file");
  const [verdict] = await verifySession(root, ID);
  assert.equal(verdict?.damage === undefined, Array.isArray(opened), String(verdict?.damage));
  if (Array.isArray(opened)) {
    assert.equal(log.at(-1), NEWLINE, "an unfinished line was opened");
    assert.equal(opened.length, linesOf(log).length, "lines are left out");
    assert.equal(verdict?.records, opened.length);
  }
  await checkRepair(root, before, opened, verdict?.records ?? 0);
}

/** A repair cuts an unfinished end and nothing else, and leaves what it refuses as it is. */
async function checkRepair(
  root: string,
  before: Record<string, string>,
  opened: SessionRecord[] | M31aError,
  goodRecords: number,
): Promise<void> {
  try {
    const { cutBytes, copyPath } = await repairSession(root, ID);
    assert.ok(!Array.isArray(opened), "a sound log was repaired");
    assert.ok(cutBytes > 0);
    assert.equal(filesOf(root)[copyPath.split("/").at(-1) ?? ""], before["0.jsonl"]);
    const again = await open(root);
    assert.ok(Array.isArray(again), String(again));
    assert.equal(again.at(-1)?.type, "repaired");
    assert.ok(again.length > goodRecords, "a repair lost records");
  } catch (error) {
    if (!(error instanceof M31aError)) throw error;
    assert.deepEqual(filesOf(root), before, `a refused repair changed a file: ${error.message}`);
  }
}

/** The records, or the error by which it is refused. */
async function open(root: string): Promise<SessionRecord[] | M31aError> {
  const records: SessionRecord[] = [];
  const folds = () => [{ apply: (record: SessionRecord) => void records.push(record) }];
  try {
    (await Session.open(root, ID, { folds })).close();
    return records;
  } catch (error) {
    if (error instanceof M31aError) return error;
    throw error;
  }
}

function decodes(line: Uint8Array, format: number): void {
  try {
    decodeRecord(line, { seq: 2, prev: "0".repeat(16), format });
  } catch (error) {
    if (!(error instanceof LineInvalid)) throw error;
  }
}

/** The lines that a newline ends. */
function linesOf(log: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  let start = 0;
  for (let end = log.indexOf(NEWLINE); end !== -1; end = log.indexOf(NEWLINE, start)) {
    lines.push(log.subarray(start, end));
    start = end + 1;
  }
  return lines;
}

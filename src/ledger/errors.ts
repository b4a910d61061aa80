/**
 * What can go wrong with a ledger.
 * Rule: damage names the file and the line, and says what to do; nothing is mended silently.
 */
import { DamagedData, WorkFailed } from "../platform/errors.ts";

/** A line of a ledger is not an entry. */
export class LedgerDamaged extends DamagedData {
  readonly path: string;
  /** The line's number, from 1. */
  readonly line: number;

  constructor(path: string, line: number, why: string) {
    super(`${path}:${line}: ${why}.`);
    this.path = path;
    this.line = line;
  }
}

/** Another process has held a file's lock for longer than an append takes. */
export class FileInUse extends WorkFailed {
  constructor(path: string) {
    super(`${path}: another m31a is writing to it and does not let go. Try again when it is done.`);
  }
}

/** Why an unfinished last line is refused, and how to mend it by hand. */
export function tornLineAdvice(path: string): string {
  return "the last line is not finished (no newline at its end), so nothing is written behind it. " +
    `If it is a whole entry (it ends in "}"), end it with: echo >> ${path} — ` +
    `otherwise take the half line out with: sed -i '$d' ${path} — then run: m31a ledger verify`;
}

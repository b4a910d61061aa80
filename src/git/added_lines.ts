/**
 * The lines that a diff adds, with where they are: what a ship looks at for secrets and left-overs.
 * Rule: pure; hunks are read by their counts, so a line that looks like a header is a line.
 */
import { DamagedData } from "../platform/errors.ts";
import { decodeLossy } from "../platform/text.ts";
import { type GitPath, gitPath } from "./path.ts";
import { unquoteName } from "./quote.ts";

/** A line that a diff adds. */
export interface AddedLine {
  path: GitPath;
  /** Its number in the new file, from 1. */
  line: number;
  /** Without its line end (a CR before it included); what is not UTF-8 is U+FFFD. */
  text: string;
}

/** The options of `git diff` whose output {@linkcode parseAddedLines} reads. */
export const ADDED_LINES_OPTIONS = [
  "--unified=0",
  "--no-color",
  "--no-ext-diff",
  "--no-textconv",
  "--src-prefix=a/",
  "--dst-prefix=b/",
  "--ignore-submodules=none",
  "--submodule=short",
] as const;

const NEWLINE = 0x0a;
const HUNK = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/**
 * Parses the output of `git diff` with {@linkcode ADDED_LINES_OPTIONS} (any number of context lines will do).
 * Binary files add no lines.
 *
 * @throws {DamagedData} when a hunk is not what its header says
 */
export function parseAddedLines(diff: Uint8Array): AddedLine[] {
  const added: AddedLine[] = [];
  const lines = new LineReader(diff);
  let path: GitPath | undefined;
  for (let line = lines.next(); line !== undefined; line = lines.next()) {
    if (startsWith(line, "+++ ")) path = newName(line.subarray(4));
    if (startsWith(line, "diff ")) path = undefined;
    if (!startsWith(line, "@@ -")) continue;
    const match = HUNK.exec(decodeLossy(line));
    if (match === null || path === undefined) {
      throw malformed(lines.number, "a hunk without a file");
    }
    const [, oldCount = "1", start = "", newCount = "1"] = match;
    readHunk(
      lines,
      { path, start: Number(start), old: Number(oldCount), new: Number(newCount) },
      added,
    );
  }
  return added;
}

interface Hunk {
  path: GitPath;
  start: number;
  /** How many lines of each side are still to come. */
  old: number;
  new: number;
}

function readHunk(lines: LineReader, hunk: Hunk, added: AddedLine[]): void {
  let number = hunk.start;
  while (hunk.old > 0 || hunk.new > 0) {
    const line = lines.next();
    if (line === undefined) throw malformed(lines.number, "the diff ends inside a hunk");
    const mark = String.fromCharCode(line[0] ?? 0x20);
    if (mark === "\\") continue;
    if (!"+- ".includes(mark)) throw malformed(lines.number, "a line of a hunk has no mark");
    if (mark === "+") {
      const text = decodeLossy(line.subarray(1)).replace(/\r$/, "");
      added.push({ path: hunk.path, line: number, text });
    }
    if (mark !== "+") hunk.old--;
    if (mark !== "-") {
      hunk.new--;
      number++;
    }
  }
}

/** The name after `+++ `: `b/` and the name, quoted, or followed by a tab when there is a space in it. */
function newName(bytes: Uint8Array): GitPath | undefined {
  const tab = bytes.lastIndexOf(0x09);
  const name = bytes[0] === 0x22 ? unquoteName(bytes) : tab === -1 ? bytes : bytes.subarray(0, tab);
  // A deleted file has hunks too, but adds nothing.
  if (startsWith(name, "/dev/null")) return gitPath(name);
  return startsWith(name, "b/") ? gitPath(name.slice(2)) : undefined;
}

function startsWith(bytes: Uint8Array, prefix: string): boolean {
  for (let index = 0; index < prefix.length; index++) {
    if (bytes[index] !== prefix.charCodeAt(index)) return false;
  }
  return true;
}

class LineReader {
  /** The number of the line that was read last, from 1. */
  number = 0;
  #offset = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  next(): Uint8Array | undefined {
    if (this.#offset >= this.#bytes.byteLength) return undefined;
    const end = this.#bytes.indexOf(NEWLINE, this.#offset);
    const line = this.#bytes.subarray(this.#offset, end === -1 ? undefined : end);
    this.#offset = end === -1 ? this.#bytes.byteLength : end + 1;
    this.number++;
    return line;
  }
}

function malformed(line: number, problem: string): DamagedData {
  return new DamagedData(
    `git diff: line ${line}: ${problem}. This is not a unified diff of git's.`,
  );
}

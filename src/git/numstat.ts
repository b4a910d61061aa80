/**
 * What `git diff --raw --numstat -z -M` says about changed files, as data.
 * Rule: pure, on bytes; a name may hold anything but NUL, and output that makes no sense is an error.
 */
import { DamagedData } from "../platform/errors.ts";
import { decodeLatin1 } from "../platform/text.ts";
import { extensionOf, type GitPath, gitPath, pathKey, splitNul } from "./path.ts";

/** How a file changed. `typechange` is a file that became a link or a submodule, or the other way round. */
export type ChangeStatus = "added" | "modified" | "deleted" | "renamed" | "copied" | "typechange";

/** One changed file. Modes are git's six octal digits, `000000` where the file is not there. */
export interface ChangedFile {
  path: GitPath;
  /** The name before, of a renamed or copied file. */
  oldPath?: GitPath;
  status: ChangeStatus;
  isBinary: boolean;
  isSubmodule: boolean;
  isSymlink: boolean;
  /** Lines added and removed; 0 where git does not count them, as in a binary file. */
  insertions: number;
  deletions: number;
  oldMode: string;
  newMode: string;
}

/** Sums over the files of a diff. `modified` counts changes of type as well. */
export interface DiffTotals {
  files: number;
  added: number;
  modified: number;
  deleted: number;
  renamed: number;
  copied: number;
  binary: number;
  insertions: number;
  deletions: number;
}

/** What {@linkcode parseNumstat} gives. `extensions` counts files by {@linkcode extensionOf}, sorted, most first. */
export interface DiffMetrics {
  files: ChangedFile[];
  totals: DiffTotals;
  extensions: Record<string, number>;
}

/** The options of `git diff` or `git diff-tree` whose output {@linkcode parseNumstat} reads. */
export const NUMSTAT_OPTIONS = [
  "--raw",
  "--numstat",
  "-z",
  "-M",
  "--no-abbrev",
  "--no-ext-diff",
  "--no-textconv",
] as const;

const STATUSES: Readonly<Record<string, ChangeStatus>> = {
  A: "added",
  M: "modified",
  D: "deleted",
  R: "renamed",
  C: "copied",
  T: "typechange",
};

const RAW = /^:([0-7]{6}) ([0-7]{6}) [0-9a-f]+ [0-9a-f]+ ([A-Z])([0-9]*)$/;
const COUNTS = /^(-|[0-9]+)\t(-|[0-9]+)\t/;
const COLON = 0x3a;

/**
 * Parses the output of `git diff` with {@linkcode NUMSTAT_OPTIONS}.
 *
 * With `-z` a raw record is `:modes oids status NUL path NUL`, and for a rename or copy `old NUL new NUL`;
 * a count is `added TAB deleted TAB path NUL`, and for a rename or copy `added TAB deleted TAB NUL old NUL new NUL`
 * (git-diff(1), "Raw output format" and "Other diff formats"). The two lists are joined by the new name.
 *
 * @throws {DamagedData} when the bytes are not such output; the message says where and what was found
 *
 * @example
 * ```ts
 * import { parseNumstat } from "./numstat.ts";
 * import assert from "node:assert/strict";
 *
 * const raw = ":100644 100644 1111111 2222222 M\0a => b\0" + "2\t1\ta => b\0";
 * const { files, totals } = parseNumstat(new TextEncoder().encode(raw));
 * assert.equal(files[0]?.path.text, "a => b");
 * assert.equal(totals.insertions, 2);
 * ```
 */
export function parseNumstat(output: Uint8Array): DiffMetrics {
  const { fields, rest } = splitNul(output);
  if (rest.byteLength > 0) {
    throw malformed(fields.length, rest, "the last field has no NUL after it");
  }
  const reader = new FieldReader(fields);
  const byName = new Map<string, ChangedFile>();
  while (reader.peek()?.[0] === COLON) {
    const file = readRaw(reader);
    byName.set(pathKey(file.path), file);
  }
  while (reader.peek() !== undefined) readCounts(reader, byName);
  return summarize([...byName.values()]);
}

/** Adds up files, for a diff that was put together from several. */
function summarize(files: ChangedFile[]): DiffMetrics {
  const count = (...statuses: ChangeStatus[]) =>
    files.filter((file) => statuses.includes(file.status)).length;
  const extensions = new Map<string, number>();
  for (const file of files) {
    const extension = extensionOf(file.path.text);
    extensions.set(extension, (extensions.get(extension) ?? 0) + 1);
  }
  return {
    files,
    totals: {
      files: files.length,
      added: count("added"),
      modified: count("modified", "typechange"),
      deleted: count("deleted"),
      renamed: count("renamed"),
      copied: count("copied"),
      binary: files.filter((file) => file.isBinary).length,
      insertions: files.reduce((sum, file) => sum + file.insertions, 0),
      deletions: files.reduce((sum, file) => sum + file.deletions, 0),
    },
    extensions: Object.fromEntries(
      [...extensions].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)),
    ),
  };
}

function readRaw(reader: FieldReader): ChangedFile {
  const at = reader.index;
  const field = reader.next("a raw record");
  const match = RAW.exec(latin1(field));
  const [, oldMode = "", newMode = "", letter = ""] = match ?? [];
  if (match === null) throw malformed(at, field, "expected `:mode mode id id status`");
  const status = STATUSES[letter];
  if (letter === "U") {
    throw malformed(at, field, "a file has unresolved merge conflicts; resolve them first");
  }
  if (status === undefined) throw malformed(at, field, `unknown status ${letter}`);
  const isMove = status === "renamed" || status === "copied";
  const first = gitPath(reader.name());
  const path = isMove ? gitPath(reader.name()) : first;
  const mode = newMode === "000000" ? oldMode : newMode;
  return {
    path,
    ...(isMove ? { oldPath: first } : {}),
    status,
    isBinary: false,
    isSubmodule: oldMode === "160000" || newMode === "160000",
    isSymlink: mode === "120000",
    insertions: 0,
    deletions: 0,
    oldMode,
    newMode,
  };
}

function readCounts(reader: FieldReader, byName: Map<string, ChangedFile>): void {
  const at = reader.index;
  const field = reader.next("a count");
  const match = COUNTS.exec(latin1(field));
  const [whole = "", insertions = "", deletions = ""] = match ?? [];
  if (match === null || (insertions === "-") !== (deletions === "-")) {
    throw malformed(at, field, "expected `added TAB deleted TAB name`");
  }
  let name = field.subarray(whole.length);
  if (name.byteLength === 0) {
    reader.name();
    name = reader.name();
  }
  const file = byName.get(pathKey(gitPath(name)));
  if (file === undefined) throw malformed(at, field, "a count for a file without a raw record");
  file.isBinary = insertions === "-";
  if (file.isBinary) return;
  file.insertions = Number(insertions);
  file.deletions = Number(deletions);
}

class FieldReader {
  index = 0;
  readonly #fields: readonly Uint8Array[];

  constructor(fields: readonly Uint8Array[]) {
    this.#fields = fields;
  }

  peek(): Uint8Array | undefined {
    return this.#fields[this.index];
  }

  next(expected: string): Uint8Array {
    const field = this.#fields[this.index];
    if (field === undefined) {
      throw malformed(this.index, new Uint8Array(), `the output ends where ${expected} is due`);
    }
    this.index++;
    return field;
  }

  name(): Uint8Array {
    const at = this.index;
    const name = this.next("a name");
    if (name.byteLength === 0) throw malformed(at, name, "a name is empty");
    return name;
  }
}

/** A name can be long, but what the patterns look at is at the front. */
function latin1(bytes: Uint8Array): string {
  return decodeLatin1(bytes.subarray(0, 256));
}

function malformed(index: number, field: Uint8Array, problem: string): DamagedData {
  const shown = JSON.stringify(gitPath(field.subarray(0, 80)).text);
  return new DamagedData(
    `git diff --numstat -z: field ${index + 1} (${shown}): ${problem}. ` +
      "This is not output of git diff with the options that m31a gives it.",
  );
}

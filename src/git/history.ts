/**
 * The commits of a repository with the files that each touched, newest first, as git streams them.
 * Rule: fields are told by their position between NUL bytes, so that no subject and no name can forge another field.
 */
import { GitError } from "./errors.ts";
import type { Git } from "./run.ts";

/** One commit that is no merge. */
export interface HistoryCommit {
  id: string;
  /** When it was committed, in seconds since 1970. */
  seconds: number;
  subject: string;
  /** What it touched, renamed files by their new name. Empty where that is not known: the first commit of a shallow clone. */
  files: string[];
  renames: { from: string; to: string }[];
}

/** Which commits to read. */
export interface HistoryRequest {
  /** The newest commit. */
  head: string;
  /** Commits that are known, with all that they descend from. */
  known: readonly string[];
  /** How many of the newest to pass over. */
  skip: number;
  /** How many to read. */
  limit: number;
  /** After this many milliseconds reading stops where it is. */
  timeoutMs: number;
}

/** How reading went. */
export interface HistoryReading {
  /** How many commits were read. */
  read: number;
  /** False when the time was over before all were read. */
  isComplete: boolean;
}

/** What stands before each commit in git's output; fields are told by position, this only finds the first one. */
const COMMIT_MARK = "\x01";
const FIELDS = ["%H", "%P", "%ct", "%s"].join("%x00");
/** Renames are looked for among so many files of a commit; git takes the square of it in comparisons. */
const RENAME_LIMIT = 100;

/** The id of the commit that is checked out; `undefined` without a commit or outside of a repository. */
export async function headCommit(git: Git): Promise<string | undefined> {
  return await git.readLineIfAny(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], {
    startsNothing: true,
  });
}

/**
 * Reads commits and hands each one to `take`, newest first. Nothing is fetched: a clone without its
 * trees ends with a {@linkcode GitError}.
 *
 * @throws {GitError} when git does not know one of the commits that were named, for example
 */
export async function readHistory(
  git: Git,
  request: HistoryRequest,
  take: (commit: HistoryCommit) => void,
): Promise<HistoryReading> {
  const isShallow = await git.readLineIfAny(["rev-parse", "--is-shallow-repository"], {
    startsNothing: true,
  }) === "true";
  const parser = new HistoryParser(isShallow, take);
  const decoder = new TextDecoder();
  try {
    await git.run("read", logArguments(request), {
      timeoutMs: request.timeoutMs,
      maxOutputBytes: 64 * 1024,
      env: { GIT_NO_LAZY_FETCH: "1" },
      onOutput: (bytes, stream) => {
        if (stream === "stdout") parser.push(decoder.decode(bytes, { stream: true }));
      },
    });
  } catch (error) {
    if (!(error instanceof GitError) || !error.timedOut) throw error;
    // The commit that was under way may lack files: it is read again.
    return { read: parser.read, isComplete: false };
  }
  parser.end();
  return { read: parser.read, isComplete: true };
}

function logArguments({ head, known, skip, limit }: HistoryRequest): string[] {
  return [
    "log",
    "-z",
    "--no-merges",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--no-show-signature",
    "--no-notes",
    "--name-status",
    "-M",
    `-l${RENAME_LIMIT}`,
    "--ignore-submodules=dirty",
    `--skip=${skip}`,
    `--max-count=${limit}`,
    `--format=tformat:%x01${FIELDS}`,
    head,
    ...(known.length === 0 ? [] : ["--not", ...known]),
    "--",
  ];
}

/** Takes git's output piece by piece. */
class HistoryParser {
  /** How many commits were handed on. */
  read = 0;
  readonly #take: (commit: HistoryCommit) => void;
  readonly #isShallow: boolean;
  #rest = "";
  #commit: HistoryCommit | undefined;
  #hasParents = false;

  constructor(isShallow: boolean, take: (commit: HistoryCommit) => void) {
    this.#isShallow = isShallow;
    this.#take = take;
  }

  push(text: string): void {
    const fields = (this.#rest + text).split("\0");
    // A whole commit has at least its four fields, and a rename three: what may be cut off waits.
    const whole = this.#takeFields(fields, fields.length - 1);
    this.#rest = fields.slice(whole).join("\0");
  }

  /** What was read up to here is all there is. */
  end(): void {
    const fields = this.#rest.split("\0");
    this.#takeFields(fields, fields.length);
    this.#finish();
  }

  /** Takes as many of the first `count` fields as belong together; returns how many. */
  #takeFields(fields: readonly string[], count: number): number {
    let at = 0;
    while (at < count) {
      const field = (fields[at] ?? "").replace(/^\n/, "");
      const length = field.startsWith(COMMIT_MARK) ? 4 : /^[RC]\d*$/.test(field) ? 3 : 2;
      if (field === "") {
        at++;
        continue;
      }
      if (at + length > count) break;
      const [second = "", third = "", fourth = ""] = fields.slice(at + 1, at + length);
      if (field.startsWith(COMMIT_MARK)) this.#begin(field.slice(1), second, third, fourth);
      else if (length === 3) this.#addRename(second, third, field.startsWith("R"));
      else this.#commit?.files.push(second);
      at += length;
    }
    return at;
  }

  #begin(id: string, parents: string, seconds: string, subject: string): void {
    this.#finish();
    this.#hasParents = parents !== "";
    this.#commit = { id, seconds: Number(seconds), subject, files: [], renames: [] };
  }

  #addRename(from: string, to: string, isRename: boolean): void {
    this.#commit?.files.push(to);
    if (isRename) this.#commit?.renames.push({ from, to });
  }

  #finish(): void {
    if (this.#commit === undefined) return;
    // In a shallow clone the oldest commits look as if they had added every file.
    if (this.#isShallow && !this.#hasParents) this.#commit.files = [];
    this.read++;
    this.#take(this.#commit);
    this.#commit = undefined;
  }
}

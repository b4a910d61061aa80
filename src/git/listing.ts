/**
 * Listing and searching the tree, with git doing the work.
 * Rule: what .gitignore hides stays hidden; reading stops as soon as there is enough.
 */
import { decodeLossy } from "../platform/text.ts";
import { concatenate } from "../platform/processes.ts";
import { NotARepository } from "./errors.ts";
import type { Git, GitOptions } from "./run.ts";

/** How a pattern is to be read: an extended regular expression, plain text, or a Perl regular expression. */
export type PatternKind = "regex" | "text" | "perl";

/** What to search for, and where. */
export interface SearchQuery {
  pattern: string;
  kind: PatternKind;
  ignoreCase: boolean;
  /** Lines around each match. */
  contextLines: number;
  /** git pathspecs. */
  pathspecs: readonly string[];
  /** Stop after so many lines of output. */
  maxLines: number;
  timeoutMs: number;
  signal: AbortSignal;
}

/** A line of a file. */
export interface FoundLine {
  path: string;
  line: number;
  text: string;
}

/**
 * Lists the tracked and the untracked files, or only the latter, that match the pathspecs. `isComplete`
 * is false when it stopped at `maxFiles`.
 */
export async function listFiles(
  git: Git,
  pathspecs: readonly string[],
  maxFiles: number,
  signal: AbortSignal,
  which: "all" | "untracked" = "all",
): Promise<{ paths: string[]; isComplete: boolean }> {
  const args = [
    "ls-files",
    "-z",
    ...(which === "all" ? ["--cached"] : []),
    "--others",
    "--exclude-standard",
    "--",
    ...pathspecs,
  ];
  const { fields, isComplete } = await takeFields(git, args, 0, maxFiles, {
    signal,
    pathspecs: "magic",
  });
  return { paths: [...new Set(fields.map(decodeLossy))], isComplete };
}

/**
 * Searches tracked and untracked files line by line; outside a repository every file of the folder.
 * Binary files are left out.
 *
 * @throws {GitError} for a pattern that git does not understand, and when the time is over
 */
export async function searchFiles(
  git: Git,
  query: SearchQuery,
): Promise<{ lines: FoundLine[]; isComplete: boolean }> {
  try {
    return await grep(git, query, ["--untracked"]);
  } catch (error) {
    if (!(error instanceof NotARepository)) throw error;
    return await grep(git, query, ["--no-index", "--exclude-standard"]);
  }
}

async function grep(
  git: Git,
  query: SearchQuery,
  where: readonly string[],
): Promise<{ lines: FoundLine[]; isComplete: boolean }> {
  const kinds = { regex: "-E", text: "-F", perl: "-P" };
  const { fields, isComplete } = await takeFields(
    git,
    [
      "grep",
      ...where,
      "-z",
      "-n",
      "-I",
      "--no-color",
      "--no-column",
      "--no-textconv",
      "--no-break",
      "--no-heading",
      kinds[query.kind],
      ...(query.ignoreCase ? ["-i"] : []),
      ...(query.contextLines > 0 ? [`-C${query.contextLines}`] : []),
      "-e",
      query.pattern,
      "--",
      ...query.pathspecs,
    ],
    10,
    query.maxLines,
    {
      signal: query.signal,
      timeoutMs: query.timeoutMs,
      pathspecs: "magic",
      okCodes: [0, 1],
    },
  );
  return { lines: fields.flatMap(foundLine), isComplete };
}

/** Reads `path NUL number NUL text`; `--` stands between groups of lines. */
function foundLine(field: Uint8Array): FoundLine[] {
  const pathEnd = field.indexOf(0);
  const numberEnd = field.indexOf(0, pathEnd + 1);
  if (pathEnd === -1 || numberEnd === -1) return [];
  return [{
    path: decodeLossy(field.subarray(0, pathEnd)),
    line: Number(decodeLossy(field.subarray(pathEnd + 1, numberEnd))),
    text: decodeLossy(field.subarray(numberEnd + 1)),
  }];
}

/** Runs git and takes the first `count` pieces of its output that end in the byte `separator`; then it is stopped. */
async function takeFields(
  git: Git,
  args: readonly string[],
  separator: number,
  count: number,
  options: GitOptions & { signal: AbortSignal },
): Promise<{ fields: Uint8Array[]; isComplete: boolean }> {
  const enough = new AbortController();
  const fields: Uint8Array[] = [];
  let open: Uint8Array[] = [];
  const onOutput = (bytes: Uint8Array, stream: "stdout" | "stderr") => {
    if (stream === "stderr" || enough.signal.aborted) return;
    let start = 0;
    for (let end = bytes.indexOf(separator); end !== -1; end = bytes.indexOf(separator, start)) {
      if (fields.length === count) return enough.abort();
      fields.push(concatenate([...open, bytes.subarray(start, end)]));
      open = [];
      start = end + 1;
    }
    open.push(bytes.slice(start));
  };
  try {
    const signal = AbortSignal.any([options.signal, enough.signal]);
    await git.run("read", args, { ...options, signal, onOutput, maxOutputBytes: 64 * 1024 });
  } catch (error) {
    if (!enough.signal.aborted || options.signal.aborted) throw error;
  }
  return { fields, isComplete: !enough.signal.aborted };
}

/**
 * Checkpoints: what a task made of the files it touched, as commits under refs/m31a/<session>/<n>.
 * Rule: contents byte for byte; the user's branch, index, stash and tree are not touched.
 */
import { UsageError } from "../platform/errors.ts";
import { concatenate } from "../platform/processes.ts";
import type { KeptFile } from "./blob.ts";
import type { ContentStore } from "./content_store.ts";
import { type FileState, readFileState } from "./file_state.ts";
import { quoteName } from "./quote.ts";
import type { Git } from "./run.ts";
import { headCommit } from "./state.ts";

/** A file that a task touched, with what was there before its first change; `null` when nothing was. */
export interface TouchedFile {
  path: string;
  before: KeptFile | null;
  /** What it was made to hold; left out for what is in the tree when the checkpoint is made. */
  after?: KeptFile | null;
}

/**
 * A checkpoint. Its commit has one parent, which holds the same files as they were before the task; so
 * the difference between the two is what the task did, and nothing else.
 */
export interface Checkpoint {
  session: string;
  number: number;
  commit: string;
  /** The first line of its message. */
  subject: string;
}

/** What a checkpoint is made of. */
export interface CheckpointRequest {
  session: string;
  /** 1 for the session's first; making the same number again replaces it. */
  number: number;
  files: readonly TouchedFile[];
  /** Where contents are that the repository need not have; they are copied into it. */
  store?: ContentStore;
  message: string;
  /** The time it bears, in milliseconds since 1970. */
  atMs: number;
}

// The user's identity has no part in what m31a keeps for itself.
const IDENTITY = "m31a <m31a@localhost>";

/**
 * Makes a checkpoint of the files that a task touched, as they are in the tree now unless `after` says
 * otherwise. git's fast-import writes both commits and the ref in one process, without an index;
 * ignored files are taken like any other.
 *
 * @throws {GitError} when git cannot write it
 */
export async function createCheckpoint(
  git: Git,
  request: CheckpointRequest,
): Promise<Checkpoint> {
  const { session, number, files } = request;
  const ref = checkpointRef(session, number);
  const previous = number > 1 ? await latestBefore(git, session, number) : undefined;
  const parent = previous?.commit ?? await headCommit(git);
  const kept = files.flatMap(({ before, after }) => [before?.blob ?? [], after?.blob ?? []].flat());
  await request.store?.copyToRepository(kept);
  const stream = new ImportStream();
  stream.commit(ref, ":1", `before: ${request.message}`, request.atMs, parent);
  for (const { path, before } of removalsFirst(files, ({ before }) => before === null)) {
    if (before === null) stream.remove(path);
    if (before !== null) stream.keep(path, before);
  }
  stream.commit(ref, ":2", request.message, request.atMs, ":1");
  const now = files.map(({ path, after }) => ({
    path,
    content: after === undefined ? readFileOrNothing(git.root, path) : after ?? undefined,
  }));
  for (const { path, content } of removalsFirst(now, ({ content }) => content === undefined)) {
    if (content === undefined) stream.remove(path);
    if (content !== undefined && "blob" in content) stream.keep(path, content);
    if (content !== undefined && "bytes" in content) stream.write(path, content);
  }
  const output = await git.writeText(["fast-import", "--quiet", "--force", "--done"], {
    stdin: stream.end(),
    startsNothing: true,
  });
  const subject = request.message.split("\n", 1)[0] ?? "";
  return { session, number, commit: output.trim(), subject };
}

/** The checkpoints of a session, the oldest first. */
export async function listCheckpoints(git: Git, session: string): Promise<Checkpoint[]> {
  const prefix = checkpointRef(session, 1).slice(0, -1);
  const format = "%(refname)%00%(objectname)%00%(contents:subject)";
  const args = ["for-each-ref", `--format=${format}`, prefix];
  const text = await git.readText(args, { startsNothing: true });
  return text.split("\n").filter((line) => line !== "").map((line) => {
    const [ref = "", commit = "", subject = ""] = line.split("\0");
    return { session, number: Number(ref.slice(prefix.length)), commit, subject };
  }).sort((a, b) => a.number - b.number);
}

/**
 * Takes the checkpoints over that a session's log knows and git has under another session's name: those of the one that
 * it is a fork of. What git has no more is left out.
 */
export async function adoptCheckpoints(
  git: Git,
  session: string,
  known: readonly Pick<Checkpoint, "number" | "commit">[],
): Promise<void> {
  const own = new Set((await listCheckpoints(git, session)).map(({ number }) => number));
  const missing = known.filter(({ number }) => !own.has(number));
  if (missing.length === 0) return;
  const input = (lines: readonly string[]) => new TextEncoder().encode(lines.join(""));
  const asked = input(missing.map(({ commit }) => `${commit}\n`));
  const answers = (await git.readText(["cat-file", "--batch-check"], { stdin: asked })).split("\n");
  const there = missing.filter((_, index) => answers[index]?.includes(" commit "));
  const stdin = input(
    there.map(({ number, commit }) => `create ${checkpointRef(session, number)} ${commit}\n`),
  );
  if (there.length > 0) await git.write(["update-ref", "--stdin"], { stdin });
}

async function latestBefore(
  git: Git,
  session: string,
  number: number,
): Promise<Checkpoint | undefined> {
  return (await listCheckpoints(git, session)).findLast((checkpoint) => checkpoint.number < number);
}

/** Removes the ref of one checkpoint, if it still is the one given. */
export async function removeCheckpoint(
  git: Git,
  { session, number, commit }: Pick<Checkpoint, "session" | "number" | "commit">,
): Promise<void> {
  await git.write(["update-ref", "-d", checkpointRef(session, number), commit]);
}

/** How many refs are kept for a session. */
export async function countSessionRefs(git: Git, session: string): Promise<number> {
  return (await sessionRefs(git, session)).length;
}

/** Removes every ref that is kept for a session; git drops what they kept in its own time. */
export async function removeSessionRefs(git: Git, session: string): Promise<void> {
  const refs = await sessionRefs(git, session);
  if (refs.length === 0) return;
  const stdin = new TextEncoder().encode(refs.map((ref) => `delete ${ref}\n`).join(""));
  await git.write(["update-ref", "--stdin"], { stdin });
}

async function sessionRefs(git: Git, session: string): Promise<string[]> {
  const folder = checkpointRef(session, 0).replace(/0$/, "");
  const args = ["for-each-ref", "--format=%(refname) %(objectname)", folder];
  return (await git.readText(args)).split("\n").filter((line) => line !== "");
}

/**
 * The ref of a checkpoint.
 *
 * @throws {UsageError} when the session's name cannot be part of a ref
 */
function checkpointRef(session: string, number: number): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(session)) {
    throw new UsageError(`${session}: is not the name of a session`);
  }
  return `refs/m31a/${session}/${number}`;
}

/** A folder in a file's place is, for a checkpoint of files, nothing. */
function readFileOrNothing(root: string, path: string): FileState {
  try {
    if (Deno.lstatSync(`${root}/${path}`).isDirectory) return undefined;
  } catch {
    return undefined;
  }
  return readFileState(root, path);
}

/** Removals before the rest: a file may have made room for a folder of the same name. */
function removalsFirst<T>(items: readonly T[], isRemoval: (item: T) => boolean): T[] {
  return [...items.filter(isRemoval), ...items.filter((item) => !isRemoval(item))];
}

/** Input of git-fast-import(1). */
class ImportStream {
  readonly #parts: Uint8Array[] = [];

  #line(text: string): void {
    this.#parts.push(new TextEncoder().encode(`${text}\n`));
  }

  #data(bytes: Uint8Array): void {
    this.#line(`data ${bytes.byteLength}`);
    this.#parts.push(bytes, new TextEncoder().encode("\n"));
  }

  commit(ref: string, mark: string, message: string, atMs: number, parent?: string): void {
    this.#line(`commit ${ref}`);
    this.#line(`mark ${mark}`);
    this.#line(`committer ${IDENTITY} ${Math.floor(atMs / 1000)} +0000`);
    this.#data(new TextEncoder().encode(message));
    if (parent !== undefined) this.#line(`from ${parent}`);
  }

  remove(path: string): void {
    this.#line(`D ${quoteName(path)}`);
  }

  keep(path: string, { mode, blob }: KeptFile): void {
    this.#line(`M ${mode} ${blob} ${quoteName(path)}`);
  }

  write(path: string, { mode, bytes }: NonNullable<FileState>): void {
    this.#line(`M ${mode} inline ${quoteName(path)}`);
    this.#data(bytes);
  }

  end(): Uint8Array {
    this.#line("get-mark :2");
    this.#line("done");
    return concatenate(this.#parts);
  }
}

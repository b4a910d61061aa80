/**
 * The files that m31a keeps for looking at a tree: an index, an object folder, the ids of unfiltered contents.
 * Rule: the repository is read and never written, its index included; a new index takes the old one's place whole.
 */
import { Buffer } from "node:buffer";
import { join } from "@std/path";
import { z } from "zod";
import { FileError, UsageError, WorkFailed } from "../../platform/errors.ts";
import {
  ensurePrivateDirectory,
  lstatOrUndefined,
  naming,
  pathExists,
  readTextIfExists,
  removeIfExists,
  writeAtomically,
} from "../../platform/files.ts";
import { runProcess } from "../../platform/processes.ts";
import { decodeLossy } from "../../platform/text.ts";
import { ContentStore } from "../content_store.ts";
import type { Git, GitOptions } from "../run.ts";
import { type ByteName, type IndexEntry, isIndexWhole, parseIndex } from "./index_file.ts";

/** Where the repository keeps what is looked up there, as absolute paths. */
interface Repository {
  gitDirectory: string;
  index: string;
  /** The length of an id in bytes. */
  idBytes: number;
}

/** Settings that would make an index of ours one that only git with the user's settings understands, or hide changes. */
const PLAIN_INDEX = [
  ...["-c", "core.splitIndex=false", "-c", "core.untrackedCache=false", "-c", "index.sparse=false"],
  ...["-c", "core.sparseCheckout=false", "-c", "core.ignoreStat=false"],
  ...["-c", "core.trustctime=true", "-c", "core.checkStat=default"],
  // Whatever the umask is, what is kept is the user's alone.
  ...["-c", "core.sharedRepository=0600"],
];

/** Contents whose unfiltered form has another id: of each path, the id in the index and the unfiltered one's. */
export type RawIds = Map<ByteName, readonly [blob: string, raw: string]>;

const rawIdsFile = z.record(z.string(), z.tuple([z.string(), z.string()]));

/** See the head of this file. */
export class OwnFiles {
  readonly git: Git;
  readonly store: ContentStore;
  readonly #folder: string;
  readonly #repository: Repository;
  /** What the index holds, once it has been read. */
  #entries: ReadonlyMap<ByteName, IndexEntry> | undefined;

  private constructor(git: Git, store: ContentStore, folder: string, repository: Repository) {
    this.git = git;
    this.store = store;
    this.#folder = folder;
    this.#repository = repository;
  }

  /**
   * Finds or makes the files in `folder`, an absolute path that only m31a writes to. A new index begins as a copy of the
   * user's: it lends its file times, so that what has not changed since need not be read.
   *
   * @throws {NotARepository} {@linkcode UsageError} when `git` is not bound to the root of a tree
   */
  static async open(git: Git, folder: string): Promise<OwnFiles> {
    const repository = await findRepository(git);
    const store = await ContentStore.open(git, folder);
    const files = new OwnFiles(git, store, folder, repository);
    for (const { name } of Deno.readDirSync(folder)) {
      if (name.startsWith(NEXT)) Deno.removeSync(join(folder, name), { recursive: true });
    }
    if (!files.#isWhole()) await files.#seed();
    return files;
  }

  get gitDirectory(): string {
    return this.#repository.gitDirectory;
  }

  get #index(): string {
    return join(this.#folder, "index");
  }

  /** Runs git on these files; no hook, as for any command that reads. */
  async run(args: readonly string[], options: GitOptions & { index?: string } = {}) {
    const env = { GIT_INDEX_FILE: options.index ?? this.#index };
    return await this.store.git.run("read", [...PLAIN_INDEX, ...args], { ...options, env });
  }

  /** What the index holds. */
  entries(): ReadonlyMap<ByteName, IndexEntry> {
    return this.#entries ??= this.entriesOf(this.#index);
  }

  /** What another index holds; nothing when there is none. */
  entriesOf(index: string): ReadonlyMap<ByteName, IndexEntry> {
    return pathExists(index)
      ? parseIndex(Deno.readFileSync(index), this.#repository.idBytes)
      : new Map();
  }

  /**
   * Makes the next index from the one there is: `change` is given its path, and when it has ended well it takes the
   * other's place.
   */
  async replaceIndex<T>(change: (next: string) => Promise<T>): Promise<T> {
    const next = join(this.#folder, `${NEXT}${crypto.randomUUID()}`);
    try {
      const writtenMs = lstatOrUndefined(this.#index)?.mtime?.getTime();
      if (writtenMs !== undefined) {
        naming(this.#index, "copy", () => Deno.copyFileSync(this.#index, next));
        // By its time git knows which files may have changed again within the second in which it took them.
        setTime(next, writtenMs);
      }
      const result = await change(next);
      if (pathExists(next)) {
        naming(this.#index, "replace", () => Deno.renameSync(next, this.#index));
        this.#entries = undefined;
      }
      return result;
    } finally {
      removeIfExists(next);
      removeIfExists(`${next}.lock`);
    }
  }

  /** Runs `use` with the path of an index that is empty, and removed afterwards. */
  async withEmptyIndex<T>(use: (index: string) => Promise<T>): Promise<T> {
    const index = join(this.#folder, `${NEXT}${crypto.randomUUID()}`);
    try {
      return await use(index);
    } finally {
      removeIfExists(index);
      removeIfExists(`${index}.lock`);
    }
  }

  /** Runs `use` with a new folder, which is removed afterwards. */
  async withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
    const folder = join(this.#folder, `${NEXT}${crypto.randomUUID()}`);
    ensurePrivateDirectory(folder);
    try {
      return await use(folder);
    } finally {
      Deno.removeSync(folder, { recursive: true });
    }
  }

  /** Tells git that the index was compared with the tree at `verifiedMs`: what changed before need not be read again. */
  markVerified(verifiedMs: number): void {
    if (pathExists(this.#index)) setTime(this.#index, verifiedMs);
  }

  /** Whether something is under way that may be changing the tree; it stands there until it is said to have ended. */
  get isUnderWay(): boolean {
    return pathExists(join(this.#folder, UNDER_WAY));
  }

  set isUnderWay(isUnderWay: boolean) {
    const path = join(this.#folder, UNDER_WAY);
    if (isUnderWay) writeAtomically(path, "", 0o600);
    else removeIfExists(path);
  }

  /** The present time by the clock of the file system, in milliseconds. */
  fileTimeMs(): number {
    const path = join(this.#folder, `${NEXT}time`);
    Deno.writeFileSync(path, new Uint8Array(), { mode: 0o600 });
    const timeMs = lstatOrUndefined(path)?.mtime?.getTime() ?? 0;
    removeIfExists(path);
    return timeMs;
  }

  /** The ids of unfiltered contents, as they were written last. */
  readRawIds(): RawIds {
    const text = readTextIfExists(join(this.#folder, RAW_IDS));
    return new Map(text === undefined ? [] : Object.entries(rawIdsFile.parse(JSON.parse(text))));
  }

  writeRawIds(ids: RawIds): void {
    writeAtomically(join(this.#folder, RAW_IDS), JSON.stringify(Object.fromEntries(ids)), 0o600);
  }

  /** A power cut can leave half a file. What is damaged is begun anew. */
  #isWhole(): boolean {
    try {
      this.readRawIds();
      return pathExists(this.#index) &&
        isIndexWhole(Deno.readFileSync(this.#index), this.#repository.idBytes);
    } catch (error) {
      if (error instanceof FileError || error instanceof SyntaxError) return false;
      if (error instanceof z.ZodError) return false;
      throw error;
    }
  }

  async #seed(): Promise<void> {
    const { index } = this.#repository;
    removeIfExists(this.#index);
    removeIfExists(join(this.#folder, RAW_IDS));
    await this.replaceIndex(async (next) => {
      const { code, stderr } = await runProcess({
        script: COPY_IF_THERE,
        env: { PATH: (await this.git.programs()).searchPath },
        args: [index, next],
        cwd: this.git.root,
      });
      if (code !== 0) throw new WorkFailed(`${index}: cannot be copied: ${decodeLossy(stderr)}`);
      if (!pathExists(next)) return;
      // No flag of the user's keeps git from looking at a file.
      const listed = await this.run(["ls-files", "-v", "-z"], { index: next });
      const names = Buffer.from(listed.stdout).toString("latin1").split("\0");
      for (const [isFlagged, clear] of FLAGS) {
        const flagged = names.filter((line) => isFlagged.test(line)).map((line) => line.slice(2));
        if (flagged.length > 0) {
          await this.run(["update-index", clear, "-z", "--stdin"], {
            index: next,
            stdin: nulEnded(flagged),
          });
        }
      }
    });
  }
}

// The index of a linked worktree is outside of what m31a may read, so a shell copies it, with its time.
const COPY_IF_THERE = 'test -e "$1" || exit 0; cp -p -- "$1" "$2" && chmod 600 "$2"';

const NEXT = "next-";
const RAW_IDS = "raw_ids.json";
const UNDER_WAY = "under_way";

/** How `ls-files -v` marks entries that git does not compare with the tree, and what ends that. */
const FLAGS = [
  [/^[a-z] /, "--no-assume-unchanged"],
  [/^[sS] /, "--no-skip-worktree"],
] as const;

/** Names as git reads them with `-z`. */
export function nulEnded(names: Iterable<ByteName>): Uint8Array {
  let text = "";
  for (const name of names) text += `${name}\0`;
  return Buffer.from(text, "latin1");
}

/** Whole seconds, rounded down: an index that seems older makes git compare more, never less. */
function setTime(path: string, timeMs: number): void {
  const seconds = Math.floor(timeMs / 1000);
  Deno.utimeSync(path, seconds, seconds);
}

async function findRepository(git: Git): Promise<Repository> {
  const args = ["rev-parse", "--show-prefix", "--show-object-format", "--path-format=absolute"];
  const paths = ["--git-dir", "--git-path", "index"];
  const found = await git.readText([...args, ...paths], { startsNothing: true });
  const [prefix = "", format = "", gitDirectory = "", index = ""] = found.split("\n");
  if (prefix !== "") throw new UsageError(`${git.root}: is below the root of its repository`);
  return { gitDirectory, index, idBytes: format === "sha256" ? 32 : 20 };
}

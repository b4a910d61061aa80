/**
 * Whether what a file held can be had again, byte for byte.
 * Rule: the id that is given is that of the bytes which were in the tree; what a filter would give back otherwise is not kept.
 */
import { Buffer } from "node:buffer";
import { allEnded } from "../../platform/all_ended.ts";
import { decodeLatin1 } from "../../platform/text.ts";
import type { GitPath } from "../path.ts";
import { textOf } from "./classify.ts";
import { filteredNames } from "./filtered.ts";
import { type ByteName, type IndexEntry, pathOf } from "./index_file.ts";
import type { OwnFiles, RawIds } from "./own_files.ts";

/** A file as a tree had it. */
export interface TreeFile {
  /** 100644, 100755 or 120000. */
  mode: string;
  /** The id of the unfiltered content; of one that is not kept, of what git would store. */
  blob: string;
  /** Whether the content can be had, from the repository or from what was kept. */
  kept: boolean;
  /** Whether git takes it for what the last commit has. */
  committed: boolean;
}

/** A file that is not the same in two trees; `null` where there is none. */
export interface ChangedFile {
  path: GitPath;
  before: TreeFile | null;
  after: TreeFile | null;
}

/** A path whose entries differ. */
export interface SideOfChange {
  name: ByteName;
  before: IndexEntry | undefined;
  after: IndexEntry | undefined;
}

/** Says of each side of the changes whether its content is kept. */
export async function contentsOf(
  own: OwnFiles,
  keepBytes: number,
  changes: readonly SideOfChange[],
  rawBefore: Readonly<RawIds>,
  rawAfter: Readonly<RawIds>,
): Promise<ChangedFile[]> {
  if (changes.length === 0) return [];
  const ids = changes.flatMap(({ name, before, after }) => [
    ...idsOf(before, rawBefore.get(name)),
    ...idsOf(after, rawAfter.get(name)),
  ]);
  const unread = changes.flatMap(({ name, before }) =>
    before === undefined || rawBefore.has(name) ? [] : [name]
  );
  const [sizes, filtered, committed] = await allEnded([
    sizesOf(own, ids),
    filteredNames(own, unread),
    committedEntries(own, changes.map(({ name }) => name)),
  ]);
  const contents = new Contents(own, keepBytes, sizes, filtered);
  const side = async (name: ByteName, entry: IndexEntry | undefined, raw: RawId) => {
    if (entry === undefined) return null;
    const { mode, blob } = entry;
    const isCommitted = committed.get(name) === `${mode} blob ${blob}`;
    return { mode, committed: isCommitted, ...await contents.of(name, entry, raw) };
  };
  const files: ChangedFile[] = [];
  for (const { name, before, after } of changes) {
    files.push({
      path: pathOf(name),
      before: await side(name, before, rawBefore.get(name)),
      after: await side(name, after, rawAfter.get(name)),
    });
  }
  return files;
}

type RawId = readonly [blob: string, raw: string] | undefined;

function idsOf(entry: IndexEntry | undefined, raw: RawId): string[] {
  if (entry === undefined) return [];
  return [raw?.[0] === entry.blob ? raw[1] : entry.blob];
}

class Contents {
  readonly #own: OwnFiles;
  readonly #keepBytes: number;
  readonly #sizes: ReadonlyMap<string, number>;

  readonly #filtered: ReadonlySet<ByteName>;

  constructor(
    own: OwnFiles,
    keepBytes: number,
    sizes: ReadonlyMap<string, number>,
    filtered: ReadonlySet<ByteName>,
  ) {
    this.#own = own;
    this.#keepBytes = keepBytes;
    this.#sizes = sizes;
    this.#filtered = filtered;
  }

  async of(
    name: ByteName,
    entry: IndexEntry,
    raw: RawId,
  ): Promise<Pick<TreeFile, "blob" | "kept">> {
    const { mode, blob, sizeBytes } = entry;
    if (raw?.[0] === blob) return { blob: raw[1], kept: this.#sizes.has(raw[1]) };
    const storedBytes = this.#sizes.get(blob);
    if (storedBytes === undefined) return { blob, kept: false };
    const isFiltered = this.#filtered.has(name) && mode !== "120000";
    const isAsStored = storedBytes % 2 ** 32 === sizeBytes && !isFiltered;
    if (isAsStored) return { blob, kept: true };
    const checkedOut = sizeBytes <= this.#keepBytes ? await this.#checkOut(name, entry) : undefined;
    return { blob: checkedOut ?? blob, kept: checkedOut !== undefined };
  }

  /** What a checkout makes of the stored content, kept, if it has the size that the file had. */
  async #checkOut(name: ByteName, { blob, sizeBytes }: IndexEntry): Promise<string | undefined> {
    const path = textOf(name);
    if (path === undefined) return undefined;
    const { stdout } = await this.#own.run(["cat-file", "--filters", `--path=${path}`, blob]);
    if (stdout.byteLength !== sizeBytes) return undefined;
    const args = ["hash-object", "-w", "--no-filters", "--stdin"];
    return Buffer.from((await this.#own.run(args, { stdin: stdout })).stdout).toString().trim();
  }
}

/** git's exit code where there is no commit yet. */
const NO_SUCH_TREE = 128;

/** Of more names than this git is asked for all it has: a command line has a limit. */
const NAMES_A_COMMAND = 200;

/** What the last commit has at each path, as `mode type id`; nothing where there is no commit. */
async function committedEntries(
  own: OwnFiles,
  names: readonly ByteName[],
): Promise<Map<ByteName, string>> {
  const entries = new Map<ByteName, string>();
  const texts = names.flatMap((name) => textOf(name) ?? []);
  const isFew = names.length <= NAMES_A_COMMAND && texts.length === names.length;
  const args = ["ls-tree", "-r", "-z", "HEAD", ...isFew ? ["--", ...texts] : []];
  const output = await own.git.read(args, { okCodes: [0, NO_SUCH_TREE] });
  for (const line of decodeLatin1(output).split("\0")) {
    const tab = line.indexOf("\t");
    entries.set(line.slice(tab + 1), line.slice(0, tab));
  }
  return entries;
}

/** The sizes of those of `ids` that there are. */
async function sizesOf(own: OwnFiles, ids: readonly string[]): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  if (ids.length === 0) return sizes;
  const stdin = new TextEncoder().encode(ids.map((id) => `${id}\n`).join(""));
  const { stdout } = await own.run(["cat-file", "--batch-check"], { stdin });
  for (const line of Buffer.from(stdout).toString("latin1").split("\n")) {
    const [id = "", type, size] = line.split(" ");
    if (type === "blob") sizes.set(id, Number(size));
  }
  return sizes;
}

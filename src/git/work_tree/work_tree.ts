/**
 * The tree as it stands, as git would commit it: HEAD's files and all that git does not ignore.
 * Rule: no size, number, folder or encoding of a name at which it stops; what cannot be told is named, with the reason.
 *
 * look.ts finds what has changed since it was looked at last, read_files.ts takes that into an index of m31a's own and
 * keeps what the files hold, changes.ts compares two trees, unlike_checkout.ts one with a checkout; own_files.ts and index_file.ts are the files behind it.
 */
import type { Git } from "../run.ts";
import { changesBetween, type TreeChanges } from "./changes.ts";
import type { ByteName, IndexEntry } from "./index_file.ts";
import { lookAtTree } from "./look.ts";
import { OwnFiles, type RawIds } from "./own_files.ts";
import { readFiles } from "./read_files.ts";
import type { Unlike } from "./other_names.ts";
import { unlikeCheckout } from "./unlike_checkout.ts";

/** Where and how much is kept. */
export interface WorkTreeSettings {
  /** An absolute path that only m31a writes to; made when it is missing. */
  folder: string;
  /** Of files up to this size the contents are kept. */
  keepBytes: number;
  /** Folders at the root that are m31a's own: not followed, and in no tree. */
  apart: readonly string[];
}

/** A tree that was taken. */
export interface TakenTree {
  /** git's id of the tree. Its objects are in the folder or in the repository, but for files too large to keep. */
  readonly tree: string;
  readonly entries: ReadonlyMap<ByteName, IndexEntry>;
  /** Of contents that a filter changes: the id in the tree and that of what was in the file. */
  readonly rawIds: Readonly<RawIds>;
  /** What cannot be told, by path, and why: nothing below such a path is in the tree, or not as it is. */
  readonly unknown: ReadonlyMap<ByteName, string>;
}

/** Looks at one working tree, again and again, also from process to process; one process at a time. */
export class WorkTree {
  readonly #git: Git;
  readonly #settings: WorkTreeSettings;
  #opened: Promise<OwnFiles> | undefined;

  constructor(git: Git, settings: WorkTreeSettings) {
    this.#git = git;
    this.#settings = settings;
  }

  /** The files behind it. See {@linkcode OwnFiles.open}. */
  files(): Promise<OwnFiles> {
    return this.#opened ??= OwnFiles.open(this.#git, this.#settings.folder);
  }

  /**
   * The tree as it stands. Only what has changed since the last time is read.
   *
   * @throws {NotARepository} {@linkcode NoGit} {@linkcode GitError} {@linkcode UsageError} when it cannot be had
   * @throws the signal's reason when it is aborted
   */
  async take(signal?: AbortSignal): Promise<TakenTree> {
    const own = await this.files();
    const { apart, keepBytes } = this.#settings;
    const looked = await lookAtTree(own, own.entries(), apart, signal);
    const { verifiedMs, unknown } = looked;
    const isSame = looked.candidates.size + looked.dropped.length + looked.outside.size === 0;
    if (isSame) {
      own.markVerified(verifiedMs);
      return await this.#asKept(unknown);
    }
    const rawIds = own.readRawIds();
    await own.replaceIndex(async (index) => {
      const options = signal === undefined ? {} : { signal };
      await readFiles({ own, index, keepBytes, rawIds, unknown, ...options }, looked);
      own.writeRawIds(rawIds);
    });
    return await this.#asKept(unknown);
  }

  /**
   * The tree as it stands before something that may change it. Of what was begun before and cut off, by the end of its
   * process for example, it is found out what has changed since.
   */
  async begin(
    signal?: AbortSignal,
  ): Promise<{ before: TakenTree; cutOff: TreeChanges | undefined }> {
    const settled = await this.settle(signal);
    const before = settled?.now ?? await this.take(signal);
    (await this.files()).isUnderWay = true;
    return { before, cutOff: settled?.changes };
  }

  /**
   * What has changed since something was begun that was cut off, which counts as ended from then on; undefined when
   * nothing was.
   */
  async settle(
    signal?: AbortSignal,
  ): Promise<{ now: TakenTree; changes: TreeChanges } | undefined> {
    const own = await this.files();
    if (!own.isUnderWay) return undefined;
    const earlier = await this.#asKept(new Map());
    const now = await this.take(signal);
    const changes = await this.changesBetween(earlier, now, signal);
    own.isUnderWay = false;
    return { now, changes };
  }

  /** The tree after that, and what has changed. */
  async end(before: TakenTree): Promise<{ after: TakenTree; changes: TreeChanges }> {
    const after = await this.take();
    const changes = await this.changesBetween(before, after);
    (await this.files()).isUnderWay = false;
    return { after, changes };
  }

  /**
   * Which files are not the same in two trees of one session's, and whether what they held can be had again. What is said
   * of `after` is true of the tree as it stands: it has to be the one that was taken last.
   *
   * @throws as {@linkcode WorkTree.take}
   */
  async changesBetween(
    before: TakenTree,
    after: TakenTree,
    signal?: AbortSignal,
  ): Promise<TreeChanges> {
    const own = await this.files();
    return await changesBetween(own, this.#settings.keepBytes, before, after, signal);
  }

  /**
   * What stands there otherwise than a checkout of the tree would put it there, what git ignores aside.
   *
   * @param taken the tree that was taken last
   */
  async unlikeCheckout(taken: TakenTree, signal?: AbortSignal): Promise<Unlike[]> {
    return await unlikeCheckout(await this.files(), taken.entries, this.#settings.apart, signal);
  }

  async #asKept(unknown: ReadonlyMap<ByteName, string>): Promise<TakenTree> {
    const own = await this.files();
    const { stdout } = await own.run(["write-tree", "--missing-ok"]);
    const tree = new TextDecoder().decode(stdout).trim();
    return { tree, entries: own.entries(), rawIds: own.readRawIds(), unknown };
  }
}

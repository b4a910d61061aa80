/**
 * What a command or a check changes in the tree, so that it can be kept, shipped and taken back like any other change.
 * Rule: what git ignores and what m31a keeps for itself is nobody's change; what cannot be told is said, with the reason.
 */
import type { TreeChanges } from "../git/work_tree/changes.ts";
import type { TreeFile } from "../git/work_tree/contents.ts";
import type { WorkTree } from "../git/work_tree/work_tree.ts";
import { Interrupted, M31aError } from "../platform/errors.ts";
import {
  type FileState,
  type TouchedFile,
  touchedFile,
  type TreeState,
  type UnknownFile,
} from "../session/outcome.ts";

/** What stood there in the end, and what was changed until then. */
export interface WatchedTree {
  tree: TreeState;
  touched: TouchedFile[];
  unknown: UnknownFile[];
}

/** Files that an interpreter or a desktop puts beside others wherever it goes; a new one is nobody's work. */
const LEFT_BEHIND = /(?:^|\/)(?:__pycache__\/[^/]+\.pyc|\.DS_Store)$/;

const CUT_OFF = "was changed after a command had begun that was cut off, by it or by someone else";

const ODD_NAME = "was changed, and has a name that cannot be recorded";

/** So many paths are named that a checkout would have otherwise. */
const NAMED = 5;

/** A tree that cannot be had, and why. */
interface NoTree {
  whyNot: string;
}

type Begun = Awaited<ReturnType<WorkTree["begin"]>>;

/** Watches the tree while something runs. */
export class TreeWatch {
  readonly #tree: WorkTree;
  readonly #begun: Begun | NoTree;

  private constructor(tree: WorkTree, begun: Begun | NoTree) {
    this.#tree = tree;
    this.#begun = begun;
  }

  /** To be called before it. What is not committed yet is kept. */
  static async begin(tree: WorkTree, signal?: AbortSignal): Promise<TreeWatch> {
    return new TreeWatch(tree, await orWhyNot(() => tree.begin(signal)));
  }

  /** What has changed since something was begun that was cut off; undefined when nothing was. */
  static async settle(tree: WorkTree): Promise<Omit<WatchedTree, "touched"> | undefined> {
    const settled = await orWhyNot(() => tree.settle());
    if (settled === undefined) return undefined;
    if ("whyNot" in settled) return { tree: { unknown: settled.whyNot }, unknown: [] };
    return { tree: { id: settled.now.tree }, unknown: namedCutOff(settled.changes) };
  }

  /** The tree that stood there before it; undefined when that is not known. */
  get treeBefore(): string | undefined {
    return "before" in this.#begun ? this.#begun.before.tree : undefined;
  }

  /**
   * The tree that stood there before it, as evidence of what a clone has: known only where a checkout would be the same.
   *
   * @throws the signal's reason when it is aborted
   */
  async checkedOutTree(signal?: AbortSignal): Promise<TreeState> {
    const begun = this.#begun;
    if ("whyNot" in begun) return { unknown: begun.whyNot };
    const found = await orWhyNot(() => this.#tree.unlikeCheckout(begun.before, signal));
    if ("whyNot" in found) return { unknown: found.whyNot };
    if (found.length === 0) return { id: begun.before.tree };
    const named = found.slice(0, NAMED).map(({ path, what }) => `${path} ${what}`).join(", ");
    const more = found.length > NAMED ? `, and ${found.length - NAMED} more` : "";
    return { unknown: `a checkout would have it otherwise: ${named}${more}` };
  }

  /** To be called after it, also when it was cut off. */
  async end(): Promise<WatchedTree> {
    const begun = this.#begun;
    if ("whyNot" in begun) return nothingKnown(begun);
    const found = await orWhyNot(() => this.#tree.end(begun.before));
    if ("whyNot" in found) return nothingKnown(found);
    const { after, changes } = found;
    const touched: TouchedFile[] = [];
    const unknown = [
      ...begun.cutOff === undefined ? [] : namedCutOff(begun.cutOff),
      ...changes.unknown.map(({ path, why }) => ({ path: path.text, why })),
    ];
    for (const { path, before, after } of changes.files) {
      if (before === null && LEFT_BEHIND.test(path.text)) continue;
      const file = { path: path.text, before: stateOf(before), after: stateOf(after) };
      const isRecordable = path.isUtf8 && touchedFile.safeParse(file).success;
      if (isRecordable) touched.push(file);
      if (!isRecordable) unknown.push({ path: path.text, why: ODD_NAME });
    }
    return { tree: { id: after.tree }, touched, unknown };
  }
}

function namedCutOff({ files, unknown }: TreeChanges): UnknownFile[] {
  return [...files, ...unknown].map(({ path }) => ({ path: path.text, why: CUT_OFF }));
}

function nothingKnown({ whyNot }: NoTree): WatchedTree {
  return { tree: { unknown: whyNot }, touched: [], unknown: [] };
}

async function orWhyNot<T>(take: () => Promise<T>): Promise<T | NoTree> {
  try {
    return await take();
  } catch (error) {
    if (!(error instanceof M31aError) || error instanceof Interrupted) throw error;
    return { whyNot: error.message };
  }
}

function stateOf(file: TreeFile | null): FileState {
  if (file === null) return null;
  const { mode, blob, kept, committed } = file;
  return { mode, blob, ...(kept ? {} : { kept }), ...(committed ? { committed } : {}) };
}

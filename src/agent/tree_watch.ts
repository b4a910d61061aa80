/**
 * What a command or a check changes in the tree, so that it can be kept, shipped and taken back like any other change.
 * Rule: what git ignores and what m31a keeps for itself is nobody's change; what cannot be told is said, with the reason.
 */
import type { TreeFile } from "../git/work_tree/contents.ts";
import type { TakenTree, WorkTree } from "../git/work_tree/work_tree.ts";
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

/** A tree that cannot be had, and why. */
interface NoTree {
  whyNot: string;
}

/** Watches the tree while something runs. */
export class TreeWatch {
  readonly #tree: WorkTree;
  readonly #before: TakenTree | NoTree;

  private constructor(tree: WorkTree, before: TakenTree | NoTree) {
    this.#tree = tree;
    this.#before = before;
  }

  /** To be called before it. What is not committed yet is kept. */
  static async begin(tree: WorkTree, signal?: AbortSignal): Promise<TreeWatch> {
    return new TreeWatch(tree, await orWhyNot(() => tree.take(signal)));
  }

  /** The tree that stood there before it; undefined when that is not known. */
  get treeBefore(): string | undefined {
    return "tree" in this.#before ? this.#before.tree : undefined;
  }

  /** To be called after it. */
  async end(): Promise<WatchedTree> {
    const before = this.#before;
    if ("whyNot" in before) return nothingKnown(before);
    const found = await orWhyNot(async () => {
      const after = await this.#tree.take();
      return { after, changes: await this.#tree.changesBetween(before, after) };
    });
    if ("whyNot" in found) return nothingKnown(found);
    const { after, changes } = found;
    const touched: TouchedFile[] = [];
    const unknown = changes.unknown.map(({ path, why }) => ({ path: path.text, why }));
    for (const { path, before, after } of changes.files) {
      if (before === null && LEFT_BEHIND.test(path.text)) continue;
      const file = { path: path.text, before: stateOf(before), after: stateOf(after) };
      if (path.isUtf8 && touchedFile.safeParse(file).success) touched.push(file);
      else {unknown.push({
          path: path.text,
          why: "was changed, and has a name that cannot be recorded",
        });}
    }
    return { tree: { id: after.tree }, touched, unknown };
  }
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

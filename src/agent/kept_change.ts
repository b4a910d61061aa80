/**
 * Changes whose contents are in git's object store: as intents and results keep them.
 * Rule: what is kept says the whole change, so that its result can be made from it by a later process.
 */
import { sha256Hex } from "../platform/canonical_json.ts";
import { isSameKept, keepBlob, type KeptFile, readBlob } from "../git/blob.ts";
import { capText } from "../platform/text.ts";
import type { FileChange, FileMode, FileState } from "../git/file_state.ts";
import type { Git } from "../git/run.ts";
import { done } from "./outcome.ts";
import type { Intent, ToolOutcome } from "./tool.ts";

/** A change of one file, its contents kept. */
export type KeptChange = Intent["changes"][number];

/** Keeps the contents of `changes`. */
export async function keepChanges(
  git: Git,
  changes: readonly FileChange[],
): Promise<KeptChange[]> {
  const kept: KeptChange[] = [];
  for (const { path, renamedFrom, before, after } of changes) {
    const states = await Promise.all([keepState(git, before), keepState(git, after)]);
    kept.push({
      path,
      ...(renamedFrom === undefined ? {} : { renamedFrom }),
      before: states[0],
      after: states[1],
    });
  }
  return kept;
}

async function keepState(git: Git, state: FileState): Promise<KeptFile | null> {
  if (state === undefined) return null;
  return { mode: state.mode, blob: await keepBlob(git, state.bytes) };
}

/**
 * The changes with their contents.
 *
 * @throws {GitError} when git has no such blob
 */
export async function loadChanges(
  git: Git,
  kept: readonly KeptChange[],
): Promise<FileChange[]> {
  const changes: FileChange[] = [];
  for (const { path, renamedFrom, before, after } of kept) {
    const oldState = await loadState(git, before);
    const newState = isSameKept(before, after) ? oldState : await loadState(git, after);
    changes.push({
      path,
      ...(renamedFrom === undefined ? {} : { renamedFrom }),
      before: oldState,
      after: newState,
    });
  }
  return changes;
}

/** A kept state with its content. */
export async function loadState(git: Git, kept: KeptFile | null): Promise<FileState> {
  if (kept === null) return undefined;
  return { mode: fileMode(kept.mode), bytes: await readBlob(git, kept.blob) };
}

function fileMode(mode: string): FileMode {
  return mode === "100755" || mode === "120000" ? mode : "100644";
}

/** What each path holds before and after, a renamed file's old path among them. */
export function statesByPath(
  kept: readonly KeptChange[],
): Map<string, Pick<KeptChange, "before" | "after">> {
  const states = new Map<string, Pick<KeptChange, "before" | "after">>();
  for (const { path, renamedFrom, before, after } of kept) {
    if (renamedFrom !== undefined) states.set(renamedFrom, { before, after: null });
    states.set(path, { before: renamedFrom === undefined ? before : null, after });
  }
  return states;
}

/** Of a patch no more than this is recorded, in bytes: it is for people to read. What it changed is kept whole. */
const MAX_PATCH_BYTES = 256 * 1024;

/** The outcome of changes that are done. */
export function changeOutcome(
  whatWasDone: string,
  patch: string,
  changes: readonly FileChange[],
  kept: readonly KeptChange[],
): ToolOutcome {
  const states = [...statesByPath(kept)];
  const seen: Record<string, string | null> = {};
  for (const { path, renamedFrom, after } of changes) {
    if (renamedFrom !== undefined) seen[renamedFrom] = null;
    seen[path] = after === undefined ? null : sha256Hex(after.bytes);
  }
  return done(whatWasDone, {
    kind: "change",
    patch: capText(patch, MAX_PATCH_BYTES).text,
    touched: states.map(([path, { before, after }]) => ({ path, before, after })),
    seen,
  });
}

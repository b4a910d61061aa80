/**
 * How a tool changes files: check the paths, make a patch, ask, let git apply it, keep the facts.
 * Rule: what the session has not seen, or what has changed since, is not overwritten.
 */
import { isAbsolute, normalize, relative } from "@std/path";
import { sha256Hex } from "../platform/canonical_json.ts";
import { UsageError } from "../platform/errors.ts";
import { decodeStrict } from "../platform/text.ts";
import { applyChanges, EditConflict, prepareChanges } from "../git/apply.ts";
import {
  type FileChange,
  type FileContent,
  type FileState,
  readFileState,
  refuseUnsafePath,
} from "../git/file_state.ts";
import { Git } from "../git/run.ts";
import { refusalOf } from "./approval.ts";
import { changeOutcome, keepChanges } from "./kept_change.ts";
import { failed, orFailed } from "./outcome.ts";
import { foldName, isPrivatePath } from "./paths.ts";
import { noteSeen } from "./seen_files.ts";
import { sessionGit } from "./session_tree.ts";
import type { ApprovalScope, ToolContext, ToolOutcome } from "./tool.ts";

/** What a tool is about to do. */
export interface PlannedChange {
  /** One line: what happens, as in `edit src/a.ts`. */
  summary: string;
  changes: FileChange[];
  /** What the model is told when it is done. */
  done: string;
}

/**
 * Runs a tool that changes files: `plan` looks at the tree and says what to change or throws why
 * not; the rest is the same for all of them. Errors meant for people become the outcome.
 */
export async function changeFiles(
  context: ToolContext,
  tool: string,
  plan: () => PlannedChange,
): Promise<ToolOutcome> {
  return await orFailed(async () => {
    try {
      return await carryOut(context, tool, plan());
    } catch (error) {
      if (!(error instanceof EditConflict)) throw error;
      return failed(error.message, { kind: "conflict" });
    }
  });
}

async function carryOut(
  context: ToolContext,
  tool: string,
  { summary, changes, done: whatWasDone }: PlannedChange,
): Promise<ToolOutcome> {
  const git = new Git(context.root, context.environment);
  const prepared = await prepareChanges(git, changes);
  const scope = scopeOf(changes.map(({ path }) => path));
  const answer = await context.approve({ tool, summary, detail: prepared.patch, scope });
  if (!answer.isAllowed) {
    return failed(refusalOf(`Nothing was changed (${summary}).`, answer));
  }
  context.signal.throwIfAborted();
  // Kept before the change, so that it can be told and taken back wherever the process is killed.
  const kept = await keepChanges(await sessionGit(context), changes);
  context.intend({ done: whatWasDone, changes: kept });
  await applyChanges(git, prepared);
  const outcome = changeOutcome(whatWasDone, prepared.patch, changes, kept);
  noteSeen(context.seenFiles, outcome.outcome);
  return outcome;
}

function scopeOf(paths: readonly string[]): ApprovalScope {
  const names = [...new Set(paths)];
  return {
    keys: names.map((path) => `change ${path}`),
    words: `every change to ${names.join(" and ")}`,
  };
}

/**
 * Brings a path that the model gave into the form that git uses, and refuses what must not be changed.
 *
 * @throws {UsageError} with the path and the reason
 */
export function changeablePath(context: ToolContext, path: string): string {
  const inside = isAbsolute(path) ? relative(context.root, path) : path;
  const normal = normalize(inside);
  const simple = Deno.build.os === "windows" ? normal.replaceAll("\\", "/") : normal;
  if (simple === ".") throw new UsageError(`${path}: is the project's folder, not a file`);
  refuseUnsafePath(context.root, simple);
  const top = simple.split("/", 1)[0] ?? "";
  if (isPrivatePath(simple) || foldName(top) === "planning") {
    throw new UsageError(`${simple}: ${top}/ is kept by m31a itself; its tools do not change it`);
  }
  return simple;
}

/**
 * What is at `path` now, if the session may change it.
 *
 * @throws {EditConflict} when it is not what the session last saw
 */
export function changeableState(context: ToolContext, path: string): FileState {
  const state = readFileState(context.root, path);
  const seen = context.seenFiles.get(path);
  if (seen !== undefined && (state === undefined || sha256Hex(state.bytes) !== seen)) {
    throw new EditConflict(path, state === undefined ? "is gone from the disk" : undefined);
  }
  return state;
}

/**
 * The text of a file, for tools that change text.
 *
 * @throws {UsageError} for a symbolic link and for what is not UTF-8 text
 */
export function textOf(path: string, content: FileContent): string {
  if (content.mode === "120000") {
    throw new UsageError(`${path}: is a symbolic link; name the file that it leads to`);
  }
  const text = content.bytes.includes(0) ? undefined : decodeStrict(content.bytes);
  if (text === undefined) {
    throw new UsageError(`${path}: is not UTF-8 text; this tool changes text only`);
  }
  return text;
}

/**
 * What a tool call came to, beside the text that the model reads.
 * Rule: one variant a kind of outcome; whoever asks what a call did asks here, not in free facts.
 */
import { z } from "zod";
import { jsonValue } from "./json.ts";
import { commandLine, fileMode, objectId, projectPath } from "./patterns.ts";

/** A file whose content is in git's object store; null stands for no file. */
export const keptFile = z.strictObject({ mode: fileMode, blob: objectId }).nullable();

/** A file as a change found or left it; null stands for no file. */
export const fileState = z.strictObject({
  mode: fileMode,
  /** The id of the content, byte for byte; of one that is not kept, of what git would store. */
  blob: objectId,
  /** The content is kept nowhere: it was too large. Left out where it can be had. */
  kept: z.literal(false).exactOptional(),
  /** It is what the commit of that time has. Left out where it is not, or that was not looked at. */
  committed: z.literal(true).exactOptional(),
}).nullable();
export type FileState = z.infer<typeof fileState>;

/** A file that was changed: what was there before and after. */
export const touchedFile = z.strictObject({
  path: projectPath,
  before: fileState,
  after: fileState,
});
export type TouchedFile = z.infer<typeof touchedFile>;

/** What it cannot be told of whether it was changed, or what it was: a path as people read it, and why. */
export const unknownFile = z.strictObject({ path: z.string(), why: z.string() });
export type UnknownFile = z.infer<typeof unknownFile>;

/** The git tree that stood there, or why that is not known. */
export const treeState = z.union([
  z.strictObject({ id: objectId }),
  z.strictObject({ unknown: z.string() }),
]);
export type TreeState = z.infer<typeof treeState>;

/** What the model has seen of each file, the SHA-256 of its content; null for a file that is gone. */
const seen = z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/).nullable());

/** See the head of this file. */
export const callOutcome = z.discriminatedUnion("kind", [
  /** Content was shown. */
  z.strictObject({ kind: z.literal("read"), seen }),
  /** Files were changed by a patch. */
  z.strictObject({
    kind: z.literal("change"),
    patch: z.string(),
    touched: z.array(touchedFile),
    seen,
  }),
  /** Nothing was changed: a file is not what it was when the change was made. */
  z.strictObject({ kind: z.literal("conflict") }),
  /** A command was run to its end, or until its time was over. */
  z.strictObject({
    kind: z.literal("command"),
    command: commandLine,
    exitCode: z.int(),
    timedOut: z.boolean(),
    durationMs: z.number().nonnegative(),
    sandbox: z.string(),
    /** What stood there when it had ended. */
    tree: treeState,
    touched: z.array(touchedFile),
    unknown: z.array(unknownFile),
  }),
  /** A command that the end of its process cut off: what stands there since, and what has changed since it began. */
  z.strictObject({
    kind: z.literal("cut_off"),
    tree: treeState,
    unknown: z.array(unknownFile),
  }),
  /** A plan was submitted that can be carried out. */
  z.strictObject({ kind: z.literal("plan"), plan: jsonValue }),
  /** The last plan that may be submitted cannot be carried out. */
  z.strictObject({ kind: z.literal("plans_exhausted") }),
  /** A task is said to be finished, or, with `gaveUp`, that it cannot be. */
  z.strictObject({
    kind: z.literal("task_finished"),
    summary: z.string(),
    gaveUp: z.string().exactOptional(),
  }),
]);
export type CallOutcome = z.infer<typeof callOutcome>;

/** Whether the turn is over once a call has come to this. */
const ENDS_TURN: Readonly<Record<CallOutcome["kind"], boolean>> = {
  read: false,
  change: false,
  conflict: false,
  command: false,
  cut_off: false,
  plan: true,
  plans_exhausted: true,
  task_finished: true,
};

/** Whether the turn is over once this outcome is recorded. */
export function endsTurn(outcome: CallOutcome | undefined): boolean {
  return outcome !== undefined && ENDS_TURN[outcome.kind];
}

/** The files that a call has changed, as far as its outcome tells. */
export function touchedBy(outcome: CallOutcome | undefined): readonly TouchedFile[] {
  return outcome?.kind === "change" || outcome?.kind === "command" ? outcome.touched : [];
}

/** What a call may have changed, and of which it cannot be told. */
export function unknownTo(outcome: CallOutcome | undefined): readonly UnknownFile[] {
  return outcome?.kind === "command" || outcome?.kind === "cut_off" ? outcome.unknown : [];
}

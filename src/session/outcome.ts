/**
 * What a tool call came to, beside the text that the model reads.
 * Rule: one variant a kind of outcome; whoever asks what a call did asks here, not in free facts.
 */
import { z } from "zod";
import { jsonValue } from "./json.ts";
import { fileMode, objectId, projectPath } from "./patterns.ts";

/** A file whose content is in git's object store; null stands for no file. */
export const keptFile = z.strictObject({ mode: fileMode, blob: objectId }).nullable();

/** A file that was changed: what was there before and after. */
export const touchedFile = z.strictObject({
  path: projectPath,
  before: keptFile,
  after: keptFile,
});
export type TouchedFile = z.infer<typeof touchedFile>;

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
    command: z.string(),
    exitCode: z.int(),
    timedOut: z.boolean(),
    durationMs: z.number().nonnegative(),
    sandbox: z.string(),
    touched: z.array(touchedFile),
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

/**
 * The records of a session's log: every fact there can be about a conversation or a workflow.
 * Rule: this union is the whole vocabulary; what it does not know is refused by name, never skipped.
 */
import { z } from "zod";
import { images } from "./images.ts";
import { jsonObject, jsonValue } from "./json.ts";
import {
  callOutcome,
  keptFile,
  type TouchedFile,
  touchedFile,
  treeState,
  unknownFile,
} from "./outcome.ts";
import {
  assistantPart,
  failureCause,
  finishReason,
  phaseName,
  sentRequest,
  turnSubject,
} from "./parts.ts";
import { commandLine, objectId, projectPath } from "./patterns.ts";
import { sideRecords } from "./side_records.ts";
import { caveat, checkPurpose, projectCheck, testCount } from "./verification.ts";

export {
  type AssistantPart,
  failureCause,
  phaseName,
  type TurnSubject,
  turnSubject,
} from "./parts.ts";

/** The version of the files that this program writes. It reads format 1, too (format_1.ts). */
export const FORMAT_VERSION = 2;

const count = z.int().nonnegative();
const ordinal = z.int().positive();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** What every record has: its place in the log, its time, and the chain to the line before it. */
const envelope = {
  seq: ordinal,
  at: z.iso.datetime({ precision: 3 }),
  prev: z.string().regex(/^[0-9a-f]{16}$/),
};

/** The fields of each record type beside the envelope and `type`. */
const bodies = {
  /** The first record of a log. `baseline` is the SHA-256 of the epoch's baseline file. */
  session_start: { epoch: count, slot: count.nullable(), baseline: sha256 },
  /** What follows is of this format; the records before it, and the baseline, are of an earlier one. */
  format: { format: z.literal(FORMAT_VERSION) },
  /** A message to the model; it opens a turn. `source` says whose: the user's, or the workflow's. */
  user: {
    text: z.string(),
    source: z.enum(["user", "brief", "heal"]),
    /** Left out in plain conversation. */
    about: turnSubject.optional(),
    /** It stood, without an answer, at the end of the epoch before: it is no new message. */
    moved: z.literal(true).optional(),
    /** What the model is told in front of it: that files were taken back since it last read them. */
    note: z.string().optional(),
    images,
  },
  /**
   * A reply, complete. `request` is the request that it answers: its body's size and SHA-256; null in a copy, where that was
   * a request to another model.
   */
  assistant: {
    parts: z.array(assistantPart),
    finish: finishReason,
    request: sentRequest.nullable(),
  },
  tool_result: {
    call: ordinal,
    tool: z.string(),
    output: z.string(),
    isError: z.boolean(),
    /** The process ended between the call and its result. */
    interrupted: z.literal(true).optional(),
    /** A later process than the one that began the call brought it to its end. */
    settled: z.literal(true).optional(),
    images,
    outcome: callOutcome.optional(),
  },
  /**
   * What a call is about to do, before it does it: the files that it changes, none for a command; so
   * that it can be told afterwards whether a call that was interrupted had begun, and what became of it.
   */
  intent: {
    call: ordinal,
    /** What its result will say. */
    done: z.string(),
    changes: z.array(z.strictObject({
      path: projectPath,
      renamedFrom: projectPath.optional(),
      before: keptFile,
      after: keptFile,
    })),
  },
  /** What one request to a model took. Tokens; `input` counts all of the prompt, cached or not. */
  usage: {
    requestId: z.string(),
    purpose: z.enum(["turn", "compaction", "demonstration", "candidate"]),
    provider: z.string(),
    model: z.string(),
    input: count,
    output: count,
    cacheRead: count,
    cacheWrite: count,
    isReported: z.boolean(),
    /** US dollars; null when unknown. */
    cost: z.number().nonnegative().nullable(),
    costSource: z.enum(["reported", "estimated", "unknown"]),
    durationMs: z.number().nonnegative(),
    retries: count,
  },
  ...sideRecords,
  /** A turn ended without a reply. */
  aborted: {
    reason: z.enum(["interrupted", "limit", "error"]),
    detail: z.string(),
    cause: failureCause.optional(),
    /** The model has refused the pictures: from here on they are told of in words. */
    imagesLeftOut: z.literal(true).optional(),
  },
  /** What a workflow is to reach; `run` goes on alone, `chat` with the user at each gate. */
  goal: { text: z.string(), mode: z.enum(["run", "chat"]) },
  /** What the project is and how it is checked. */
  project: {
    projectType: z.string(),
    framework: z.string(),
    packageManager: z.string(),
    checks: z.array(projectCheck),
  },
  phase: { phase: phaseName, status: z.enum(["entered", "done", "failed"]), detail: z.string() },
  question: { question: ordinal, text: z.string(), options: z.array(z.string()) },
  answer: { question: ordinal, text: z.string(), by: z.enum(["user", "recommended"]) },
  plan: { version: ordinal, approved: z.boolean(), plan: jsonValue },
  task: {
    task: z.string(),
    status: z.enum(["pending", "running", "done", "failed", "skipped"]),
    heals: count,
    cause: failureCause.optional(),
    detail: z.string().optional(),
  },
  checkpoint: {
    number: count,
    commit: objectId,
    task: z.string().nullable(),
    files: z.array(projectPath),
    /** What was changed and is not in the commit, so that it cannot be brought back, and why. */
    unkept: z.array(unknownFile),
    kind: z.enum(["task", "turn", "undo", "rollback"]),
    /** Of an undo or a rollback: the checkpoint whose state came back, 0 for before the first. */
    to: count.optional(),
    /**
     * Of a task's or a turn's: the turn that was the last one then. Of a rollback: the conversation goes
     * back to the end of this turn, too. Not in what earlier versions wrote.
     */
    turn: count.optional(),
  },
  /**
   * An undo is about to change its first file; its checkpoint is made. The `checkpoint` record of that
   * number says that it is done, `dropped` that nothing was changed after all.
   */
  undo: {
    status: z.enum(["begun", "dropped"]),
    kind: z.enum(["undo", "rollback"]),
    to: count,
    number: ordinal,
    commit: objectId,
    /** As in `checkpoint`. */
    turn: count.optional(),
  },
  check: {
    name: z.string(),
    command: commandLine,
    task: z.string().nullable(),
    passed: z.boolean(),
    exitCode: z.int().nullable(),
    output: z.string(),
    durationMs: z.number().nonnegative(),
    purpose: checkPurpose,
    tests: testCount.nullable(),
    /** What stood there when it had ended. */
    tree: treeState,
    /** The files that the check itself has changed. */
    touched: z.array(touchedFile),
    unknown: z.array(unknownFile),
    /** Of the files that it has changed those that held work of the user's, and were put back. */
    restored: z.array(projectPath),
  },
  /** What is to be known of a verification besides that the checks passed. The newest such record counts. */
  caveats: { items: z.array(caveat) },
  /** A person edited a planning document and the edit was taken over. */
  edited: { document: z.string(), sha256, text: z.string() },
  shipped: { step: z.string(), facts: jsonObject },
  /** The end of the log was cut: how many bytes, and their SHA-256. */
  repaired: { bytes: count, sha256 },
} as const;

type Bodies = typeof bodies;

/** The types of record that this version knows. */
export type RecordType = keyof Bodies;
export const RECORD_TYPES = Object.keys(bodies) as readonly string[];

function recordSchema<T extends RecordType>(type: T) {
  return z.strictObject({ ...envelope, type: z.literal(type), ...bodies[type] });
}

/** One line of a log. */
export const sessionRecord = z.discriminatedUnion("type", [
  recordSchema("session_start"),
  recordSchema("format"),
  recordSchema("user"),
  recordSchema("assistant"),
  recordSchema("tool_result"),
  recordSchema("intent"),
  recordSchema("usage"),
  recordSchema("actions"),
  recordSchema("side_request"),
  recordSchema("candidate"),
  recordSchema("aborted"),
  recordSchema("goal"),
  recordSchema("project"),
  recordSchema("phase"),
  recordSchema("question"),
  recordSchema("answer"),
  recordSchema("plan"),
  recordSchema("task"),
  recordSchema("checkpoint"),
  recordSchema("undo"),
  recordSchema("check"),
  recordSchema("caveats"),
  recordSchema("edited"),
  recordSchema("shipped"),
  recordSchema("repaired"),
]);
export type SessionRecord = z.infer<typeof sessionRecord>;

/** A record of one type. */
export type RecordOf<T extends RecordType> = Extract<SessionRecord, { type: T }>;

type Draft<R> = R extends SessionRecord ? Omit<R, "seq" | "at" | "prev"> & { at?: string } : never;

/** Those of a check's changes that are the session's: a new file is not, nor what was put back. */
export function ownTouches(
  { touched, restored }: Pick<RecordOf<"check">, "touched" | "restored">,
): readonly TouchedFile[] {
  return touched.filter(({ path, before }) => before !== null && !restored.includes(path));
}

/** Whether a checkpoint has no work of its own, but took back that of others. */
export function isTakingBack({ kind }: Pick<RecordOf<"checkpoint">, "kind">): boolean {
  return kind === "undo" || kind === "rollback";
}

/** A record before it has a place in a log. One that is copied from another log keeps its time, `at`. */
export type RecordDraft = Draft<SessionRecord>;

/** Something that grows with the log: each record is applied once, in order, after it is on disk. */
export interface Fold {
  apply(record: SessionRecord): void;
}

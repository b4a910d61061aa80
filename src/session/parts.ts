/**
 * What records are made of: the parts of a reply, why it stopped, what a message is about.
 * Rule: a part says what was said, in no provider's format.
 */
import { z } from "zod";
import { jsonObject, jsonValue } from "./json.ts";

const ordinal = z.int().positive();

/** Data of the provider's own that must be sent back with a part (signatures of reasoning and the like). */
const provider = jsonObject.optional();

const textPart = z.strictObject({ kind: z.literal("text"), text: z.string(), provider });
const reasoningPart = z.strictObject({ kind: z.literal("reasoning"), text: z.string(), provider });
const callPart = z.strictObject({
  kind: z.literal("call"),
  /** 1, 2, 3 … within the session. */
  call: ordinal,
  tool: z.string(),
  input: jsonValue,
  /** What the model sent where that was not JSON; `input` is then `{}`. */
  malformed: z.string().optional(),
  provider,
});

/** A part of an assistant's reply. */
export const assistantPart = z.discriminatedUnion("kind", [textPart, reasoningPart, callPart]);
export type AssistantPart = z.infer<typeof assistantPart>;

/** Why a model stopped. */
export const finishReason = z.enum([
  "stop",
  "length",
  "tool-calls",
  "content-filter",
  "error",
  "other",
]);

/** The phases of the workflow. */
export const phaseName = z.enum(["initialize", "discuss", "plan", "execute", "verify", "ship"]);

/** Failure causes, derived from evidence (exit code, tool, output). */
export const failureCause = z.enum([
  "build_error",
  "type_error",
  "syntax_error",
  "test_failure",
  "lint_error",
  "missing_dependency",
  "cannot_start",
  "cannot_write_cache",
  "no_network",
  "permission_denied",
  "timeout",
  "limit_reached",
  "context_overflow",
  "model_error",
  "edit_conflict",
  "unknown",
]);

/** What a message of the workflow's is about: a phase, and in `execute` the task. */
export const turnSubject = z.strictObject({ phase: phaseName, task: z.string().nullable() });
export type TurnSubject = z.infer<typeof turnSubject>;

/** A body that was sent: its size and its SHA-256. */
export const sentRequest = z.strictObject({
  sizeBytes: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/**
 * Records of what is asked of a model beside the conversation, and of the way in which it is asked.
 * Rule: none of them is a message; replay sends nothing of a side request.
 */
import { z } from "zod";
import { jsonObject } from "./json.ts";
import { keptFile } from "./outcome.ts";
import { finishReason, sentRequest, turnSubject } from "./parts.ts";
import { projectPath } from "./patterns.ts";

/**
 * How a model is asked to act: by the provider's own tool calls; the same, and a call that it writes as text counts; by
 * one JSON object an answer, which the server enforces; by proposals that the checks judge.
 */
export const ACTION_WAYS = ["native", "text", "constrained", "candidates"] as const;
export type ActionWay = (typeof ACTION_WAYS)[number];

/** A way in which a model is asked to act. */
export const actionWay = z.enum(ACTION_WAYS);

/** The fields of each of these records beside the envelope and `type`. */
export const sideRecords = {
  /** From here on the model is asked another way; the requests that follow look otherwise. */
  actions: { way: actionWay, reason: z.string() },
  /** Something that was asked of the model apart from the conversation, and its answer. */
  side_request: {
    purpose: z.literal("candidate"),
    about: turnSubject,
    /** All that it was told. */
    text: z.string(),
    parameters: jsonObject,
    answer: z.string(),
    finish: finishReason,
    request: sentRequest,
  },
  /**
   * A proposal that is tried in the tree: `begun` is recorded before the file is changed, `kept` or `undone` once the
   * checks have judged it and, undone, the file holds again what it held.
   */
  candidate: {
    number: z.int().positive(),
    status: z.enum(["begun", "kept", "undone"]),
    about: turnSubject,
    path: projectPath,
    before: keptFile,
    after: keptFile,
  },
} as const;

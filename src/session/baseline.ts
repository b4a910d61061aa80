/**
 * The baseline: everything that each request of an epoch begins with, frozen when the epoch starts.
 * Rule: the file's bytes are canonical JSON, so that its hash is the hash of what it means.
 */
import { z } from "zod";
import { canonicalJson, sha256Hex } from "../platform/canonical_json.ts";
import { decodeStrict } from "../platform/text.ts";
import { BaselineInvalid } from "./errors.ts";
import { jsonObject, jsonValue } from "./json.ts";
import { branchName, objectId, serverAddress } from "./patterns.ts";
import { FORMAT_VERSION } from "./records.ts";
import { actionWay } from "./side_records.ts";
import { SESSION_ID } from "./session_id.ts";

const count = z.int().nonnegative();

const baselineSchema = z.strictObject({
  /** Of the records behind it, up to one that says otherwise. */
  format: z.union([z.literal(1), z.literal(FORMAT_VERSION)]),
  session: z.string().regex(SESSION_ID),
  epoch: count,
  /** Where this conversation comes from: `seq` is the last record taken over from there. */
  parent: z.strictObject({
    kind: z.enum(["fork", "compaction", "salvage", "rewind", "model"]),
    session: z.string().regex(SESSION_ID),
    epoch: count,
    seq: count,
    /** How many of the records behind `session_start` are copies that what is carried accounts for already. */
    copied: count.exactOptional(),
    /**
     * Of a rewind: the last turn that was taken over, and the last record of the epoch that was left. With another model
     * that is the last turn of all.
     */
    rewind: z.strictObject({ turn: count, leftSeq: count }).exactOptional(),
  }).nullable(),
  createdAt: z.iso.datetime({ precision: 3 }),
  /** The day that the model is told, in the user's time zone: `2026-01-31`. */
  day: z.string(),
  model: z.strictObject({
    provider: z.string(),
    name: z.string(),
    baseUrl: serverAddress.nullable(),
    parameters: jsonObject,
    contextWindowTokens: count.nullable(),
    /** How it is asked to act. Left out: natively, up to a record that says otherwise. */
    actions: actionWay.exactOptional(),
  }),
  /** The provider's cache is asked for by this key; a fork keeps its parent's. */
  cacheKey: z.string(),
  system: z.string(),
  tools: z.array(
    z.strictObject({
      name: z.string(),
      description: z.string(),
      inputSchema: jsonObject,
    }),
  ),
  limits: z.record(z.string(), z.number()),
  /** The project's instructions: AGENTS.md, or CLAUDE.md, of its folders; null when there are none. */
  agents: z.string().nullable(),
  /** The user's own instructions, for all projects. */
  userAgents: z.string().exactOptional(),
  /** What was given of earlier sessions, and the ids of their blocks. */
  memory: z.strictObject({ text: z.string(), blocks: z.array(z.string()) }).nullable(),
  /** Null outside a git repository; `head` null before the first commit. */
  repository: z.strictObject({
    head: objectId.nullable(),
    branch: branchName.nullable(),
    /** Format 1 had the id of each file's content, which nobody read. */
    dirty: z.array(
      z.strictObject({ path: z.string(), blob: z.string().nullable().exactOptional() }),
    ),
    /** The project's files that git would start, or take for configuration, each with a hash; left out by earlier versions. */
    runs: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)).exactOptional(),
  }).nullable(),
  /** The summary of the epochs before this one; null in epoch 0. */
  summary: z.string().nullable(),
  /** What the epochs before this one add up to. */
  carried: z.strictObject({
    turns: count,
    calls: count,
    requests: count,
    tokens: count,
    cost: z.number().nonnegative(),
    /** Of the tokens, what was read from a cache; of the requests, those without a known cost, and with an estimated one. */
    cacheRead: count.exactOptional(),
    unpriced: count.exactOptional(),
    estimated: count.exactOptional(),
    /** The state of the workflow, for its fold to start from. */
    workflow: jsonValue,
  }),
});

/** What a baseline holds. */
export type Baseline = z.infer<typeof baselineSchema>;

/** Nothing before the first epoch. */
export const NOTHING_CARRIED: Baseline["carried"] = {
  turns: 0,
  calls: 0,
  requests: 0,
  tokens: 0,
  cost: 0,
  workflow: null,
};

/** A baseline as it is on disk. */
export interface EncodedBaseline {
  /** Read back from the bytes: its keys have the order that a later process will find. */
  baseline: Baseline;
  bytes: Uint8Array;
  /** The SHA-256 of the bytes. */
  hash: string;
}

/** The bytes of a baseline's file. */
export function encodeBaseline(baseline: Baseline): EncodedBaseline {
  const text = canonicalJson(baselineSchema.parse(baseline));
  const bytes = new TextEncoder().encode(text);
  return { baseline: baselineSchema.parse(JSON.parse(text)), bytes, hash: sha256Hex(bytes) };
}

/**
 * Reads a baseline back.
 *
 * @param path for the error only
 * @throws {BaselineInvalid} when the bytes are not exactly what {@linkcode encodeBaseline} gives
 */
export function decodeBaseline(bytes: Uint8Array, path: string): Baseline {
  if (bytes.byteLength === 0) throw new BaselineInvalid(path, "the baseline is empty");
  const text = decodeStrict(bytes);
  if (text === undefined) throw new BaselineInvalid(path, "the baseline is not UTF-8 text");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BaselineInvalid(path, "the baseline is not JSON");
  }
  const format = z.looseObject({ format: z.number() }).safeParse(value).data?.format;
  if (format !== undefined && format > FORMAT_VERSION) {
    throw new BaselineInvalid(
      path,
      `written by a newer m31a (format ${format}, this one knows ${FORMAT_VERSION}); use that one`,
    );
  }
  const parsed = baselineSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new BaselineInvalid(
      path,
      `not a baseline: ${issue?.path.join(".")}: ${issue?.message}`,
    );
  }
  if (canonicalJson(parsed.data) !== text) {
    throw new BaselineInvalid(path, "the baseline is not canonical JSON: it has been edited");
  }
  return parsed.data;
}

/**
 * A record as a line of the log, and the chain that ties each line to the one before it.
 * Rule: what is encoded here decodes to the same record, and a line that is not exactly that is refused.
 */
import { createHash } from "node:crypto";
import { RecordInvalid } from "./errors.ts";
import { RECORD_TYPES, type RecordDraft, type SessionRecord, sessionRecord } from "./records.ts";

/** Where the next record of a log goes. */
export interface ChainPosition {
  /** The sequence number of the next record. */
  seq: number;
  /** The first 16 hex digits of the SHA-256 of the line before it. */
  prev: string;
}

/** The link to `line` (its bytes without the newline) or to a baseline file (all of its bytes). */
export function linkTo(line: Uint8Array): string {
  return createHash("sha256").update(line).digest("hex").slice(0, 16);
}

const encoder = new TextEncoder();

/**
 * Gives `draft` its place, and its time if it has none, and writes it as a line.
 *
 * @returns the record, and the line's bytes without its newline
 * @throws {RecordInvalid} when a field is wrong or a string holds half a surrogate pair
 */
export function encodeRecord(
  draft: RecordDraft,
  position: ChainPosition,
  now: Date,
): { record: SessionRecord; line: Uint8Array } {
  const { type, at = now.toISOString(), ...body } = draft;
  const candidate = { seq: position.seq, at, type, prev: position.prev, ...body };
  const parsed = sessionRecord.safeParse(candidate);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new RecordInvalid(`record ${type}: ${issue?.path.join(".")}: ${issue?.message}`);
  }
  const text = JSON.stringify(candidate, refuseHalfPairs);
  return { record: parsed.data, line: encoder.encode(text) };
}

function refuseHalfPairs(key: string, value: unknown): unknown {
  if (!key.isWellFormed() || (typeof value === "string" && !value.isWellFormed())) {
    throw new RecordInvalid(
      `a string with half a surrogate pair (at "${key.toWellFormed()}") cannot be recorded`,
    );
  }
  return value;
}

/** A line that is no record, or not the one that belongs here; `message` says why. */
export class LineInvalid extends Error {
  /** It is sound but of a kind that this version does not know. */
  readonly isUnknown: boolean;

  constructor(why: string, isUnknown = false) {
    super(why);
    this.isUnknown = isUnknown;
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads a line (without its newline) that must be the record at `position`.
 *
 * @throws {LineInvalid}
 */
export function decodeRecord(line: Uint8Array, position: ChainPosition): SessionRecord {
  const value = parseLine(line);
  const parsed = sessionRecord.safeParse(value);
  if (!parsed.success) throw invalidRecord(value, parsed.error.issues);
  const record = parsed.data;
  if (record.seq !== position.seq) {
    throw new LineInvalid(
      `expected record ${position.seq}, found record ${record.seq}: lines are lost, doubled or reordered`,
    );
  }
  if (record.prev !== position.prev) {
    throw new LineInvalid(
      `checksum mismatch: the line before this one is not the one that was written there`,
    );
  }
  return record;
}

function parseLine(line: Uint8Array): unknown {
  let text: string;
  try {
    text = decoder.decode(line);
  } catch {
    throw new LineInvalid("is not UTF-8");
  }
  try {
    return JSON.parse(text);
  } catch {
    if (line.includes(0)) throw new LineInvalid("holds NUL bytes, as a power cut leaves them");
    throw new LineInvalid(text === "" ? "is empty" : "is not JSON");
  }
}

function invalidRecord(
  value: unknown,
  issues: readonly { path: PropertyKey[]; message: string }[],
): LineInvalid {
  const type = typeof value === "object" && value !== null && "type" in value
    ? value.type
    : undefined;
  if (typeof type === "string" && !RECORD_TYPES.includes(type)) {
    const why = `record type ${JSON.stringify(type)} is unknown; a newer m31a may have written it`;
    return new LineInvalid(why, true);
  }
  const [issue] = issues;
  const field = issue?.path.map(String).join(".");
  return new LineInvalid(`is no valid record: ${field ? `${field}: ` : ""}${issue?.message}`);
}

/**
 * A record as a line of the log, and the chain that ties each line to the one before it.
 * Rule: what is encoded here decodes to the same record, and a line that is not exactly that is refused.
 */
import { hash } from "node:crypto";
import { messageOf } from "../platform/errors.ts";
import { RecordInvalid } from "./errors.ts";
import { liftRecord } from "./format_1.ts";
import {
  FORMAT_VERSION,
  RECORD_TYPES,
  type RecordDraft,
  type SessionRecord,
  sessionRecord,
} from "./records.ts";

/** Where the next record of a log goes. */
export interface ChainPosition {
  /** The sequence number of the next record. */
  seq: number;
  /** The first 16 hex digits of the SHA-256 of the line before it. */
  prev: string;
  /** The format that it is of. */
  format: number;
}

/** The place behind a record of `position`, written as `line`. */
export function positionAfter(
  position: ChainPosition,
  line: string | Uint8Array,
  record: SessionRecord,
): ChainPosition {
  const format = record.type === "format" ? record.format : position.format;
  return { seq: position.seq + 1, prev: linkTo(line), format };
}

/** The link to `line` (without its newline; text is taken as UTF-8) or to a baseline file (all of its bytes). */
export function linkTo(line: string | Uint8Array): string {
  return hash("sha256", line, "hex").slice(0, 16);
}

/**
 * Gives `draft` its place, and its time if it has none, and writes it as a line.
 *
 * @returns the line without its newline, and the record that is read back from it: what is in memory
 * is what a later process will find
 * @throws {RecordInvalid} when a field is wrong, a string holds half a surrogate pair, or JSON has no
 * form for a value
 */
export function encodeRecord(
  draft: RecordDraft,
  position: Pick<ChainPosition, "seq" | "prev">,
  now: Date,
): { record: SessionRecord; line: string } {
  const { type, at = now.toISOString(), ...body } = draft;
  const candidate = { seq: position.seq, at, type, prev: position.prev, ...body };
  try {
    const line = JSON.stringify(candidate);
    if (line.includes("\\ud") && HALF_PAIR.test(line)) {
      throw new LineInvalid("half a surrogate pair in a string");
    }
    refuseWhatJsonLoses(candidate);
    return { record: validRecord(JSON.parse(line), position), line };
  } catch (error) {
    throw new RecordInvalid(`record ${type}: ${messageOf(error)}`, { cause: error });
  }
}

/** JSON writes whole pairs as they are and halves escaped; a backslash that is data is escaped itself. */
const HALF_PAIR = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/** NaN and the infinities would be written as null, a function not at all. */
function refuseWhatJsonLoses(value: unknown): void {
  const isLost = typeof value === "number"
    ? !Number.isFinite(value)
    : typeof value === "function" || typeof value === "symbol";
  if (isLost) throw new LineInvalid(`${String(value)} is not JSON`);
  if (typeof value !== "object" || value === null) return;
  for (const entry of Object.values(value)) refuseWhatJsonLoses(entry);
}

/** A line that is no record, or not the one that belongs here; `message` says why. */
export class LineInvalid extends Error {
  /** Its bytes are no JSON at all: what a write leaves that did not come to its end. */
  readonly isGarbled: boolean;

  constructor(why: string, isGarbled = false) {
    super(why);
    this.isGarbled = isGarbled;
  }
}

const quickDecoder = new TextDecoder("utf-8", { ignoreBOM: true });
const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Deno decodes six times as fast when it need not refuse; what it had to replace is decoded once more. */
function decodeText(line: Uint8Array): string {
  const text = quickDecoder.decode(line);
  return text.includes("\ufffd") ? strictDecoder.decode(line) : text;
}

/**
 * Reads a line (without its newline) that must be the record at `position`.
 *
 * @throws {LineInvalid}
 */
export function decodeRecord(line: Uint8Array, position: ChainPosition): SessionRecord {
  const value = parseLine(line);
  return validRecord(position.format < FORMAT_VERSION ? liftRecord(value) : value, position);
}

function validRecord(
  value: unknown,
  position: Pick<ChainPosition, "seq" | "prev">,
): SessionRecord {
  const parsed = sessionRecord.safeParse(value);
  if (!parsed.success) throw invalidRecord(value, parsed.error.issues);
  const record = parsed.data;
  if (record.seq !== position.seq) {
    throw new LineInvalid(
      `expected record ${position.seq}, found record ${record.seq}: lines are lost, doubled or reordered`,
    );
  }
  if (record.prev !== position.prev) {
    const before = position.seq === 1 ? "the baseline" : "the line before this one";
    throw new LineInvalid(`checksum mismatch: ${before} is not the one that was written there`);
  }
  return record;
}

function parseLine(line: Uint8Array): unknown {
  let text: string;
  try {
    text = decodeText(line);
  } catch {
    throw new LineInvalid("is not UTF-8", true);
  }
  try {
    return JSON.parse(text);
  } catch {
    if (line.includes(0)) {
      throw new LineInvalid("holds NUL bytes, as a power cut leaves them", true);
    }
    throw new LineInvalid(text === "" ? "is empty" : "is not JSON", true);
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
    return new LineInvalid(why);
  }
  const [issue] = issues;
  const field = issue?.path.map(String).join(".");
  return new LineInvalid(`is no valid record: ${field ? `${field}: ` : ""}${issue?.message}`);
}

/**
 * Finding text in sessions.
 * Rule: it reads each log once, a line at a time, and parses only lines that may hold the text. It is no
 * verification: what cannot be read is reported and skipped.
 */
import { M31aError, messageOf } from "../platform/errors.ts";
import { decodeLossy } from "../platform/text.ts";
import { listEpochs, logPath } from "./layout.ts";
import { readLines } from "./log_reader.ts";
import { type SessionRecord, sessionRecord } from "./records.ts";
import { readBaseline } from "./epoch_files.ts";
import { openToRead } from "./session_reader.ts";
import { isTakenOver } from "./taken_over.ts";

/** A text that holds what was looked for. */
export interface Match {
  session: string;
  epoch: number;
  seq: number;
  at: string;
  /** The turn that it belongs to, counted from the conversation's beginning; 0 before the first. */
  turn: number;
  /** Who said it: a record's type, or the tool of a call. */
  source: string;
  /** The first line of it that holds the text. */
  line: string;
}

/** Looks for `text`, literally and in any case, in all epochs of a session, oldest first. */
export function* searchSession(
  root: string,
  id: string,
  text: string,
  onSkipped: (why: string) => void,
): Generator<Match> {
  try {
    for (const epoch of listEpochs(root, id)) yield* searchEpoch(root, id, epoch, text, onSkipped);
  } catch (error) {
    if (!(error instanceof M31aError)) throw error;
    onSkipped(error.message);
  }
}

function* searchEpoch(
  root: string,
  id: string,
  epoch: number,
  text: string,
  onSkipped: (why: string) => void,
): Generator<Match> {
  const path = logPath(id, epoch);
  const wanted = text.toLowerCase();
  // As the text stands in a line of JSON: a line without this has no string that holds it.
  const encoded = JSON.stringify(text).slice(1, -1).toLowerCase();
  const { baseline } = readBaseline(root, id, epoch);
  let { turns: turn } = baseline.carried;
  let lineNumber = 0;
  using file = openToRead(root, path);
  for (const { bytes, isEnded } of readLines(file, path)) {
    if (!isEnded) return;
    lineNumber += 1;
    const line = decodeLossy(bytes);
    if (isUserRecord(line)) turn += 1;
    if (!line.toLowerCase().includes(encoded)) continue;
    const record = parse(line);
    if (record === undefined) {
      onSkipped(`${path}:${lineNumber}: is no record; see: m31a session verify ${id}`);
      continue;
    }
    if (isTakenOver(record, baseline)) continue;
    for (const { source, text } of textsOf(record)) {
      const found = text.split("\n").find((part) => part.toLowerCase().includes(wanted)) ??
        (text.toLowerCase().includes(wanted) ? text : undefined);
      if (found === undefined) continue;
      const { seq, at } = record;
      yield { session: id, epoch, seq, at, turn, source, line: found };
    }
  }
}

/** The envelope comes first in a line, so that this need not look at the whole of it. */
function isUserRecord(line: string): boolean {
  return line.slice(0, 120).includes('"type":"user"');
}

function parse(line: string): SessionRecord | undefined {
  try {
    return sessionRecord.safeParse(JSON.parse(line)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw new Error(messageOf(error), { cause: error });
  }
}

function textsOf(record: SessionRecord): { source: string; text: string }[] {
  switch (record.type) {
    case "user":
    case "question":
    case "answer":
      return [{ source: record.type, text: record.text }];
    case "assistant":
      return record.parts.map((part) =>
        part.kind === "call"
          ? { source: part.tool, text: JSON.stringify(part.input) }
          : { source: "assistant", text: part.text }
      );
    case "tool_result":
      return [{ source: record.tool, text: record.output }];
    case "check":
      return [{ source: record.name, text: `${record.command}\n${record.output}` }];
    case "edited":
      return [{ source: record.document, text: record.text }];
    default:
      return [];
  }
}

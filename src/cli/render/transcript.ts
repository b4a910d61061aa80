/**
 * A session's records as what a reader wants to see, in no format yet.
 * Rule: pure; texts are stripped of control sequences here, so that no format can forget it.
 */
import { stripControlSequences } from "../../platform/text.ts";
import { describeImages } from "../../session/images.ts";
import type { Baseline } from "../../session/baseline.ts";
import type { RecordOf, SessionRecord } from "../../session/records.ts";

/** One thing to show. */
export type Entry =
  /** The conversation begins. */
  | { kind: "head"; session: string; model: string; startedAt: string; parent: string | undefined }
  /** The conversation so far was summarized. */
  | { kind: "summary"; text: string }
  | { kind: "user"; turn: number; at: string; source: string; text: string }
  | { kind: "reply"; text: string }
  | { kind: "reasoning"; text: string }
  | { kind: "call"; call: number; tool: string; input: string }
  | { kind: "result"; call: number; tool: string; output: string; isError: boolean }
  /** A line about what happened: a phase, a checkpoint, a turn's end. */
  | { kind: "note"; text: string };

/** Turns records into entries, counting turns as they pass. */
export class Transcript {
  #turn: number | undefined;

  /** The entries of the next record; `baseline` is that of its epoch. */
  entriesOf(record: SessionRecord, baseline: Baseline): Entry[] {
    this.#turn ??= baseline.carried.turns;
    if (record.type === "session_start") this.#turn = baseline.parent?.rewind?.turn ?? this.#turn;
    if (record.type === "user") this.#turn += 1;
    return entriesOf(record, baseline, this.#turn).map(stripped);
  }
}

function stripped(entry: Entry): Entry {
  if (entry.kind === "head" || entry.kind === "call") return entry;
  const clean = stripControlSequences;
  if (entry.kind === "result") {
    return { ...entry, tool: clean(entry.tool), output: clean(entry.output) };
  }
  return { ...entry, text: clean(entry.text) };
}

function entriesOf(record: SessionRecord, baseline: Baseline, turn: number): Entry[] {
  switch (record.type) {
    case "session_start":
      return [openingOf(baseline)];
    case "user": {
      const { at, source } = record;
      const text = [record.text, describeImages(record.images)].filter((part) => part !== "");
      return [{ kind: "user", turn, at, source, text: text.join("\n") }];
    }
    case "assistant":
      return record.parts.map(entryOfPart);
    case "tool_result": {
      const { call, tool, output, isError } = record;
      return [{ kind: "result", call, tool, output, isError }];
    }
    default: {
      const text = noteOf(record);
      return text === undefined ? [] : [{ kind: "note", text }];
    }
  }
}

function openingOf(baseline: Baseline): Entry {
  const { parent, model } = baseline;
  if (parent?.kind === "model") {
    const name = stripControlSequences(`${model.provider}:${model.name}`);
    return { kind: "note", text: `from here on with ${name}` };
  }
  if (parent?.rewind !== undefined) {
    const { turn } = parent.rewind;
    const where = turn === 0 ? "before the first turn" : `the end of turn ${turn}`;
    return { kind: "note", text: `the conversation was taken back to ${where}` };
  }
  return parent?.kind === "compaction" ? summaryOf(baseline) : headOf(baseline);
}

function headOf({ session, model, createdAt, parent }: Baseline): Entry {
  return {
    kind: "head",
    session,
    model: stripControlSequences(`${model.provider}:${model.name}`),
    startedAt: createdAt,
    parent: parent === null ? undefined : `${parent.kind} of ${parent.session}`,
  };
}

function summaryOf({ summary }: Baseline): Entry {
  return { kind: "summary", text: summary ?? "" };
}

function entryOfPart(part: RecordOf<"assistant">["parts"][number]): Entry {
  if (part.kind === "text") return { kind: "reply", text: part.text };
  if (part.kind === "reasoning") return { kind: "reasoning", text: part.text };
  const input = part.malformed ?? JSON.stringify(part.input, null, 2);
  return {
    kind: "call",
    call: part.call,
    tool: stripControlSequences(part.tool),
    input: stripControlSequences(input),
  };
}

function noteOf(record: SessionRecord): string | undefined {
  switch (record.type) {
    case "aborted":
      return `the turn ended without a reply (${record.reason}): ${record.detail}`;
    case "phase":
      return `phase ${record.phase}: ${record.status} ${record.detail}`.trimEnd();
    case "question":
      return `question ${record.question}: ${record.text}`;
    case "answer":
      return `answer ${record.question} (${record.by}): ${record.text}`;
    case "plan":
      return `plan ${record.version}: ${record.approved ? "approved" : "proposed"}`;
    case "task":
      return `task ${record.task}: ${record.status} ${record.detail ?? ""}`.trimEnd();
    case "checkpoint":
      return `checkpoint ${record.number} (${record.kind}): ${record.files.length} files`;
    case "check":
      return `check ${record.name}: ${record.passed ? "passed" : "failed"}`;
    case "caveats":
      return record.items.map(({ text }) => `to be known: ${text}`).join("\n");
    case "edited":
      return `${record.document} was edited by hand`;
    case "shipped":
      return `shipped: ${record.step}`;
    case "repaired":
      return `the log was repaired here: ${record.bytes} bytes were cut`;
    default:
      return undefined;
  }
}

/** The format of a transcript: text before, for each entry, and after. */
export interface TranscriptFormat {
  /** `session` is the id. */
  begin(session: string): string;
  entry(entry: Entry): string;
  end(): string;
}

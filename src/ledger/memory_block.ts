/**
 * One block of MEMORY.md: what a session left behind, as Markdown that people read and edit.
 * Rule: text from outside stays within its line; a line that is not understood is the user's and is kept.
 */
import type { LedgerEntry } from "./entry.ts";
import { fromLine, fromList, toLine, toList } from "./line_text.ts";
import { CAUSES, OUTCOMES } from "./names.ts";

/** What a block says. */
export interface MemoryBlock {
  session: string;
  /** 1 unless the session was resumed after it had ended. */
  attempt: number;
  /** `YYYY-MM-DD`, the day on which the session ended (UTC). */
  date: string;
  goal: string;
  outcome: LedgerEntry["outcome"];
  tasks: { done: number; total: number };
  failures: LedgerEntry["failures"];
  /** Changed files by extension, as in the ledger. */
  extensions: Record<string, number>;
  /** Changed paths, the first {@linkcode MAX_BLOCK_FILES}. */
  files: string[];
  durationSeconds: number;
  model: string;
}

/** How many paths a block names. */
const MAX_BLOCK_FILES = 12;

/** How many characters of a goal and of a failure's detail a block keeps. */
const MAX_TEXT = 500;

/** The block of a finished session. */
export function blockOf(entry: LedgerEntry): MemoryBlock {
  return {
    session: entry.session,
    attempt: entry.attempt,
    date: entry.ended.slice(0, 10),
    goal: shortened(entry.goal),
    outcome: entry.outcome,
    tasks: { done: entry.tasks.done, total: entry.tasks.total },
    failures: entry.failures.map((failure) => ({ ...failure, detail: shortened(failure.detail) })),
    extensions: entry.extensions,
    files: entry.files.slice(0, MAX_BLOCK_FILES),
    durationSeconds: Math.round(entry.workingMs / 1000),
    model: entry.model,
  };
}

function shortened(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  return `${text.slice(0, MAX_TEXT - 1).toWellFormed().replace(/\ufffd$/, "")}…`;
}

/** Writes a block, from its heading to the newline after its last line. */
export function renderBlock(block: MemoryBlock): string {
  const lines = [
    `## Session ${block.session} (${block.date})`,
    "",
    `- Goal: ${toLine(block.goal)}`,
    ...(block.attempt === 1 ? [] : [`- Attempt: ${block.attempt}`]),
    `- Outcome: ${block.outcome}`,
    `- Tasks: ${block.tasks.done} of ${block.tasks.total} done`,
    ...block.failures.map(renderFailure),
    `- Files: ${renderExtensions(block.extensions)}`,
    ...(block.files.length === 0 ? [] : [`- Changed: ${toList(block.files)}`]),
    `- Duration: ${Math.floor(block.durationSeconds / 60)} min ${block.durationSeconds % 60} s`,
    `- Model: ${toLine(block.model)}`,
  ];
  return `${lines.map((line) => line.replace(/ $/, "")).join("\n")}\n`;
}

function renderFailure(failure: MemoryBlock["failures"][number]): string {
  const end = `${failure.healed ? "healed" : "not healed"} after ${failure.heals} tries`;
  return `- Failure: ${failure.cause}, task ${toList([failure.task])}, ${end}: ${
    toLine(failure.detail)
  }`;
}

/** Most files first, then by name. */
function renderExtensions(extensions: Readonly<Record<string, number>>): string {
  const sorted = Object.entries(extensions)
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([name, files]) => `${name === "" ? "(none)" : name} (${files})`);
  return toList(sorted);
}

/** Reads the lines of a block; what its heading says comes from {@linkcode parseMemory}. Missing lines leave the defaults. */
export function parseBlock(heading: { session: string; date: string }, text: string): MemoryBlock {
  const block: MemoryBlock = {
    ...heading,
    attempt: 1,
    goal: "",
    outcome: "abandoned",
    tasks: { done: 0, total: 0 },
    failures: [],
    extensions: {},
    files: [],
    durationSeconds: 0,
    model: "",
  };
  for (const line of text.split("\n")) {
    const colon = line.indexOf(":");
    if (colon < 0 || !line.startsWith("- ")) continue;
    const end = line.endsWith("\r") ? line.length - 1 : line.length;
    takeField(block, line.slice(2, colon), line.slice(colon + 2, end));
  }
  return block;
}

function takeField(block: MemoryBlock, name: string, value: string): void {
  switch (name) {
    case "Goal":
      block.goal = fromLine(value);
      break;
    case "Attempt":
      block.attempt = Math.max(1, numbersIn(value)[0]);
      break;
    case "Outcome":
      block.outcome = OUTCOMES.find((known) => known === value) ?? block.outcome;
      break;
    case "Tasks": {
      const [done, total] = numbersIn(value);
      block.tasks = { done, total };
      break;
    }
    case "Failure":
      block.failures.push(...parseFailure(value));
      break;
    case "Files":
      block.extensions = Object.fromEntries(fromList(value).flatMap(extension));
      break;
    case "Changed":
      block.files = fromList(value);
      break;
    case "Duration": {
      const [minutes, seconds] = numbersIn(value);
      block.durationSeconds = minutes * 60 + seconds;
      break;
    }
    case "Model":
      block.model = fromLine(value);
  }
}

function numbersIn(value: string): [number, number] {
  const numbers = (value.match(/\d+/g) ?? []).map(Number);
  return [numbers[0] ?? 0, numbers[1] ?? 0];
}

function extension(item: string): [string, number][] {
  const match = /^(.*) \((\d+)\)$/s.exec(item);
  if (match?.[1] === undefined) return [];
  return [[match[1] === "(none)" ? "" : match[1], Number(match[2])]];
}

function parseFailure(value: string): MemoryBlock["failures"] {
  const match = /^(\w+), task ((?:\\.|[^\\,])*), (not )?healed after (\d+) tries:(?: (.*))?$/
    .exec(value);
  const cause = CAUSES.find((known) => known === match?.[1]);
  if (match === null || cause === undefined) return [];
  return [{
    cause,
    heals: Number(match[4]),
    healed: match[3] === undefined,
    task: fromLine(match[2] ?? ""),
    detail: fromLine(match[5] ?? ""),
  }];
}

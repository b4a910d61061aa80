/**
 * What a model is given of the past: the causes that keep coming back, then the sessions that bear on a goal.
 * Rule: pure, within its budget, one line an item; text from outside stays within its line.
 */
import { entryKey, type LedgerEntry } from "./entry.ts";
import { toLine, toList } from "./line_text.ts";
import { blockOf, type MemoryBlock } from "./memory_block.ts";
import { type PastSession, SessionRanking } from "./ranking.ts";
import { utf8ByteLength } from "../platform/text.ts";

/** What goes into a digest. */
export interface DigestRequest {
  goal: string;
  /** The blocks of MEMORY.md, oldest first. */
  blocks: readonly MemoryBlock[];
  /** Entries of this project's ledger, oldest first. */
  entries: readonly LedgerEntry[];
  /** How many tokens (see {@linkcode estimateTokens}) the text may take. */
  budgetTokens: number;
}

/** A digest, as it is frozen into a baseline. */
export interface Digest {
  /** Markdown; empty when there is nothing to tell. */
  text: string;
  tokens: number;
  /** The sessions given, most useful first: the entry's `memory.blocks`. */
  sessions: string[];
  /** The recurring causes named. */
  causes: string[];
}

/** Failures of one cause make it a recurring one from this many on. */
const RECURRING_FROM = 3;

/** The first recurring cause may take what it needs; with the others it may take this share of the budget. */
const CAUSES_SHARE = 0.5;

/** At most this many sessions are given, whatever the budget. */
const MAX_SESSIONS = 20;

/** How many characters of a failure's detail are given. */
const DETAIL_CHARACTERS = 200;

/** An estimate that errs on the high side for English: a token for four bytes of UTF-8, rounded up. */
export function estimateTokens(text: string): number {
  return Math.ceil(utf8ByteLength(text) / 4);
}

/** Builds the digest for a goal. A session that is both a block and an entry is taken once, from its block. */
export function digest(request: DigestRequest): Digest {
  const past = pastSessions(request);
  const lines: string[] = [];
  const given: Digest = { text: "", tokens: 0, sessions: [], causes: [] };
  const add = (added: readonly string[], budgetTokens: number): boolean => {
    const text = `${[...lines, ...added].join("\n")}\n`;
    if (estimateTokens(text) > budgetTokens) return false;
    lines.push(...added);
    given.text = text;
    given.tokens = estimateTokens(text);
    return true;
  };
  for (const { cause, line } of recurringCauses([...past.values()])) {
    const heading = given.causes.length === 0 ? ["Failures that keep coming back here:", ""] : [];
    const budgetTokens = given.causes.length === 0
      ? request.budgetTokens
      : Math.floor(request.budgetTokens * CAUSES_SHARE);
    if (add([...heading, line], budgetTokens)) given.causes.push(cause);
  }
  for (const { session } of rankPast(request.goal, [...past.values()])) {
    const block = past.get(session);
    if (block === undefined) continue;
    const heading = ["Earlier sessions that bear on this goal:", ""];
    const gap = lines.length === 0 ? heading : ["", ...heading];
    if (
      add([...(given.sessions.length === 0 ? gap : []), sessionLine(block)], request.budgetTokens)
    ) {
      given.sessions.push(session);
    }
  }
  return given;
}

/**
 * Blocks and entries, each session once, by age: its last attempt, with what failed in those before it. A block
 * knows few paths, so the entry's are taken where there is one.
 */
function pastSessions({ blocks, entries }: DigestRequest): Map<string, MemoryBlock> {
  const attempts = new Map<string, MemoryBlock>();
  for (const entry of entries) {
    attempts.set(entryKey(entry), { ...blockOf(entry), files: entry.files });
  }
  for (const block of blocks) {
    const files = attempts.get(entryKey(block))?.files ?? block.files;
    attempts.set(entryKey(block), { ...block, files });
  }
  const sessions = new Map<string, MemoryBlock>();
  for (const last of [...attempts.values()].sort(byAge)) {
    const before = sessions.get(last.session);
    const failures = [...before?.failures ?? [], ...last.failures];
    sessions.set(last.session, {
      ...last,
      failures,
      files: [...new Set([...last.files, ...before?.files ?? []])],
    });
  }
  return sessions;
}

function byAge(a: MemoryBlock, b: MemoryBlock): number {
  if (a.session === b.session) return a.attempt - b.attempt;
  return a.session < b.session ? -1 : 1;
}

function rankPast(goal: string, past: readonly MemoryBlock[]): PastSession[] {
  const ranking = new SessionRanking([goal]);
  for (const block of past) {
    ranking.add({
      session: block.session,
      goal: block.goal,
      files: block.files,
      labels: [
        ...block.failures.map((failure) => failure.cause),
        ...(block.files.length === 0 ? Object.keys(block.extensions) : []),
      ],
    });
  }
  return ranking.rank(goal, MAX_SESSIONS);
}

/** The causes that came up {@linkcode RECURRING_FROM} times or more, most frequent first. */
function recurringCauses(past: readonly MemoryBlock[]): { cause: string; line: string }[] {
  const failures = past.flatMap((block) => block.failures);
  const byCause = [...Map.groupBy(failures, (failure) => failure.cause)]
    .filter(([, group]) => group.length >= RECURRING_FROM)
    .sort(([a, m], [b, n]) => n.length - m.length || (a < b ? -1 : 1));
  return byCause.map(([cause, group]) => {
    const healed = group.filter((failure) => failure.healed).length;
    const last = group.at(-1)?.detail ?? "";
    const detail = last === "" ? "" : ` The last one: ${shortLine(last)}`;
    return { cause, line: `- ${cause}: ${group.length} times, ${healed} of them healed.${detail}` };
  });
}

function sessionLine(block: MemoryBlock): string {
  const parts = [
    `- ${block.date}, ${block.outcome}, ${block.tasks.done} of ${block.tasks.total} tasks: ${
      shortLine(block.goal)
    }`,
    ...(block.files.length === 0 ? [] : [`  Changed: ${toList(block.files.slice(0, 12))}`]),
    ...block.failures.slice(0, 3).map((failure) =>
      `  Failed: ${failure.cause}, ${failure.healed ? "healed" : "not healed"} after ` +
      `${failure.heals} tries: ${shortLine(failure.detail)}`
    ),
  ];
  return parts.join("\n");
}

function shortLine(text: string): string {
  const characters = [...text.slice(0, DETAIL_CHARACTERS * 2)];
  const isShort = text.length <= DETAIL_CHARACTERS * 2 && characters.length <= DETAIL_CHARACTERS;
  return toLine(isShort ? text : `${characters.slice(0, DETAIL_CHARACTERS).join("")}…`);
}

/**
 * The project's finished sessions as past work: blocks of MEMORY.md and entries of the ledger, each session once.
 * Rule: pure; a session is its last attempt, with what failed in those before it.
 */
import type { LedgerEntry } from "../entry.ts";
import { blockOf, type MemoryBlock } from "../memory_block.ts";
import { indexPast, type PastIndex } from "./past_index.ts";

/**
 * Blocks and entries, each session once, by age. A block knows few paths, so the entry's are taken where
 * there is one.
 */
export function pastSessions(
  blocks: readonly MemoryBlock[],
  entries: readonly LedgerEntry[],
): Map<string, MemoryBlock> {
  const attempts = new Map<string, MemoryBlock>();
  for (const entry of entries) {
    attempts.set(attemptOf(entry), { ...blockOf(entry), files: entry.files });
  }
  for (const block of blocks) {
    const files = attempts.get(attemptOf(block))?.files ?? block.files;
    attempts.set(attemptOf(block), { ...block, files });
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

function attemptOf({ session, attempt }: Pick<LedgerEntry, "session" | "attempt">): string {
  return `${session}#${attempt}`;
}

function byAge(a: MemoryBlock, b: MemoryBlock): number {
  if (a.session === b.session) return a.attempt - b.attempt;
  return a.session < b.session ? -1 : 1;
}

/** The index of sessions; a work's payload is the session's id. */
export function indexSessions(past: readonly MemoryBlock[]): PastIndex {
  return indexPast(past.map((block) => ({
    payload: block.session,
    seconds: secondsOf(block.session),
    goal: [
      block.goal,
      ...block.failures.map((failure) => failure.cause),
      ...(block.files.length === 0 ? Object.keys(block.extensions) : []),
    ].join(" "),
    files: block.files,
  })));
}

/** When a session began, by its id. */
function secondsOf(session: string): number {
  const [year, month, day, hour, minute, second] = [0, 4, 6, 9, 11, 13]
    .map((at, index) => Number(session.slice(at, at + (index === 0 ? 4 : 2))));
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second) / 1000;
}

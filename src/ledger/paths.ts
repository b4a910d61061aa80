/** Where the ledger and the memory are, relative to the project. Rule: named here and nowhere else. */

/** The ledger. */
export const LEDGER_PATH = "planning/ledger.jsonl";

/** What is remembered across sessions. */
export const MEMORY_PATH = "planning/MEMORY.md";

/** Where a session's memory block goes when it is rotated out: a file a month. */
export function archivePath(session: string): string {
  return `planning/archive/MEMORY-${session.slice(0, 4)}-${session.slice(4, 6)}.md`;
}

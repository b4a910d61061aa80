/** What is said of a new session that was made from another. Rule: stdout has the id alone, for scripts. */
import type { CopiedSession } from "../../session/copy.ts";
import { printLine } from "../../platform/output.ts";

/** Prints the id on stdout and what it is on stderr. */
export function printCopy({ id, turns, records }: CopiedSession): void {
  printLine(id);
  console.error(
    `${turns} turns, ${records} records copied; go on with: m31a chat --resume ${id}`,
  );
}

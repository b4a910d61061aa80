/**
 * The end of a session in the ledger and in the memory.
 * Rule: the entry is decided in the log first; bringing it to the ledger, then to the memory, can be cut
 * off and repeated anywhere, and neither loses nor doubles anything.
 */
import { type LedgerEntry } from "../ledger/entry.ts";
import { appendEntry } from "../ledger/ledger.ts";
import { blockOf } from "../ledger/memory_block.ts";
import { appendMemory } from "../ledger/memory_file.ts";
import type { SessionAccount } from "./account.ts";
import type { ShipLog } from "./log.ts";

/** Decides the entry: from here on it will be in the ledger, whatever happens. */
export function recordEntry(log: ShipLog, entry: LedgerEntry): void {
  log.record("entry", { ...entry });
}

/**
 * Brings the entry that the log has decided on to the ledger and to the memory, if it is not there yet.
 *
 * @throws {LedgerDamaged} {@linkcode FileInUse} {@linkcode FileError}
 */
export async function settleEntry(
  root: string,
  account: SessionAccount,
  log: ShipLog,
): Promise<void> {
  const unsettled = account.steps.unsettledEntry;
  if (unsettled === undefined) return;
  const { session, attempt } = unsettled.entry;
  if (!unsettled.isInLedger) {
    await appendEntry(root, unsettled.entry);
    log.record("ledger", { session, attempt });
  }
  const archived = await appendMemory(root, blockOf(unsettled.entry));
  log.record("memory", { session, attempt, archived });
}

/**
 * What a session that begins with a goal is given of the past.
 * Rule: exactly what `m31a memory show` prints for that goal.
 */
import { memoryDigest, memoryOfBaseline } from "../../agent/memory.ts";
import type { Environment } from "../../platform/environment.ts";
import type { Baseline } from "../../session/baseline.ts";

/**
 * What a session with this goal is given of the past; null when there is nothing.
 *
 * @param show is told what had to be left out
 * @throws {LedgerDamaged} when the newest part of the ledger is damaged
 */
export async function memoryFor(
  root: string,
  environment: Environment,
  goal: string,
  show: (notice: { type: "notice"; text: string }) => void,
): Promise<Baseline["memory"]> {
  const memory = await memoryDigest(root, environment, goal);
  for (const text of memory.notices) show({ type: "notice", text });
  return memoryOfBaseline(memory);
}

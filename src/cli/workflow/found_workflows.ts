/** What is said of workflows that were found unfinished when another one begins. */
import type { FoundWorkflows } from "../../workflow/abandoned.ts";

/** Says it, a notice each. */
export function tellFound(
  { abandoned, unshipped }: FoundWorkflows,
  show: (event: { type: "notice"; text: string }) => void,
): void {
  for (const { session } of abandoned) {
    const text = `Session ${session} had not ended; the ledger has it as abandoned now. ` +
      `To go on with it: m31a run --resume ${session}`;
    show({ type: "notice", text });
  }
  for (const session of unshipped) {
    const text = `Session ${session} is verified and not shipped: m31a ship ${session}, ` +
      `or end it: m31a session close ${session}`;
    show({ type: "notice", text });
  }
}

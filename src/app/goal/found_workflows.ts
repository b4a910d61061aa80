/** What is said of workflows that were found unfinished when another one begins. */
import type { FoundWorkflows } from "../../workflow/abandoned.ts";

/** How many files of a session are named. */
const SHOWN_FILES = 10;

/** Says it, a notice each. */
export function tellFound(
  { abandoned, unshipped, leftovers }: FoundWorkflows,
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
  for (const { session, files } of leftovers) {
    const names = files.slice(0, SHOWN_FILES).join(", ");
    const more = files.length > SHOWN_FILES ? ` and ${files.length - SHOWN_FILES} more` : "";
    const text = `Session ${session} came to nothing and has left changes: ${names}${more}. ` +
      `They are not this goal's. To take them back first: m31a rollback 0 --session ${session}`;
    show({ type: "notice", text });
  }
}

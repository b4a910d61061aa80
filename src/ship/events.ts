/**
 * What happens while a session is shipped, for the terminal and for `--json`.
 * Rule: an event tells; it decides nothing. Texts are as they came: whoever shows them strips control sequences.
 */
import type { CheckEnd } from "./checks/run_check.ts";
import type { PreflightCheck } from "./preflight/check.ts";

/** The steps, in order. */
const SHIP_STEPS = [
  "commit",
  "metrics",
  "demonstration",
  "ledger",
  "memory",
  "archive",
  "done",
] as const;
export type ShipStep = (typeof SHIP_STEPS)[number];

/** One thing that happened. */
export type ShipEvent =
  | { type: "preflight"; checks: PreflightCheck[] }
  /** A check runs on the commit alone; again, with a copy of the dependencies, where it writes to them. */
  | { type: "proof_started"; name: string; command: string; isAgain: boolean }
  /** It does not pass. */
  | ({ type: "proof_failed" } & CheckEnd)
  /** What came of the proof. */
  | { type: "proof"; check: PreflightCheck }
  /** The step is done and recorded; `detail` is what there is to say of it in one line. */
  | { type: "ship_step"; step: ShipStep; detail: string }
  /** Something that the user should know of, though the ship goes on. */
  | { type: "notice"; text: string };

/** How a ship from inside a conversation ended. */
import type { ShipOutcome } from "../../ship/ship.ts";

/** `failed`: a commit or a step failed, which does not end the conversation. */
export type ShipEnd = ShipOutcome | { outcome: "failed"; reason: string };

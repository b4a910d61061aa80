/**
 * A ship where nobody can be asked.
 * Rule: whatever refuses the commit, the error says how it is tried again.
 */
import { CommitFailed } from "../../git/commit.ts";
import type { ShipOutcome } from "../../ship/ship.ts";
import { notShipped } from "../telling/ship_lines.ts";

/**
 * Ships; where git or a hook refuses the commit, the error says how it is tried again.
 *
 * @throws {CommitFailed} with the command that ships what is verified then
 */
export async function shipOrSayHow(
  session: string,
  ship: () => Promise<ShipOutcome>,
): Promise<ShipOutcome> {
  try {
    return await ship();
  } catch (error) {
    if (!(error instanceof CommitFailed)) throw error;
    throw new CommitFailed(`${error.message}\n${notShipped(session)}`, { cause: error });
  }
}

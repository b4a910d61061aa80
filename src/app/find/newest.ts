/**
 * The newest session that can be read, which is the one used last, for the commands that mean it when none is named.
 * Rule: a damaged session stops none of the others; that it is passed over is said.
 */
import { DamagedData, FileError } from "../../platform/errors.ts";
import { newestSessionIds } from "../../session/catalog.ts";
import { SessionIo, SessionNotFound } from "../../session/errors.ts";

/** How many of the newest sessions are looked at. */
const LOOKED_AT = 20;

/** What is wrong with one session's files, and with no other's. */
const DAMAGE = [DamagedData, FileError, SessionIo, SessionNotFound];

/**
 * Hands the sessions to `use`, newest first, until it gives something. Those that are damaged, missing or unreadable are
 * passed over, which is said; where nothing else is found, what is wrong with the newest of them is the answer.
 *
 * @param say is told what is passed over
 * @throws what `use` throws
 */
export async function firstOfNewest<T>(
  root: string,
  use: (id: string) => Promise<T | undefined>,
  say: (text: string) => void,
): Promise<T | undefined> {
  const passedOver: { id: string; error: Error }[] = [];
  for (const id of newestSessionIds(root, LOOKED_AT)) {
    try {
      const found = await use(id);
      if (found === undefined) continue;
      for (const { id, error } of passedOver) {
        say(`session ${id} is passed over: ${error.message}`);
      }
      return found;
    } catch (error) {
      if (!(error instanceof Error && DAMAGE.some((kind) => error instanceof kind))) throw error;
      passedOver.push({ id, error });
    }
  }
  const [newest] = passedOver;
  if (newest !== undefined) throw newest.error;
  return undefined;
}

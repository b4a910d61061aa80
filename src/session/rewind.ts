/**
 * Taking a conversation back to the end of a turn: the next epoch begins with what was said up to there.
 * Rule: nothing is cut off; the epoch that is left stays as it is, and the new one's requests begin with the bytes that
 * were sent then. The model stays the present one: what another one said before goes along as words.
 */
import type { Baseline } from "./baseline.ts";
import { beginWithCopy } from "./copied_epoch.ts";
import type { Session } from "./session.ts";
import type { TurnPlace } from "./turns.ts";

/**
 * Begins the next epoch of `session` with the conversation up to `place`. What was used up to now stays counted.
 *
 * @param root the project's root
 * @param workflow the state of the workflow, for its fold to start from; it accounts for what is copied
 * @throws {RecordInvalid} while a tool call has no result
 * @throws {SessionIo} {@linkcode FileError} when the new files cannot be written; the present epoch goes on then
 */
export async function rewindSession(
  root: string,
  session: Session,
  place: TurnPlace,
  workflow: Baseline["carried"]["workflow"],
): Promise<void> {
  const { slot, baseline: { model } } = session;
  await beginWithCopy(root, session, { kind: "rewind", place, model, slot, workflow });
}

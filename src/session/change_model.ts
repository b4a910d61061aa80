/**
 * Another model for a conversation: the next epoch begins with all that was said in the present one.
 * Rule: the whole conversation goes along, word for word; what only the model before can read does not.
 */
import type { Baseline } from "./baseline.ts";
import { beginWithCopy } from "./copied_epoch.ts";
import type { Session } from "./session.ts";

/**
 * Begins the next epoch of `session` with another model.
 *
 * @param root the project's root
 * @param slot the new server's slot for the prompt cache; null where it has none
 * @param workflow the state of the workflow, for its fold to start from; it accounts for what is copied
 * @returns how many pieces of reasoning were left out
 * @throws {RecordInvalid} while a tool call has no result
 * @throws {SessionIo} {@linkcode FileError} when the new files cannot be written; the present epoch goes on then
 */
export async function changeModelOf(
  root: string,
  session: Session,
  model: Baseline["model"],
  slot: number | null,
  workflow: Baseline["carried"]["workflow"],
): Promise<number> {
  const { baseline: { epoch }, totals: { turns: turn } } = session;
  const place = { epoch, seq: session.endEpoch(), turn };
  return await beginWithCopy(root, session, { kind: "model", place, model, slot, workflow });
}

/** Which session a command about finishing means. */
import { UsageError } from "../../platform/errors.ts";
import { listSessionIds } from "../../session/layout.ts";
import { resolveSessionId } from "../../session/session_id.ts";
import { readWorkflow } from "../../workflow/read_workflow.ts";
import { firstOfNewest } from "./newest.ts";

/**
 * The session that `given` names; the newest one with a goal when it is left out.
 *
 * @throws {SessionNotFound} {@linkcode UsageError} when there is none
 */
export async function sessionWithGoal(
  root: string,
  given: string | undefined,
  say: (text: string) => void,
): Promise<string> {
  if (given !== undefined) return resolveSessionId(listSessionIds(root), given);
  const newest = await firstOfNewest(
    root,
    async (id) => (await readWorkflow(root, id)).goal === null ? undefined : id,
    say,
  );
  if (newest !== undefined) return newest;
  throw new UsageError('no session here has a goal. Begin one: m31a run "the goal"');
}

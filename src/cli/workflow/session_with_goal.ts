/** Which session a command about finishing means. */
import { UsageError } from "../../platform/errors.ts";
import { newestSessionIds } from "../../session/catalog.ts";
import { listSessionIds } from "../../session/layout.ts";
import { resolveSessionId } from "../../session/session_id.ts";
import { readWorkflow } from "../../workflow/read_workflow.ts";

/** How many of the newest sessions are searched. */
const SEARCHED_SESSIONS = 20;

/**
 * The session that `given` names; the newest one with a goal when it is left out.
 *
 * @throws {SessionNotFound} {@linkcode UsageError} when there is none
 */
export async function sessionWithGoal(root: string, given: string | undefined): Promise<string> {
  if (given !== undefined) return resolveSessionId(listSessionIds(root), given);
  for (const id of newestSessionIds(root, SEARCHED_SESSIONS)) {
    if ((await readWorkflow(root, id)).goal !== null) return id;
  }
  throw new UsageError('no session here has a goal. Begin one: m31a run "the goal"');
}

/**
 * The workflow that a command is about.
 * Rule: the newest session that has one, unless another is named; only reads, and takes no lock.
 */
import { newestSessionIds } from "../../session/catalog.ts";
import { listSessionIds } from "../../session/layout.ts";
import { resolveSessionId } from "../../session/session_id.ts";
import { readWorkflow } from "../../workflow/read_workflow.ts";
import type { WorkflowState } from "../../workflow/state.ts";

/** How many of the newest sessions are searched for a workflow. */
const SEARCHED_SESSIONS = 20;

/** The sessions that may be meant, the likeliest first. @throws {SessionNotFound} {@linkcode UsageError} */
export function candidateSessions(given: string | undefined): string[] {
  return given === undefined
    ? newestSessionIds(".", SEARCHED_SESSIONS)
    : [resolveSessionId(listSessionIds("."), given)];
}

/**
 * Finds a workflow.
 *
 * @param given the id of its session, or the beginning of it
 * @returns undefined when that session, or none of the newest, has one
 * @throws {SessionNotFound} {@linkcode UsageError} {@linkcode SessionTorn}
 */
export async function findWorkflow(
  given: string | undefined,
): Promise<{ id: string; state: WorkflowState } | undefined> {
  for (const id of candidateSessions(given)) {
    const state = await readWorkflow(".", id);
    if (state.goal !== null) return { id, state };
  }
  return undefined;
}

/** What is said when there is none. */
export function noWorkflow(given: string | undefined): string {
  return given === undefined
    ? 'There is no workflow here yet. Begin one: m31a run "the goal"'
    : `Session ${candidateSessions(given)[0]} has no workflow.`;
}

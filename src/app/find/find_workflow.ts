/**
 * The workflow that a command is about.
 * Rule: the newest session that has one, unless another is named; only reads, and takes no lock.
 */
import { UsageError } from "../../platform/errors.ts";
import { listSessionIds } from "../../session/layout.ts";
import { resolveSessionId } from "../../session/session_id.ts";
import { readWorkflow } from "../../workflow/read_workflow.ts";
import type { WorkflowState } from "../../workflow/state.ts";
import { firstOfNewest } from "./newest.ts";

/**
 * Finds a workflow.
 *
 * @param given the id of its session, or the beginning of it
 * @param say is told which damaged sessions are passed over
 * @returns undefined when that session, or none of the newest, has one
 * @throws {SessionNotFound} {@linkcode UsageError} {@linkcode SessionTorn}
 */
export async function findWorkflow(
  given: string | undefined,
  say: (text: string) => void,
): Promise<{ id: string; state: WorkflowState } | undefined> {
  return await amongSessions(given, async (id) => {
    const state = await readWorkflow(".", id);
    return state.goal === null ? undefined : { id, state };
  }, say);
}

/**
 * Finds the session whose changes can be taken back.
 *
 * @param given as for {@linkcode findWorkflow}
 * @throws {UsageError} when there is none {@linkcode SessionNotFound} {@linkcode SessionTorn}
 */
export async function findUndoable(
  given: string | undefined,
  say: (text: string) => void,
): Promise<string> {
  const id = await amongSessions(given, async (id) => {
    const { checkpoints, touched, undo, rewind } = await readWorkflow(".", id);
    const hasAny = checkpoints.length + touched.length > 0 || undo !== null || rewind !== null;
    return hasAny ? id : undefined;
  }, say);
  if (id !== undefined) return id;
  const who = given === undefined
    ? "no session here has"
    : `session ${resolveSessionId(listSessionIds("."), given)} has not`;
  throw new UsageError(
    `there is nothing to take back: ${who} changed a file that is kept in git`,
  );
}

/**
 * Hands the session that is named to `use`; the newest ones, until it gives something, when none is.
 *
 * @throws {SessionNotFound} {@linkcode UsageError} what `use` throws
 */
export async function amongSessions<T>(
  given: string | undefined,
  use: (id: string) => Promise<T | undefined>,
  say: (text: string) => void,
): Promise<T | undefined> {
  if (given === undefined) return await firstOfNewest(".", use, say);
  return await use(resolveSessionId(listSessionIds("."), given));
}

/** What is said when there is none. */
export function noWorkflow(given: string | undefined): string {
  return given === undefined
    ? 'There is no workflow here yet. Begin one: m31a run "the goal"'
    : `Session ${resolveSessionId(listSessionIds("."), given)} has no workflow.`;
}

/** What the commands of `m31a session` share: finding a session by the beginning of its id. */
import { listSessionIds } from "../../session/layout.ts";
import { resolveSessionId } from "../../session/session_id.ts";

/** The project's root: m31a always runs there, and messages name paths relative to it. */
export const ROOT = ".";

/**
 * The session that `prefix` names.
 *
 * @throws {SessionNotFound} {@linkcode UsageError}
 */
export function findSession(prefix: string): string {
  return resolveSessionId(listSessionIds(ROOT), prefix);
}

/** What the commands of `m31a session` share: finding a session by the beginning of its id. */
import { newestSessionIds } from "../../session/catalog.ts";
import { SessionNotFound } from "../../session/errors.ts";
import { listSessionIds } from "../../session/layout.ts";
import { resolveSessionId } from "../../session/session_id.ts";

/** The project's root: m31a always runs there, and messages name paths relative to it. */
export const ROOT = ".";

/**
 * The session that `prefix` names; the one used last where it is left out.
 *
 * @throws {SessionNotFound} {@linkcode UsageError}
 */
export function findSession(prefix: string | undefined): string {
  if (prefix !== undefined) return resolveSessionId(listSessionIds(ROOT), prefix);
  const [newest] = newestSessionIds(ROOT, 1);
  if (newest !== undefined) return newest;
  throw new SessionNotFound("there is no session yet; begin one: m31a chat");
}

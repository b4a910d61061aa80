/**
 * The names of sessions: `YYYYMMDD-HHMMSS-xxxx`.
 * Rule: sorting the names sorts the sessions by age; a unique prefix is enough to name one.
 */
import { UsageError } from "../platform/errors.ts";
import { SessionNotFound } from "./errors.ts";

/** What an id looks like. */
export const SESSION_ID = /^\d{8}-\d{6}-[0-9a-f]{4}$/;

/** Whether `text` is the whole id of a session, of one that exists or not. */
export function isSessionId(text: string): boolean {
  return SESSION_ID.test(text);
}

/**
 * Makes the id of a session that starts at `now`: the time in UTC and four random hex digits.
 *
 * @example
 * ```ts
 * import { isSessionId, newSessionId } from "./session_id.ts";
 * import assert from "node:assert/strict";
 *
 * const id = newSessionId(new Date("2026-01-02T03:04:05Z"));
 * assert.ok(id.startsWith("20260102-030405-") && isSessionId(id));
 * ```
 */
export function newSessionId(now: Date): string {
  const digits = now.toISOString().replace(/[-:T]/g, "");
  const random = crypto.getRandomValues(new Uint8Array(2));
  const suffix = [...random].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}-${suffix}`;
}

/** When the session `id` was begun, by its name, in milliseconds since 1970. */
export function beganMsOf(id: string): number {
  return Date.parse(id.replace(/^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d).*$/, "$1-$2-$3T$4:$5:$6Z"));
}

/**
 * Finds the one id that `prefix` names.
 *
 * @throws {SessionNotFound} when none or several of `ids` begin with it
 * @throws {UsageError} when `prefix` cannot begin an id at all
 */
export function resolveSessionId(ids: readonly string[], prefix: string): string {
  if (!/^[0-9a-f-]+$/.test(prefix)) {
    throw new UsageError(
      `${
        JSON.stringify(prefix)
      } is no session id (they look like 20260102-030405-1a2b); see: m31a session list`,
    );
  }
  const matches = ids.filter((id) => id.startsWith(prefix)).sort();
  const [first] = matches;
  if (first === undefined) {
    throw new SessionNotFound(`no session begins with ${prefix}; see: m31a session list`);
  }
  if (matches.length === 1 || first === prefix) return first;
  const some = matches.slice(-5).join(", ");
  throw new SessionNotFound(
    `${matches.length} sessions begin with ${prefix}; give more of the id: ${
      matches.length > 5 ? "…, " : ""
    }${some}`,
  );
}

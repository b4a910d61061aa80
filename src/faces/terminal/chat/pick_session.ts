/**
 * Choosing the session to go on with, at a terminal.
 * Rule: those used last are offered, each with what it was about.
 */
import { listSessions, type SessionSummary } from "../../../session/catalog.ts";
import { SessionNotFound } from "../../../session/errors.ts";
import { askChoice } from "../prompt.ts";
import type { TerminalInput } from "../terminal_input.ts";
import { oneLine } from "../../../app/telling/call_summary.ts";
import type { ChatStart } from "../../../app/conversation_host.ts";

/** How many sessions are offered. */
const OFFERED = 15;

/**
 * Lets the user choose. Undefined when the user did not.
 *
 * @throws {SessionNotFound} when there is no session
 */
export async function pickSession(
  input: TerminalInput,
  isColour: boolean,
): Promise<ChatStart | undefined> {
  const sessions = listSessions(".", OFFERED).filter(({ epochs }) => epochs > 0);
  if (sessions.length === 0) {
    throw new SessionNotFound("there is no session to resume yet; begin one: m31a chat");
  }
  const labels = sessions.map(labelOf);
  const answer = await askChoice(input, "Which session?", labels, isColour);
  if (answer === undefined) return undefined;
  const chosen = sessions[labels.indexOf(answer)];
  return { kind: "resume", id: chosen?.id ?? answer.trim() };
}

function labelOf({ id, title }: SessionSummary): string {
  return `${id}  ${oneLine(title).slice(0, 60)}`;
}

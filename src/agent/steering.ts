/**
 * What the user says while a turn is under way.
 * Rule: it is a message on disk like any other, in front of the turn's next request.
 */
import type { TurnSubject } from "../session/records.ts";
import { cleanText } from "./clean.ts";
import type { Conversation } from "./conversation.ts";

/** Records what the user has said meanwhile; tells whether there was something. */
export function takeSteered(
  { world, session }: Conversation,
  about: TurnSubject | undefined,
): boolean {
  let hasTaken = false;
  for (;;) {
    const text = world.takeSteered?.();
    if (text === undefined) return hasTaken;
    hasTaken = true;
    const said = cleanText(text, world.secrets);
    session.append([{
      type: "user",
      text: said,
      source: "user",
      ...(about === undefined ? {} : { about }),
    }]);
  }
}

/**
 * The turn of an attempt, brought to its end however far it had come.
 * Rule: a turn that was cut off goes on from its log; only one that the user interrupted is begun again.
 */
import { continueTurn, runTurn } from "../agent/turn.ts";
import { Interrupted } from "../platform/errors.ts";
import type { RecordOf } from "../session/records.ts";
import { againAfterInterruption } from "./briefs.ts";
import type { AttemptTurn } from "./state.ts";
import type { Work } from "./work.ts";

/** A message that opens a turn. */
export interface TurnMessage {
  text: string;
  source: RecordOf<"user">["source"];
}

/** How a turn ended that was not interrupted. */
export type EndedTurn = Extract<AttemptTurn, { status: "ended" | "failed" }>;

/**
 * Brings the attempt's turn to its end; `message` opens it if it has not begun.
 *
 * @throws {Interrupted} when the user interrupts it {@linkcode SessionError} when the log cannot be written
 */
export async function finishTurn(work: Work, message: TurnMessage): Promise<EndedTurn> {
  const { turn } = work.attempt;
  if (turn.status === "open") return await goOn(work);
  if (turn.status === "none") return await beginTurn(work, message);
  if (turn.status === "interrupted") {
    return await beginTurn(work, { text: againAfterInterruption(message.text), source: "brief" });
  }
  return turn;
}

/** Begins a turn of the attempt with `message`, whatever was before it. */
export async function beginTurn(work: Work, { text, source }: TurnMessage): Promise<EndedTurn> {
  work.throwIfInterrupted();
  const { conversation } = work.parts;
  await runTurn(conversation, text, source, work.signal, {
    about: work.attempt.about,
  });
  return ended(work);
}

async function goOn(work: Work): Promise<EndedTurn> {
  work.throwIfInterrupted();
  await continueTurn(work.parts.conversation, work.attempt.about, work.signal);
  return ended(work);
}

function ended(work: Work): EndedTurn {
  const { turn } = work.attempt;
  if (turn.status === "interrupted") throw new Interrupted();
  if (turn.status === "ended" || turn.status === "failed") return turn;
  throw new Error(`a turn was run to its end and is ${turn.status}`);
}

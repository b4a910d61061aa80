/**
 * Discuss: the model looks around and asks what it must.
 * Rule: one turn; the questions and their answers are records of their own.
 */
import { finishTurn } from "../attempt_turn.ts";
import { discussBrief } from "../briefs.ts";
import type { Work } from "../work.ts";

/** Runs the phase. */
export async function discuss(work: Work): Promise<void> {
  work.baseline.start();
  if (work.isByCandidates) {
    return await work.phase("discuss", "done", "nothing is asked in this way");
  }
  const turn = await finishTurn(work, { text: discussBrief(work.state), source: "brief" });
  if (turn.status === "failed") return await work.phase("discuss", "failed", turn.detail);
  const { length } = work.state.questions;
  await work.phase("discuss", "done", `${length} ${length === 1 ? "question" : "questions"}`);
}

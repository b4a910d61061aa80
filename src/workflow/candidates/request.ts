/**
 * One question for a proposal: how much of the file fits, and what the answer may take.
 * Rule: question and answer together never pass the model's window, and an answer that does not end is cut off.
 */
import type { TurnBudget } from "../../agent/limits.ts";
import { askAside } from "../../agent/side_request.ts";
import { ContextOverflow } from "../../model/errors.ts";
import { utf8ByteLength } from "../../platform/text.ts";
import type { Work } from "../work.ts";
import type { Evidence } from "./likely_files.ts";
import { type Piece, pieceOf, withPiece } from "./piece.ts";
import { contentOf, question } from "./proposal.ts";

/** How much of a file is asked for at once, in bytes, where the window does not set less: the answer is as long. */
const LARGEST_PIECE = 2_000;

/** Less than this of a file is no place for a change, in bytes. */
const SMALLEST_PIECE = 200;

/** A token has at least so many bytes of code, nearly always. */
const BYTES_A_TOKEN = 3;

/** What an answer may take beside twice the piece, and what a question takes beside its text, in tokens. */
const ROOM_TOKENS = 300;

/** What is asked for. */
export interface Wanted {
  path: string;
  /** What the file holds; empty for one that is to be made. */
  text: string;
  evidence: Evidence;
  temperature: number;
}

/**
 * Asks for a proposal.
 *
 * @returns the file's whole text as proposed; undefined where the answer proposes none
 * @throws {ContextOverflow} when not even the smallest piece fits
 * @throws what {@linkcode askAside} throws
 */
export async function askForProposal(
  work: Work,
  wanted: Wanted,
  budget: TurnBudget,
): Promise<string | undefined> {
  const { conversation } = work.parts;
  let maxBytes = mostBytes(conversation.contextWindowTokens, wanted.evidence.goal);
  for (;;) {
    if (maxBytes < SMALLEST_PIECE) throw tooSmall(conversation.contextWindowTokens);
    const piece = pieceOf(wanted.text, { ...wanted.evidence, path: wanted.path }, maxBytes);
    try {
      return await askForPiece(work, wanted, piece, budget);
    } catch (error) {
      if (!(error instanceof ContextOverflow)) throw error;
      // The refusal may have told the window.
      const told = mostBytes(conversation.contextWindowTokens, wanted.evidence.goal);
      maxBytes = Math.min(told, Math.floor(maxBytes / 2));
    }
  }
}

/** How much of a file there is room for, when the answer may be twice as long. */
function mostBytes(windowTokens: number | undefined, goal: string): number {
  if (windowTokens === undefined) return LARGEST_PIECE;
  const taken = 2 * ROOM_TOKENS + utf8ByteLength(goal) / BYTES_A_TOKEN;
  return Math.min(LARGEST_PIECE, Math.floor(windowTokens - taken));
}

function tooSmall(windowTokens: number | undefined): ContextOverflow {
  return new ContextOverflow(
    `the goal and a piece of the file do not fit the model's window of ${
      windowTokens ?? "unknown"
    } tokens; say the goal in fewer words`,
    windowTokens,
  );
}

async function askForPiece(
  work: Work,
  { path, text, evidence, temperature }: Wanted,
  piece: Piece,
  budget: TurnBudget,
): Promise<string | undefined> {
  const { conversation } = work.parts;
  const room = Math.ceil(2 * utf8ByteLength(piece.text) / BYTES_A_TOKEN) + ROOM_TOKENS;
  const { maxOutputTokens: set } = conversation.session.baseline.model.parameters;
  const maxOutputTokens = typeof set === "number" ? Math.min(set, room) : room;
  const { answer } = await askAside(
    conversation,
    {
      purpose: "candidate",
      about: work.attempt.about,
      text: question(evidence.goal, path, piece),
      parameters: { temperature, maxOutputTokens },
    },
    budget,
    work.signal,
  );
  const content = contentOf(answer);
  return content === undefined ? undefined : withPiece(text, piece, content);
}

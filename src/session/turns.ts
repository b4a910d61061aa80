/**
 * The turns of a conversation as it is now: which epoch holds each, and where it ends.
 * Rule: only reads; turns that the conversation was taken back from are none of it any more.
 */
import { UsageError } from "../platform/errors.ts";
import type { CopySource } from "./copy_records.ts";
import { readBaseline } from "./epoch_files.ts";
import { SessionTorn } from "./errors.ts";
import { listEpochs } from "./layout.ts";
import { isTakingBack, type RecordOf, type SessionRecord } from "./records.ts";
import { readEpoch } from "./session_reader.ts";

/** A turn in a list. */
export interface Turn extends Pick<RecordOf<"user">, "at" | "text" | "source"> {
  /** 1 for the conversation's first. */
  turn: number;
}

/** Where a turn ends. */
export interface TurnPlace extends CopySource {
  turn: number;
}

/**
 * The epoch that holds turn `turn` as it was said: no copy of it, no summary. 0 is the time before the first turn.
 *
 * @throws {SessionNotFound} {@linkcode BaselineInvalid}
 */
export function epochOfTurn(root: string, id: string, turn: number): number {
  let epoch = listEpochs(root, id).at(-1) ?? 0;
  while (epoch > 0) {
    const { parent, carried } = readBaseline(root, id, epoch).baseline;
    // Behind a summary, an epoch may hold no turn at all, also where another model takes it over.
    const isHere = turn > carried.turns || turn === 0 && parent?.rewind !== undefined;
    const isAfter = turn >= (parent?.rewind?.turn ?? 0);
    if (isHere && isAfter || parent === null || parent.epoch >= epoch) return epoch;
    epoch = parent.epoch;
  }
  return epoch;
}

/**
 * Finds the last record that belongs to turn `turn`; with 0, to the time before the first.
 *
 * @throws {UsageError} when the conversation has no such turn
 * @throws {SessionTorn} {@linkcode SessionNotFound} {@linkcode BaselineInvalid}
 */
export async function endOfTurn(root: string, id: string, turn: number): Promise<TurnPlace> {
  const epoch = epochOfTurn(root, id, turn);
  const { carried, parent } = readBaseline(root, id, epoch).baseline;
  let turns = carried.turns;
  let seq = 0;
  let hasEnded = false;
  await readSound(root, id, epoch, (record) => {
    if (record.type === "user") turns += 1;
    hasEnded ||= turns > turn || turns === turn && beginsAnother(record);
    if (!hasEnded) seq = record.seq;
  });
  if (turn < carried.turns) {
    throw new UsageError(
      `this session begins behind turn ${carried.turns} of session ${parent?.session}, ` +
        `so it cannot go back to the end of turn ${turn}`,
    );
  }
  if (turn > turns) throw new UsageError(`the conversation has ${turns} turns, not ${turn}`);
  return { epoch, seq, turn };
}

/** What comes behind a turn without a message: a goal, or that files were taken back. */
function beginsAnother(record: SessionRecord): boolean {
  return record.type === "goal" || record.type === "undo" ||
    record.type === "checkpoint" && isTakingBack(record);
}

/**
 * All turns, the first one first.
 *
 * @throws {SessionTorn} {@linkcode SessionNotFound} {@linkcode BaselineInvalid}
 */
export async function listTurns(root: string, id: string): Promise<Turn[]> {
  const turns: Turn[][] = [];
  let last = Infinity;
  let epoch = listEpochs(root, id).at(-1) ?? 0;
  while (true) {
    const { carried } = readBaseline(root, id, epoch).baseline;
    let turn = carried.turns;
    const own: Turn[] = [];
    await readSound(root, id, epoch, (record) => {
      if (record.type !== "user") return;
      turn += 1;
      const { at, text, source } = record;
      if (turn <= last) own.push({ turn, at, text, source });
    });
    turns.unshift(own);
    if (epoch === 0 || carried.turns === 0) return turns.flat();
    last = carried.turns;
    epoch = epochOfTurn(root, id, last);
  }
}

async function readSound(
  root: string,
  id: string,
  epoch: number,
  onRecord: (record: SessionRecord) => void,
): Promise<void> {
  const { damage } = await readEpoch(root, id, epoch, onRecord);
  if (damage !== undefined) throw new SessionTorn(id, damage);
}

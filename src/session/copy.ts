/**
 * New sessions from old ones: a fork takes the first turns, a salvage the records before the damage.
 * Rule: the session that is copied is only read, and the copy exists when it is complete.
 */
import { type Clock, systemClock } from "../platform/clock.ts";
import { UsageError } from "../platform/errors.ts";
import type { Baseline } from "./baseline.ts";
import { copyContents } from "./copy_contents.ts";
import { SessionTorn } from "./errors.ts";
import { listEpochs, logPath } from "./layout.ts";
import { copyRecords, toDraft } from "./copy_records.ts";
import { FORMAT_VERSION } from "./records.ts";
import { readBaseline } from "./epoch_files.ts";
import { Session } from "./session.ts";
import { newSessionId } from "./session_id.ts";
import { readEpoch } from "./session_reader.ts";
import { epochOfTurn } from "./turns.ts";

/** What a copy came to. */
export interface CopiedSession {
  id: string;
  /** User messages in it, those of earlier epochs counted. */
  turns: number;
  /** Records copied. */
  records: number;
}

/**
 * Makes a new session that begins with the first `turns` turns of another one, or with all of them.
 * Its requests are byte for byte those of its parent, and ask for the same prompt cache.
 *
 * @param turns how many turns to take over, counted from the conversation's beginning
 * @throws {UsageError} when the session has not so many
 * @throws {SessionTorn} when a record that would be copied is damaged
 */
export async function forkSession(
  root: string,
  id: string,
  options: { turns?: number; clock?: Clock } = {},
): Promise<CopiedSession> {
  const { turns } = options;
  if (turns !== undefined && turns < 1) {
    throw new UsageError(`a fork takes at least one turn, not ${turns}`);
  }
  const epoch = turns === undefined
    ? listEpochs(root, id).at(-1) ?? 0
    : epochOfTurn(root, id, turns);
  return await copyEpoch(root, id, epoch, "fork", options);
}

/**
 * Copies the good records before the damage of a session's newest epoch into a new session.
 *
 * @throws {UsageError} when nothing is damaged
 */
export async function salvageSession(
  root: string,
  id: string,
  options: { clock?: Clock } = {},
): Promise<CopiedSession> {
  return await copyEpoch(root, id, listEpochs(root, id).at(-1) ?? 0, "salvage", options);
}

async function copyEpoch(
  root: string,
  id: string,
  epoch: number,
  kind: "fork" | "salvage",
  options: { turns?: number; clock?: Clock },
): Promise<CopiedSession> {
  // The first reading finds what can be copied, the second copies it: nothing is held in memory.
  const { baseline } = readBaseline(root, id, epoch);
  const wanted = options.turns ?? Infinity;
  let turns = baseline.carried.turns;
  let lastSeq = 0;
  let slot: number | null = null;
  const reading = await readEpoch(root, id, epoch, (record) => {
    if (record.type === "session_start") slot = record.slot;
    if (record.type === "user") turns += 1;
    if (turns <= wanted) lastSeq = record.seq;
  });
  const { damage } = reading;
  if (kind === "salvage" && damage === undefined) {
    throw new UsageError(
      `session ${id} is not damaged; to copy it: m31a session fork ${id}`,
    );
  }
  if (kind === "fork") {
    if (damage !== undefined && turns <= wanted) throw new SessionTorn(id, damage);
    if (Number.isFinite(wanted) && turns < wanted) {
      throw new UsageError(`${logPath(id, epoch)}: the session has ${turns} turns, not ${wanted}`);
    }
  }

  const clock = options.clock ?? systemClock;
  const copy: Baseline = {
    ...baseline,
    format: FORMAT_VERSION,
    session: newSessionId(clock.now()),
    epoch: 0,
    parent: { kind, session: id, epoch, seq: lastSeq, ...copiedOf(baseline) },
    createdAt: clock.now().toISOString(),
  };
  const session = await Session.create(root, copy, slot, { clock }, (append) => {
    copyContents(root, id, copy.session);
    copyRecords(
      root,
      id,
      { epoch, seq: lastSeq },
      (record) =>
        record.type === "session_start" || record.type === "format" ? undefined : toDraft(record),
      append,
    );
  });
  session.close();
  return { id: copy.session, turns: Math.min(turns, wanted), records: lastSeq };
}

/** What the epoch itself had copied stands at the beginning of the copy, too. */
function copiedOf({ parent }: Baseline): { copied?: number } {
  return parent?.copied === undefined ? {} : { copied: parent.copied };
}

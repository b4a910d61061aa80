/**
 * The messages of a session that wait to be said: `sessions/<id>/queue.json`.
 * Rule: what is in it is on disk (written, then synced) before whoever typed it is told that it is there; private like the
 * transcript beside it; gone when nothing waits.
 */
import { join } from "@std/path";
import { z } from "zod";
import {
  readTextIfExists,
  refuseForeign,
  refuseSymlinks,
  removeIfExists,
  syncDirectory,
  writeAtomically,
} from "../../platform/files.ts";
import { DamagedData, messageOf } from "../../platform/errors.ts";
import { images } from "../../session/images.ts";
import { sessionDirectory } from "../../session/layout.ts";

const queuedMessage = z.strictObject({
  id: z.string(),
  kind: z.enum(["message", "steer"]),
  text: z.string(),
  images,
  /** It is about to be recorded, as the message that opens this turn. */
  turn: z.int().positive().optional(),
});

/** A message that waits. */
export type QueuedMessage = z.infer<typeof queuedMessage>;

const queueFile = z.strictObject({ format: z.literal(1), messages: z.array(queuedMessage) });

/** Where a session's queue is, relative to the project's root. */
function queuePath(id: string): string {
  return `${sessionDirectory(id)}/queue.json`;
}

/**
 * The messages that wait, the next one first. One that was about to be recorded when a process ended is left out when
 * the log has it.
 *
 * @param turns how many messages the log has
 * @throws {DamagedData} when the file is not what this program writes
 */
export function readQueue(root: string, id: string, turns: number): QueuedMessage[] {
  const path = queuePath(id);
  refuseSymlinks(root, path);
  refuseForeign(root, path);
  const text = readTextIfExists(join(root, path));
  if (text === undefined) return [];
  try {
    const { messages } = queueFile.parse(JSON.parse(text));
    return messages.filter(({ turn }) => turn === undefined || turn > turns);
  } catch (error) {
    throw new DamagedData(
      `${path}: is no queue of messages: ${
        messageOf(error)
      }. Take from it what you need, and remove it.`,
      { cause: error },
    );
  }
}

/** Makes `messages` those that wait. */
export function writeQueue(root: string, id: string, messages: readonly QueuedMessage[]): void {
  const path = queuePath(id);
  refuseSymlinks(root, path);
  if (messages.length > 0) {
    const text = `${JSON.stringify({ format: 1, messages }, undefined, 2)}\n`;
    return writeAtomically(join(root, path), text, 0o600);
  }
  removeIfExists(join(root, path));
  syncDirectory(join(root, sessionDirectory(id)));
}

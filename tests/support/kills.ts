/**
 * A process that ends without a last word, as far as a test in one process can have it: from some record on
 * nothing more is written, and the conversation is gone.
 */
import type { Conversation } from "../../src/agent/conversation.ts";
import { logPath } from "../../src/session/layout.ts";
import { SessionError } from "../../src/session/errors.ts";
import type { Fold, SessionRecord } from "../../src/session/records.ts";

/** What is thrown through everything that runs. Code treats it as a log that cannot be written. */
export class Killed extends SessionError {
  constructor() {
    super("killed", 1);
  }
}

/** A fold that kills its conversation right behind the first record that `isLast`. Whatever was written with it is cut off. */
export function killedAfter(
  isLast: (record: SessionRecord) => boolean,
): { fold: Fold; kills(conversation: Conversation): void; hasKilled(): boolean } {
  let victim: Conversation | undefined;
  let hasKilled = false;
  return {
    fold: {
      apply(record) {
        if (victim === undefined || hasKilled || !isLast(record)) return;
        hasKilled = true;
        const { session, world } = victim;
        session.close();
        cutLog(`${world.root}/${logPath(session.id, session.baseline.epoch)}`, record.seq);
        throw new Killed();
      },
    },
    kills: (conversation) => void (victim = conversation),
    hasKilled: () => hasKilled,
  };
}

function cutLog(path: string, lines: number): void {
  const kept = Deno.readTextFileSync(path).split("\n").slice(0, lines);
  Deno.writeTextFileSync(path, kept.map((line) => `${line}\n`).join(""));
}

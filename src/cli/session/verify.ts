/** `m31a session verify [ID]`: checks every line of a session, or of all of them. */
import { type ExitCode } from "../../platform/errors.ts";
import { stripControlSequences } from "../../platform/text.ts";
import { SessionNotFound } from "../../session/errors.ts";
import { listSessionIds } from "../../session/layout.ts";
import { verifySession } from "../../session/verify.ts";
import { printLine } from "../../platform/output.ts";
import { jsonLine } from "../../platform/json_line.ts";
import { findSession, ROOT } from "./names.ts";

/** Prints what was found in each epoch; resolves to 3 when anything is damaged. */
export async function run(
  prefix: string | undefined,
  options: { json?: true | undefined },
): Promise<ExitCode> {
  const ids = prefix === undefined ? listSessionIds(ROOT) : [findSession(prefix)];
  let isSound = true;
  for (const id of ids) {
    try {
      for (const verdict of await verifySession(ROOT, id)) {
        isSound &&= verdict.damage === undefined;
        const { path, records, bytes, damage = null } = verdict;
        const found = damage ?? `${path}: sound, ${records} records, ${bytes} bytes`;
        printLine(
          options.json
            ? jsonLine({ session: id, ...verdict, damage })
            : stripControlSequences(found),
        );
      }
    } catch (error) {
      // Killed while it was made: nothing was said in it, so nothing is damaged.
      if (!(error instanceof SessionNotFound) || prefix !== undefined) throw error;
      console.error(`m31a: ${error.message}`);
    }
  }
  return isSound ? 0 : 3;
}

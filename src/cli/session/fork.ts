/** `m31a session fork ID [--turn N]`: a new session that begins as another one did. */
import type { ExitCode } from "../../platform/errors.ts";
import { forkSession } from "../../session/copy.ts";
import { printCopy } from "./copied.ts";
import { findSession, ROOT } from "./names.ts";

/** Forks the session and prints the new one's id. */
export async function run(
  prefix: string,
  options: { turn?: number | undefined },
): Promise<ExitCode> {
  const id = findSession(prefix);
  printCopy(await forkSession(ROOT, id, options.turn === undefined ? {} : { turns: options.turn }));
  return 0;
}

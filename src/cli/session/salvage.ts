/** `m31a session salvage ID`: what is good of a damaged session, as a new one. */
import type { ExitCode } from "../../platform/errors.ts";
import { salvageSession } from "../../session/copy.ts";
import { printCopy } from "./copied.ts";
import { findSession, ROOT } from "./names.ts";

/** Copies the good records and prints the new session's id. */
export async function run(prefix: string): Promise<ExitCode> {
  printCopy(await salvageSession(ROOT, findSession(prefix)));
  return 0;
}

/** `m31a session repair ID`: cuts an unfinished end off a log; a copy is kept. */
import type { ExitCode } from "../../platform/errors.ts";
import { repairSession } from "../../session/repair.ts";
import { printLine } from "../../platform/output.ts";
import { findSession, ROOT } from "./names.ts";

/** Repairs the session and says what was cut. */
export async function run(prefix: string): Promise<ExitCode> {
  const { path, copyPath, cutBytes, records } = await repairSession(ROOT, findSession(prefix));
  printLine(`${path}: cut ${cutBytes} bytes behind the last good record; ${records} records`);
  printLine(`${copyPath}: the log as it was`);
  return 0;
}

/** `m31a session rename [ID] TITLE`: what a session is called in lists. */
import type { ExitCode } from "../../platform/errors.ts";
import { printLine } from "../../platform/output.ts";
import { titleOf } from "../../session/catalog.ts";
import { setTitle } from "../../session/title.ts";
import { findSession, ROOT } from "./names.ts";

/** Gives the session that `prefix` names the title `title`; the one used last, where only a title is given. */
export function run(prefix: string | undefined, title: string): ExitCode {
  const id = findSession(prefix);
  setTitle(ROOT, id, title);
  printLine(`${id}  ${titleOf(ROOT, id)}`);
  return 0;
}

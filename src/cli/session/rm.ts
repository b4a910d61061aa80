/** `m31a session rm ID`: removes a session for good. Rule: it asks first, unless told not to. */
import { type ExitCode, UsageError } from "../../platform/errors.ts";
import { expectClosed, removeSession } from "../../session/remove.ts";
import { removeRemains } from "../../workflow/session_remains.ts";
import { isInteractive } from "../../faces/terminal/terminal_device.ts";
import type { Environment } from "../../platform/environment.ts";
import { printLine } from "../../platform/output.ts";
import type { CommandContext } from "../command_context.ts";
import { titleOf } from "../../session/catalog.ts";
import { oneLine, truncate } from "../../faces/terminal/width.ts";
import { stripControlSequences } from "../../platform/text.ts";
import { findSession, ROOT } from "./names.ts";

/** How the user is asked; a test gives its own answers. */
export interface RemoveIo {
  isTerminal: boolean;
  confirm: (question: string) => Promise<boolean>;
}

function terminalIo(environment: Environment): RemoveIo {
  return {
    isTerminal: isInteractive(),
    confirm: async (question) => {
      const { confirm } = await import("../ask.ts");
      return await confirm(question, environment);
    },
  };
}

/** Removes the session; resolves to 1 when the user does not want it after all. */
export async function run(
  prefix: string | undefined,
  options: { yes?: true | undefined },
  { environment }: CommandContext,
  io: RemoveIo = terminalIo(environment),
): Promise<ExitCode> {
  const id = findSession(prefix);
  if (!options.yes) {
    if (!io.isTerminal) {
      throw new UsageError(`nobody can be asked here; to remove it: m31a session rm ${id} --yes`);
    }
    if (!await io.confirm(`Remove session ${id}${described(id)} for good?`)) return 1;
  }
  await expectClosed(ROOT, id);
  const { removed, stays } = await removeRemains({ root: Deno.cwd(), environment }, id);
  await removeSession(ROOT, id);
  printLine([`removed ${id}`, ...removed].join(", "));
  for (const what of stays) printLine(`stays: ${what}`);
  return 0;
}

/** What the session was about, behind its id in a question. */
function described(id: string): string {
  const title = oneLine(stripControlSequences(titleOf(ROOT, id)));
  return title === "" ? "" : ` ("${truncate(title, 60)}")`;
}

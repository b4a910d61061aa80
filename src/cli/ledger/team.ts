/**
 * `m31a ledger init`, `push`, `pull` and `forget`: the team's ledger in PostgreSQL.
 * Rule: each says what it has done and what is left; nothing is deleted without the word for it.
 */
import { expectTeamLedger, type TeamLedger } from "../../agent/team_ledger.ts";
import { projectName } from "../../git/project.ts";
import { forgetAuthor, pullEntries } from "../../ledger/team/pull.ts";
import { initSchema, SCHEMA_VERSION } from "../../ledger/team/schema.ts";
import { type ExitCode, UsageError } from "../../platform/errors.ts";
import { stripControlSequences } from "../../platform/text.ts";
import { printLine } from "../../platform/output.ts";
import type { CommandContext } from "../command_context.ts";

/** For how long a command waits that the user has started for this alone, in milliseconds. */
export const PATIENCE_MS = 300_000;

const open = ({ environment }: CommandContext): Promise<TeamLedger> =>
  expectTeamLedger(".", environment);

/** Makes the tables and the roles, or brings them to the newest version. */
export async function init(context: CommandContext): Promise<ExitCode> {
  const team = await open(context);
  const { before, rolesMissing } = await team.connect(PATIENCE_MS, initSchema);
  const state = before === SCHEMA_VERSION ? "is" : before === 0 ? "was made" : "was brought";
  say(`${team.address.shown}: the team's ledger ${state} at version ${SCHEMA_VERSION}`);
  if (rolesMissing === undefined) {
    say("Who ships needs one role, who asks the other: grant m31a_writer, m31a_reader to ada;");
  } else {
    say(`The roles m31a_writer and m31a_reader could not be made: ${rolesMissing}`);
  }
  return 0;
}

/** Sends what is owed. */
export async function push(context: CommandContext): Promise<ExitCode> {
  const team = await open(context);
  const { sent, added } = await team.push(".", PATIENCE_MS);
  say(`${team.address.shown}: ${sent} entries were owed, ${added} of them were new there`);
  return 0;
}

/** Fetches what the team did in this project, for the memory. */
export async function pull(context: CommandContext): Promise<ExitCode> {
  const team = await open(context);
  const project = await projectName(".", context.environment);
  const { entries, unreadable } = await team.connect(
    PATIENCE_MS,
    (connection) => pullEntries(".", connection, project),
  );
  say(`${team.address.shown}: ${entries.length} entries of ${project}, kept for the memory`);
  if (unreadable > 0) say(`${unreadable} entries are of a newer m31a, and were left out`);
  return 0;
}

/** Deletes a person's entries. */
export async function forget(
  options: { author: string; yes?: true | undefined },
  context: CommandContext,
): Promise<ExitCode> {
  const team = await open(context);
  if (!options.yes) {
    throw new UsageError(
      `This deletes every entry of ${options.author} in ${team.address.shown}, for good. Say so with --yes.`,
    );
  }
  const count = await team.connect(
    PATIENCE_MS,
    (connection) => forgetAuthor(connection, options.author),
  );
  say(`${team.address.shown}: ${count} entries of ${options.author} were deleted`);
  return 0;
}

function say(text: string): void {
  printLine(stripControlSequences(text));
}

/**
 * `m31a undo --ship`: takes back m31a's own last commit.
 * Rule: only when it is on top, no merge and not pushed; the files stay as they are, and that is said before.
 */
import { Git } from "../../git/run.ts";
import { previewUndoCommit, type UndoableCommit, undoCommit } from "../../git/undo_commit.ts";
import { systemClock } from "../../platform/clock.ts";
import { type ExitCode, Interrupted } from "../../platform/errors.ts";
import { listSessionIds } from "../../session/layout.ts";
import { resolveSessionId } from "../../session/session_id.ts";
import { Session } from "../../session/session.ts";
import { readAccount } from "../../ship/read_account.ts";
import { recordUndone, undoShip, unrecordedUndo } from "../../ship/undo_ship.ts";
import { diagnose } from "../../workflow/outline.ts";
import { printLine, sayAside } from "../../platform/output.ts";
import type { CommandContext } from "../command_context.ts";
import { jsonLine } from "../../platform/json_line.ts";
import { isInteractive, systemTerminal } from "../../faces/terminal/terminal_device.ts";
import { TerminalInput } from "../../faces/terminal/terminal_input.ts";
import { showHidden } from "../../platform/visible.ts";
import { oneLine } from "../../faces/terminal/width.ts";
import { amongSessions } from "../../app/find/find_workflow.ts";
import { paintFor, unanswerable, type UndoOptions } from "./undo_command.ts";
import { askUndo } from "../../faces/terminal/undo_question.ts";

/** Previews, asks, takes the commit back. */
export async function runUndoShip(
  options: UndoOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const root = Deno.realPathSync(".");
  const git = new Git(root, context.environment);
  // Whoever repeats a command that was killed wants one commit taken back, not two.
  if (await settle(git, root, options)) return 0;
  const given = options.session === undefined
    ? undefined
    : resolveSessionId(listSessionIds("."), options.session);
  const undoable = await previewUndoCommit(git, given);
  const paint = paintFor(context);
  if (!options.json) {
    for (const line of previewLines(undoable)) printLine(line);
  }
  const isSure = options.yes ?? await ask(options, paint);
  if (isSure !== true) {
    if (options.json) printLine(jsonLine({ ...jsonOf(undoable), done: false }));
    if (isSure === undefined) throw unanswerable();
    return 1;
  }
  await carryOut(git, root, undoable);
  if (options.json) printLine(jsonLine({ ...jsonOf(undoable), done: true }));
  if (!options.json) printLine(`Took back ${undoable.commit.slice(0, 12)}.`);
  return 0;
}

/** A commit that was taken back by a command that was killed before its record is recorded now. */
async function settle(git: Git, root: string, { session: given }: UndoOptions): Promise<boolean> {
  const settled = await amongSessions(given, async (id) => {
    const account = await readAccount(root, id, diagnose);
    if (account.steps.commit === undefined) return undefined;
    const commit = await unrecordedUndo(git, account);
    if (commit === undefined) return false;
    using session = await Session.open(root, id);
    recordUndone(session, account, commit);
    console.error(`${commit.slice(0, 12)} was taken back before; that is recorded now.`);
    return true;
  }, sayAside);
  return settled ?? false;
}

async function carryOut(git: Git, root: string, undoable: UndoableCommit): Promise<void> {
  const { session: id } = undoable;
  if (listSessionIds(root).includes(id)) {
    using session = await Session.open(root, id);
    return await undoShip(git, session, await readAccount(root, id, diagnose), undoable);
  }
  await undoCommit(git, undoable);
  console.error(`Session ${id} is not here any more, so nothing was recorded.`);
}

async function ask(
  { json }: UndoOptions,
  paint: ReturnType<typeof paintFor>,
): Promise<boolean | undefined> {
  if (json || !isInteractive()) return undefined;
  const input = new TerminalInput(systemTerminal, systemClock);
  const answer = await askUndo(input, "Take this commit back?", paint);
  if (answer === "interrupt") throw new Interrupted("nothing was changed");
  return answer === "yes";
}

function previewLines({ commit, parent, session, subject, changes }: UndoableCommit): string[] {
  const where = parent === undefined
    ? "has no commit any more"
    : `goes back to ${parent.slice(0, 12)}`;
  return [
    `Commit ${commit.slice(0, 12)} (${showHidden(oneLine(subject))}) of session ${session}:`,
    `the branch ${where}. Its files stay as they are now; what the commit changed in them is uncommitted again, and not staged:`,
    ...changes.map(({ path }) => `  ${showHidden(oneLine(path.text))}`),
    "What the ledger, the memory and the archive say of this ship stays. `git reflog` has the commit.",
  ];
}

function jsonOf({ commit, parent, session, subject, changes }: UndoableCommit) {
  const files = changes.map(({ path }) => path.text);
  return { type: "undo_ship", session, commit, parent: parent ?? null, subject, files };
}

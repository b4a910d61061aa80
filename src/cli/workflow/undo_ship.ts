/**
 * `m31a undo --ship`: takes back m31a's own last commit.
 * Rule: only when it is on top, no merge and not pushed; the files stay as they are, and that is said before.
 */
import { Git } from "../../git/run.ts";
import { previewUndoCommit, type UndoableCommit, undoCommit } from "../../git/undo_commit.ts";
import type { ExitCode } from "../../platform/errors.ts";
import { listSessionIds } from "../../session/layout.ts";
import { resolveSessionId } from "../../session/session_id.ts";
import { Session } from "../../session/session.ts";
import { readAccount } from "../../ship/read_account.ts";
import { recordUndone, undoShip, unrecordedUndo } from "../../ship/undo_ship.ts";
import { diagnose } from "../../workflow/outline.ts";
import { printLine, sayAside } from "../../platform/output.ts";
import type { CommandContext } from "../command_context.ts";
import { jsonLine } from "../../platform/json_line.ts";
import { isInteractive } from "../../faces/terminal/terminal_device.ts";
import { showHidden } from "../../platform/visible.ts";
import { oneLine } from "../../faces/terminal/width.ts";
import { confirm } from "../ask.ts";
import { amongSessions } from "../../app/find/find_workflow.ts";
import { unanswerable, type UndoOptions } from "./undo_command.ts";

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
  if (!options.json) {
    for (const line of previewLines(undoable)) printLine(line);
  }
  const isSure = options.yes ??
    (options.json || !isInteractive()
      ? undefined
      : await confirm("Take this commit back?", context.environment));
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

/**
 * What `m31a undo`, `m31a rollback` and `m31a rewind` have in common: the preview, the question, the change.
 * Rule: nothing is changed that was not shown first; where nobody can be asked, only `--yes` changes anything.
 */
import { guardById } from "../../agent/git_guard.ts";
import { refuseTrackedSession } from "../../agent/trust_store.ts";
import { systemClock } from "../../platform/clock.ts";
import { type ExitCode, UsageError } from "../../platform/errors.ts";
import { UndoableWorkflow } from "../../workflow/undo.ts";
import { movesFiles, type UndoPreview, type UndoTarget } from "../../workflow/undo_preview.ts";
import { printLine, sayAside } from "../../platform/output.ts";
import type { CommandContext } from "../command_context.ts";
import { jsonLine } from "../../platform/json_line.ts";
import { createPaint, type Paint, wantsColour } from "../../faces/terminal/ansi.ts";
import { isInteractive } from "../../faces/terminal/terminal_device.ts";
import { confirm } from "../ask.ts";
import { findUndoable } from "../../app/find/find_workflow.ts";
import { doneLine, patchLines, previewJson, previewLines } from "../../faces/terminal/undo_view.ts";

/** The options of these commands. */
export interface UndoOptions {
  session?: string | undefined;
  diff?: true | undefined;
  force?: true | undefined;
  yes?: true | undefined;
  json?: true | undefined;
}

/**
 * Opens the session that is meant, runs `work` with it, and lets go of it.
 *
 * @param find chooses it; by default the newest one with something to take back
 */
export async function withWorkflow(
  options: UndoOptions,
  { environment }: CommandContext,
  work: (workflow: UndoableWorkflow) => Promise<ExitCode>,
  find: (given: string | undefined) => Promise<string> = (given) => findUndoable(given, sayAside),
): Promise<ExitCode> {
  const id = await find(options.session);
  const root = Deno.realPathSync(".");
  await refuseTrackedSession(root, environment, id);
  guardById(root, environment, id);
  const workflow = await UndoableWorkflow.open({ root, environment, clock: systemClock }, id);
  try {
    if (workflow.settled !== undefined) console.error(workflow.settled);
    return await work(workflow);
  } finally {
    workflow.close();
  }
}

/** Previews, asks, carries out. */
export async function takeBack(
  workflow: UndoableWorkflow,
  target: UndoTarget,
  options: UndoOptions,
  context: CommandContext,
): Promise<ExitCode> {
  // Whoever repeats an undo that was killed wants one, not two.
  if (workflow.settled !== undefined && target.kind !== "rollback") return 0;
  const preview = await workflow.preview(target);
  const { json, yes } = options;
  const force = options.force === true;
  const paint = paintFor(context);
  if (!json) printPreview(preview, options, paint);
  if (preview.rewind === undefined && !movesFiles(preview)) {
    if (json) printLine(jsonLine({ ...jsonOf(preview, options), done: false }));
    console.error("There is nothing to do: the files are so already.");
    return 0;
  }
  const hasConflict = !force && preview.files.some(({ verdict }) => verdict === "conflict");
  const mayGoOn = hasConflict || (yes ?? await mayTakeBack(preview, options, context));
  if (json && (hasConflict || !mayGoOn)) {
    printLine(jsonLine({ ...jsonOf(preview, options), done: false }));
  }
  if (mayGoOn === undefined) throw unanswerable();
  if (!mayGoOn) return 1;
  await workflow.carryOut(preview, { force });
  if (json) printLine(jsonLine({ ...jsonOf(preview, options), done: true }));
  if (!json) printLine(doneLine(preview));
  for (const line of adviceOf(workflow, preview)) console.error(line);
  return 0;
}

/** How text is painted on stdout. */
function paintFor({ environment }: CommandContext): Paint {
  return createPaint(wantsColour(Deno.stdout.isTerminal(), environment));
}

/** What is said where nobody can be asked. */
export function unanswerable(): UsageError {
  return new UsageError(
    "nothing was changed: nobody can be asked here. To do it, say --yes as well",
  );
}

function printPreview(preview: UndoPreview, { force, diff }: UndoOptions, paint: Paint): void {
  const lines = previewLines(preview, force === true, paint);
  if (diff) lines.push(...patchLines(preview.patch, paint));
  for (const line of lines) printLine(line);
}

function jsonOf(preview: UndoPreview, { force, diff }: UndoOptions) {
  return previewJson(preview, force === true, diff === true);
}

/** Undefined where nobody can be asked. */
async function mayTakeBack(
  preview: UndoPreview,
  { json }: UndoOptions,
  context: CommandContext,
): Promise<boolean | undefined> {
  if (json || !isInteractive()) return undefined;
  const diff = patchLines(preview.patch, paintFor(context));
  return await confirm("Take this back?", context.environment, diff);
}

function adviceOf({ id, state }: UndoableWorkflow, { to, takenBack }: UndoPreview): string[] {
  const again = takenBack.at(-1) === undefined || state.phase?.phase !== "execute"
    ? []
    : [`To do what is pending again: m31a run --resume ${id} --from execute`];
  const [newest] = takenBack;
  if (newest === undefined || newest.number === to) return again;
  return [...again, `To have it back: m31a rollback ${newest.number} --session ${id}`];
}

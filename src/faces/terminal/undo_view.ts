/**
 * What an undo would change, for a person and for a program.
 * Rule: every file by its name, with nothing hidden in it; what would be lost is said before it is.
 */
import { counted } from "../../platform/text.ts";
import type { RollbackFile } from "../../git/rollback.ts";
import { isTakingBack } from "../../session/records.ts";
import { whereRewindLeads } from "../../workflow/rewind.ts";
import {
  type ListedCheckpoint,
  type ListedTurn,
  movesFiles,
  type UndoPreview,
} from "../../workflow/undo_preview.ts";
import type { Paint, StyleName } from "./ansi.ts";
import { paintPatch } from "./diff.ts";
import { showHidden } from "../../platform/visible.ts";
import { oneLine } from "./width.ts";

/** What becomes of a file, in a word. */
export type FileFate =
  | "restored"
  | "removed"
  | "recreated"
  | "unchanged"
  | "conflict"
  | "overwritten"
  | "not kept";

const STYLES: Readonly<Record<FileFate, StyleName>> = {
  restored: "yellow",
  removed: "red",
  recreated: "green",
  unchanged: "dim",
  conflict: "red",
  overwritten: "red",
  "not kept": "red",
};

/** What becomes of a file, with `--force` or without. */
function fateOf({ verdict, current, target }: RollbackFile, isForced: boolean): FileFate {
  if (verdict === "unchanged") return "unchanged";
  if (verdict === "unkept") return "not kept";
  if (verdict === "conflict") return isForced ? "overwritten" : "conflict";
  if (target === null) return "removed";
  return current === null ? "recreated" : "restored";
}

/** The preview as lines. */
export function previewLines(preview: UndoPreview, isForced: boolean, paint: Paint): string[] {
  const { session, to, takenBack, broughtBack, files, rewind } = preview;
  const where = to === 0 ? "how it was before the first change" : `how it was at checkpoint ${to}`;
  const head = rewind === undefined
    ? `back to ${where}`
    : `the conversation goes ${whereRewindLeads(rewind.place.turn)}, the files ${where}`;
  const fates = files.map((file) => ({ file, fate: fateOf(file, isForced) }));
  return [
    paint(`Session ${session}: ${head}.`, "bold"),
    ...takenBack.map((checkpoint) => `  taken back    ${labelOf(checkpoint)}`),
    ...broughtBack.map((checkpoint) => `  brought back  ${labelOf(checkpoint)}`),
    ...fates.map(({ file, fate }) =>
      `  ${paint(fate.padEnd(12), STYLES[fate])}  ${name(file.path)}${reasonOf(file, fate)}`
    ),
    countLine(fates.map(({ fate }) => fate)),
    ...fates.flatMap(({ file, fate }) => fate === "overwritten" ? lossOf(file, preview) : []),
  ];
}

/** The checkpoints of a session as lines. */
export function checkpointLines(checkpoints: readonly ListedCheckpoint[]): string[] {
  return checkpoints.map((checkpoint) => {
    const { kind, isLive, files } = checkpoint;
    const count = counted(files.length, "file");
    const state = !isTakingBack({ kind }) && !isLive ? ", taken back" : "";
    return `${labelOf(checkpoint)} (${count}${state})`;
  });
}

/** The turns of a session as lines, each with the first line of its message and what it changed. */
export function turnLines(turns: readonly ListedTurn[]): string[] {
  return turns.map(({ turn, text, files }) => {
    const [line = ""] = text.trim().split("\n", 1);
    const changed = files.length === 0 ? "" : ` (changed ${files.map(name).join(", ")})`;
    return `${turn}. ${name(line)}${changed}`;
  });
}

/** What is said when it is done. */
export function doneLine(preview: UndoPreview): string {
  const { number, rewind } = preview;
  const recorded = movesFiles(preview) ? `; recorded as checkpoint ${number}` : "";
  if (rewind === undefined) return `Done${recorded}.`;
  return `Done${recorded}. The conversation is ${whereRewindLeads(rewind.place.turn)}.`;
}

/** A patch as lines on the screen. */
export function patchLines(patch: string, paint: Paint): string[] {
  return patch === "" ? ["(no difference)"] : [paintPatch(patch, paint)];
}

/** The preview as a value for JSON. */
export function previewJson(preview: UndoPreview, isForced: boolean, hasPatch: boolean) {
  const { kind, session, to, number, takenBack, broughtBack, files, patch, rewind } = preview;
  return {
    type: kind,
    session,
    ...(rewind === undefined ? {} : { turn: rewind.place.turn }),
    to,
    checkpoint: number,
    takenBack: takenBack.map(({ number }) => number),
    broughtBack: broughtBack.map(({ number }) => number),
    files: files.map((file) => ({
      path: file.path,
      fate: fateOf(file, isForced),
      ...(file.reason === undefined ? {} : { reason: file.reason }),
      before: file.current,
      after: file.target,
    })),
    ...(hasPatch ? { patch } : {}),
  };
}

function labelOf({ number, subject }: ListedCheckpoint): string {
  return `${number}. ${name(subject)}`;
}

function reasonOf({ reason, wasDirty, target }: RollbackFile, fate: FileFate): string {
  if (fate === "not kept") return `: stays as it is; ${reason ?? ""}`;
  if (reason !== undefined) return `: ${reason}`;
  if (fate === "unchanged") return ": nothing of what is taken back is in it";
  return wasDirty && target !== null ? ": as you had it, not committed" : "";
}

function countLine(fates: readonly FileFate[]): string {
  const words = Object.keys(STYLES).flatMap((fate) => {
    const count = fates.filter((other) => other === fate).length;
    return count === 0 ? [] : [`${count} ${fate}`];
  });
  return words.length === 0 ? "No file changes." : `${words.join(", ")}.`;
}

function lossOf({ path, current }: RollbackFile, { session, number }: UndoPreview): string[] {
  if (current === null) return [];
  const object = `refs/m31a/${session}/${number}^:${path}`;
  return [`What ${name(path)} holds now is kept: git show ${shellWord(object)}`];
}

/** Text from files' names and titles, on one line. */
function name(text: string): string {
  return showHidden(oneLine(text));
}

function shellWord(text: string): string {
  const shown = name(text);
  return /^[\w./:^-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", "'\\''")}'`;
}

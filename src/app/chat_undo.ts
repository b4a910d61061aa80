/**
 * What is typed behind `/undo` and `/rewind`.
 * Rule: what is no number is refused with what would be one.
 */
import { UsageError } from "../platform/errors.ts";
import type { UndoTarget } from "../workflow/undo_preview.ts";

/** What was typed behind `/undo` or `/rewind`. */
export interface ChatUndo {
  /** Undefined to list the turns. */
  target: UndoTarget | undefined;
  isForced: boolean;
}

/**
 * Reads what was typed behind the command.
 *
 * @throws {UsageError} when it is no number
 *
 * @example
 * ```ts
 * import { chatUndoOf } from "./chat_undo.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(chatUndoOf("undo", "").target, { kind: "undo", steps: 1 });
 * assert.deepEqual(chatUndoOf("rewind", "2 --force"), {
 *   target: { kind: "rewind", turn: 2 },
 *   isForced: true,
 * });
 * ```
 */
export function chatUndoOf(command: "undo" | "rewind", argument: string): ChatUndo {
  const words = argument.split(/\s+/).filter((word) => word !== "");
  const isForced = words.includes("--force");
  const [number, ...others] = words.filter((word) => word !== "--force");
  const least = command === "undo" ? 1 : 0;
  if (others.length > 0 || number !== undefined && !isNumber(number, least)) {
    throw new UsageError(
      command === "undo"
        ? "/undo takes how many checkpoints to take back, a number from 1, and --force"
        : "/rewind takes the number of a turn, 0 for before the first, and --force; alone it lists the turns",
    );
  }
  if (command === "undo") {
    return { target: { kind: "undo", steps: Number(number ?? "1") }, isForced };
  }
  const target = number === undefined
    ? undefined
    : { kind: "rewind", turn: Number(number) } as const;
  return { target, isForced };
}

function isNumber(text: string, least: number): boolean {
  return /^(0|[1-9]\d{0,8})$/.test(text) && Number(text) >= least;
}

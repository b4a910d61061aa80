/**
 * The settings in lines.
 * Rule: each says its value as JSON and where the value comes from.
 */
import type { Setting } from "../../agent/configuration.ts";
import { stripControlSequences } from "../../platform/text.ts";

/** The settings as lines of three columns: key, value as JSON, origin. */
export function settingLines(settings: readonly Setting[]): string[] {
  const rows = settings.map(({ key, value, origin }) => [
    key,
    value === undefined ? "(not set)" : stripControlSequences(JSON.stringify(value)),
    stripControlSequences(origin),
  ]);
  const widthOf = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const keyWidth = widthOf(0);
  // A single long value must not push every origin off the screen.
  const valueWidth = Math.min(widthOf(1), 40);
  return rows.map(([key = "", value = "", origin = ""]) =>
    `${key.padEnd(keyWidth)}  ${value.padEnd(valueWidth)}  ${origin}`
  );
}

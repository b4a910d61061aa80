/**
 * `m31a config`: every setting, its value, and where the value comes from.
 * Rule: what is printed is what m31a would run with, read the same way.
 */
import { readConfiguration, type Setting } from "../agent/configuration.ts";
import type { ExitCode } from "../platform/errors.ts";
import { stripControlSequences } from "../platform/text.ts";
import { printLine } from "./output.ts";
import type { CommandContext } from "./program.ts";

/** Prints the settings. @throws {ConfigurationInvalid} when planning/config.toml or a variable makes no sense */
export function run(options: { json?: true | undefined }, context: CommandContext): ExitCode {
  const { settings } = readConfiguration(Deno.cwd(), context.environment);
  if (options.json) {
    // JSON leaves out what is undefined; a setting without a value is shown as null.
    printLine(
      JSON.stringify(settings.map((setting) => ({ ...setting, value: setting.value ?? null }))),
    );
    return 0;
  }
  for (const line of alignedLines(settings)) printLine(line);
  return 0;
}

/** The settings as lines of three columns: key, value as JSON, origin. */
export function alignedLines(settings: readonly Setting[]): string[] {
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

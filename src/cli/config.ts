/**
 * `m31a config`: every setting, its value, and where the value comes from; and trusting the file.
 * Rule: what is printed is what m31a would run with, read the same way.
 */
import {
  CONFIGURATION_PATH,
  type FileTrust,
  readTrustedConfiguration,
} from "../agent/configuration.ts";
import { recordTrust } from "../agent/trust_store.ts";
import type { ExitCode } from "../platform/errors.ts";
import { printLine } from "../platform/output.ts";
import type { CommandContext } from "./command_context.ts";
import { settingLines } from "../app/telling/setting_lines.ts";
import { looseLines } from "../app/trust.ts";

/** The options of `m31a config`. */
export interface ConfigOptions {
  json?: true | undefined;
  trust?: true | undefined;
}

/**
 * Prints the settings, or with `--trust` records that the user trusts the file and prints what that is.
 *
 * @throws {ConfigurationInvalid} when planning/config.toml or a variable makes no sense
 * @throws {UsageError} when trust cannot be recorded
 */
export async function run(options: ConfigOptions, context: CommandContext): Promise<ExitCode> {
  const root = Deno.cwd();
  const { settings, trust } = await readTrustedConfiguration(root, context.environment);
  if (options.trust) {
    await trustFile(root, trust, context);
    return 0;
  }
  if (options.json) {
    const looseKeys = new Set(trust.settings.map(({ key }) => key));
    const entries = settings.map((setting) => ({
      ...setting,
      // JSON leaves out what is undefined; a setting without a value is shown as null.
      value: setting.value ?? null,
      ...(looseKeys.has(setting.key) && { trust: trust.state }),
    }));
    printLine(JSON.stringify(entries));
    return 0;
  }
  for (const line of settingLines(settings)) printLine(line);
  if (trust.settings.length === 0 || trust.state === "not needed") return 0;
  printLine();
  printLine(
    trust.state === "trusted"
      ? "Trusted on this machine:"
      : "Not in force, because this file is not trusted on this machine (`m31a config --trust`):",
  );
  for (const line of looseLines(trust.settings)) printLine(`  ${line}`);
  return 0;
}

async function trustFile(root: string, trust: FileTrust, context: CommandContext): Promise<void> {
  if (trust.settings.length === 0) {
    return printLine(`${CONFIGURATION_PATH} asks for nothing that needs trust.`);
  }
  await recordTrust(root, context.environment, trust.text);
  printLine(`Trusted on this machine, as long as ${CONFIGURATION_PATH} stays as it is:`);
  for (const line of looseLines(trust.settings)) printLine(`  ${line}`);
}

/**
 * Asking for trust in planning/config.toml, or refusing to work with a file that has none.
 * Rule: what is trusted is what was shown, with nothing hidden in it.
 */
import {
  CONFIGURATION_PATH,
  type ConfigurationFlags,
  type ProjectConfiguration,
  readTrustedConfiguration,
} from "../agent/configuration.ts";
import type { LooseSetting } from "../agent/trust.ts";
import { recordTrust } from "../agent/trust_store.ts";
import type { Environment } from "../platform/environment.ts";
import { UsageError } from "../platform/errors.ts";
import { showHidden } from "../platform/visible.ts";

/** Shows the settings and resolves to whether the user trusts them; without trust they are not in force. */
export type TrustQuestion = (settings: readonly LooseSetting[]) => Promise<boolean>;

/**
 * The configuration that a command works with.
 *
 * @param ask left out where nobody can be asked
 * @throws {ConfigurationInvalid}
 * @throws {UsageError} when the file needs trust, has none, and nobody can be asked
 */
export async function configurationToWorkWith(
  root: string,
  environment: Environment,
  flags: ConfigurationFlags,
  ask?: TrustQuestion,
): Promise<ProjectConfiguration> {
  const configuration = await readTrustedConfiguration(root, environment, flags);
  const { state, settings, text } = configuration.trust;
  if (state !== "not trusted") return configuration;
  if (ask === undefined) throw new UsageError(refusal(settings));
  if (!await ask(settings)) return configuration;
  await recordTrust(root, environment, text);
  // Read again: should the file have changed since it was shown, the trust is in another text.
  return await configurationToWorkWith(root, environment, flags);
}

/** A line for each setting: its place, its name, its value. Control and invisible characters are shown as such. */
export function looseLines(settings: readonly LooseSetting[]): string[] {
  const width = Math.max(...settings.map(({ place }) => place.length));
  return settings.map(({ place, name, value }) =>
    showHidden(`${place.padEnd(width)}  ${name} = ${JSON.stringify(value)}`)
  );
}

function refusal(settings: readonly LooseSetting[]): string {
  const place = settings[0]?.place ?? CONFIGURATION_PATH;
  return [
    `${place}: the file loosens protections, or starts or reaches something, and is not trusted on this machine:`,
    ...looseLines(settings).map((line) => `  ${line}`),
    "Trust the file as it is now: m31a config --trust. Or take these settings out of it.",
  ].join("\n");
}

/**
 * `m31a init`: the two folders that m31a writes to, and a configuration with every key explained.
 * Rule: what is there stays as it is; nothing is written through a symbolic link.
 */
import { CONFIGURATION_PATH, defaultConfigurationText } from "../agent/configuration.ts";
import { type ExitCode, UsageError } from "../platform/errors.ts";
import {
  ensureDirectory,
  lstatOrUndefined,
  pathExists,
  refuseSymlinks,
  writeAtomically,
} from "../platform/files.ts";
import { ensureSessionsDirectory } from "../session/layout.ts";
import { planningFate, settlePlanning } from "./init_planning.ts";
import { printLine } from "../platform/output.ts";
import type { CommandContext } from "./command_context.ts";

/**
 * Creates what is missing of planning/config.toml and sessions/, says what it did, and settles what is to become of
 * planning/ in git.
 *
 * @throws {FileError} when one of them is a symbolic link, or cannot be written
 * @throws {UsageError} when one of the folders is a file, or for an unknown `--planning`
 */
export async function run(
  options: { planning?: string | undefined },
  { environment }: CommandContext,
): Promise<ExitCode> {
  const fate = planningFate(options.planning);
  const root = Deno.realPathSync(".");
  for (const folder of ["planning", "sessions"]) refuseFile(root, folder);
  refuseSymlinks(root, CONFIGURATION_PATH);
  refuseSymlinks(root, "sessions/.gitignore");
  create(CONFIGURATION_PATH, "every setting, explained, at its default", () => {
    ensureDirectory("planning");
    writeAtomically(CONFIGURATION_PATH, defaultConfigurationText());
  });
  create("sessions/.gitignore", "transcripts are private, git ignores them", () => {
    ensureSessionsDirectory(root);
  });
  await settlePlanning(root, environment, fate);
  if (!pathExists(".git")) printLine("This folder is not in a git repository: `git init` is next.");
  printLine("`m31a doctor` says what is missing; `m31a chat` begins.");
  return 0;
}

function create(path: string, purpose: string, make: () => void): void {
  if (pathExists(path)) return printLine(`${path} is there already: left as it is`);
  make();
  printLine(`${path} created: ${purpose}`);
}

function refuseFile(root: string, folder: string): void {
  refuseSymlinks(root, folder);
  const info = lstatOrUndefined(folder);
  if (info === undefined || info.isDirectory) return;
  throw new UsageError(`${folder} is a file; m31a keeps a folder there. Move it away first.`);
}

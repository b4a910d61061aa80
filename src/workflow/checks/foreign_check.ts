/**
 * Checks that came with the repository: they stand in the PROJECT.md that git tracks, and nothing else names them.
 * Rule: where there is no sandbox, none of them runs before somebody has said so.
 */
import { isAllowedCommand } from "../../agent/approval.ts";
import { NotARepository } from "../../git/errors.ts";
import type { Git } from "../../git/run.ts";
import { parseProject } from "../../planning/project.ts";
import { UsageError } from "../../platform/errors.ts";
import { splitNul } from "../../git/path.ts";
import { decodeLossy } from "../../platform/text.ts";
import { detectProject } from "../detect/project.ts";
import { folderReader } from "../detect/folder_reader.ts";
import { PlanningError } from "../../planning/planning_error.ts";
import type { Work } from "../work.ts";

const PROJECT = "planning/PROJECT.md";

/**
 * Asks for leave to run the project's checks, where they need one.
 *
 * @throws {UsageError} that says what to do, when they may not be run
 */
export async function expectOwnChecks(work: Work): Promise<void> {
  const { conversation, sandbox, commands, configuredChecks } = work.parts;
  const checks = work.state.project?.checks ?? [];
  if (Object.keys(configuredChecks).length > 0 || checks.length === 0) return;
  if (await sandbox.kind() !== "none") return;
  const brought = await commandsBrought(work.git);
  if (brought.size === 0) return;
  const detected = detectProject(folderReader(work.root)).checks.map(({ command }) => command);
  const foreign = checks.filter(({ command }) =>
    brought.has(command) && !detected.includes(command) &&
    !isAllowedCommand(command, commands.allowed)
  );
  if (foreign.length === 0) return;
  const list = foreign.map(({ name, command }) => `${name}: ${command}`).join("\n");
  const { isAllowed, reason } = await conversation.world.approve({
    tool: "check",
    summary: `run without a sandbox the checks of ${PROJECT}, which came with the repository`,
    detail: list,
    scope: {
      keys: foreign.map(({ command }) => `check ${command}`),
      words: "these checks, as they are written here",
    },
    id: crypto.randomUUID(),
    signal: work.signal,
  });
  if (isAllowed) return;
  throw new UsageError(
    `${PROJECT}: git tracks the file, so its checks may have come with the repository, there is no sandbox ` +
      `here, and ${reason ?? "it was not allowed"}:\n${list.replaceAll(/^/gm, "  ")}\n` +
      `Read them. To run them: name them in planning/config.toml ([ship.checks] or [tools] allow), or give ` +
      `--approval all; m31a chat asks.`,
  );
}

/** The commands of checks in the PROJECT.md of the last commit, in whatever case it is spelled. */
async function commandsBrought(git: Git): Promise<Set<string>> {
  const args = ["ls-files", "-z", "--", `:(top,icase)${PROJECT}`];
  const options = { pathspecs: "magic", startsNothing: true } as const;
  try {
    const names = splitNul(await git.read(args, options)).fields.map(decodeLossy);
    const texts = await Promise.all(
      names.map((name) =>
        git.readLineIfAny(["cat-file", "blob", `HEAD:${name}`], { startsNothing: true })
      ),
    );
    return new Set(texts.flatMap(checksIn));
  } catch (error) {
    if (error instanceof NotARepository) return new Set();
    throw error;
  }
}

function checksIn(text: string | undefined): string[] {
  try {
    return parseProject(text).checks.map(({ command }) => command);
  } catch (error) {
    // What is in the tree is another text then, or is refused itself.
    if (error instanceof PlanningError) return [];
    throw error;
  }
}

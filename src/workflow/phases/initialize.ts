/**
 * Initialize: what the project is and how it is checked, without a model.
 * Rule: the configuration's checks go before those that a person wrote into PROJECT.md, and those before what is detected.
 */
import { counted } from "../../platform/text.ts";
import type { Git } from "../../git/run.ts";
import { readRepositoryState } from "../../git/state.ts";
import { parseProject } from "../../planning/project.ts";
import { UsageError } from "../../platform/errors.ts";
import type { RecordOf } from "../../session/records.ts";
import {
  checkLabel,
  describeLeftOut,
  type DetectedProject,
  type ManifestReader,
} from "../detect/detected.ts";
import { withBefore } from "../detect/before_reader.ts";
import { folderReader } from "../detect/folder_reader.ts";
import { detectProject } from "../detect/project.ts";
import { expectOwnChecks } from "../checks/foreign_check.ts";
import { changedFiles } from "../files_before.ts";
import type { Work } from "../work.ts";

/**
 * Runs the phase.
 *
 * @throws {UsageError} outside of a git repository
 */
export async function initialize(work: Work): Promise<void> {
  await requireRepository(work.git);
  if (work.state.project === null) {
    const detected = detectProject(await readerBefore(work));
    for (const { path, line, reason } of detected.problems) {
      work.parts.onEvent({ type: "notice", text: `${path}:${line}: ${reason}` });
    }
    for (const leftOut of detected.leftOut) {
      work.parts.onEvent({ type: "notice", text: describeLeftOut(leftOut) });
    }
    work.append(projectRecord(work, detected));
  }
  await expectOwnChecks(work);
  const { projectType, checks } = work.state.project ?? { projectType: "", checks: [] };
  const type = projectType === "" ? "unknown project type" : projectType;
  await work.phase("initialize", "done", `${type}, ${counted(checks.length, "check")}`);
}

/**
 * Reads again how the project is checked, when a session goes on: what has been mended since is taken, and no old
 * command is run.
 */
export async function refreshChecks(work: Work): Promise<void> {
  const { project } = work.state;
  if (project === null) return;
  await takeOverChecks(work, project);
  await expectOwnChecks(work);
}

async function takeOverChecks(
  work: Work,
  project: NonNullable<typeof work.state.project>,
): Promise<void> {
  const now = projectRecord(work, detectProject(await readerBefore(work)));
  const command = (checks: typeof now.checks) =>
    JSON.stringify(checks.map(({ name, command }) => [name, command]));
  if (command(now.checks) === command(project.checks)) return;
  const { projectType, framework, packageManager } = project;
  work.append({ ...now, projectType, framework, packageManager });
  const list = now.checks.map(({ name, command }) => `${name}: ${command}`).join("; ") || "none";
  work.parts.onEvent({ type: "notice", text: `The checks are others now: ${list}` });
}

/** The project without what this session has changed in it: that does not change how it is checked. */
async function readerBefore(work: Work): Promise<ManifestReader> {
  const changed = await changedFiles(work);
  const before = new Map(changed.map(({ path, before }) => [path, before]));
  return withBefore(folderReader(work.root), before);
}

/** @throws {UsageError} outside of a git repository */
export async function requireRepository(git: Git): Promise<void> {
  if (await readRepositoryState(git, 0) !== undefined) return;
  throw new UsageError(
    `${git.root}: is not a git repository, and a workflow keeps its checkpoints in one. Run "git init" there first.`,
  );
}

type ProjectRecord = Omit<RecordOf<"project">, "seq" | "at" | "prev">;

function projectRecord(work: Work, { primary, checks }: DetectedProject): ProjectRecord {
  const written = parseProject(work.state.looks["PROJECT.md"]);
  const configured = Object.entries(work.parts.configuredChecks).map(([name, command]) => ({
    name,
    command,
    source: "planning/config.toml",
  }));
  const own = written.checks.map(({ name, command, source }) => ({ name, command, source }));
  const found = checks.map((check) => ({
    name: checkLabel(check),
    command: check.command,
    source: check.source,
  }));
  const language = primary?.language ? ` (${primary.language})` : "";
  return {
    type: "project",
    projectType: written.projectType || (primary === undefined ? "" : `${primary.type}${language}`),
    framework: written.framework || (primary?.frameworks.join(", ") ?? ""),
    packageManager: written.packageManager || (primary?.packageManager ?? ""),
    checks: [configured, own, found].find((list) => list.length > 0) ?? [],
  };
}

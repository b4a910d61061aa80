/**
 * Puts a shipped session's documents away, so that the next goal finds an empty desk.
 * Rule: copied first, and only then removed; cut off anywhere it is taken up again, and nothing is lost.
 */
import { join } from "@std/path";
import {
  ensureDirectory,
  naming,
  readTextIfExists,
  refuseSymlinks,
  removeIfExists,
  syncDirectory,
  writeAtomically,
} from "../platform/files.ts";
import { removeLeftovers } from "./leftovers.ts";
import { parseState } from "../planning/state.ts";
import { planVersionOf } from "../planning/plan_versions.ts";

const PLANNING = "planning";

/** The documents of one session. What is not among them is for all: MEMORY.md, the ledger, the configuration. */
const DOCUMENTS = ["PROJECT.md", "TASKS.md", "plan.md", "DEMONSTRATION.md", "STATE.md"];

/** The document that people are given of what was shipped, relative to the project. */
const DEMONSTRATION_PATH = `${PLANNING}/DEMONSTRATION.md`;

/** Where the documents of a session are put away, relative to the project; those of a later attempt beside them. */
export function archiveFolder(session: string, attempt: number): string {
  return `${PLANNING}/archive/${session}${attempt === 1 ? "" : `.${attempt}`}`;
}

/** Writes DEMONSTRATION.md, unless it says this already. */
export function writeDemonstration(root: string, text: string): void {
  refuseSymlinks(root, DEMONSTRATION_PATH);
  const path = join(root, DEMONSTRATION_PATH);
  if (readTextIfExists(path) === text) return;
  ensureDirectory(join(root, PLANNING));
  writeAtomically(path, text);
}

/**
 * Moves the documents to the session's archive. When STATE.md says that they are another session's,
 * only DEMONSTRATION.md is.
 *
 * @returns the names of the files in the archive
 * @throws {PlanningError} when STATE.md cannot be read {@linkcode FileError}
 */
export function archiveDocuments(root: string, session: string, attempt: number): string[] {
  const folder = join(root, PLANNING);
  const archive = archiveFolder(session, attempt);
  refuseSymlinks(root, archive);
  ensureDirectory(join(root, archive));
  removeLeftovers(join(root, archive));
  const names = documentsOf(root, session);
  for (const name of names) {
    refuseSymlinks(root, join(PLANNING, name));
    refuseSymlinks(root, join(archive, name));
    const bytes = naming(
      `${PLANNING}/${name}`,
      "read",
      () => Deno.readFileSync(join(folder, name)),
    );
    writeAtomically(join(root, archive, name), bytes);
  }
  syncDirectory(join(root, archive));
  syncDirectory(join(root, archive, ".."));
  for (const name of names) removeIfExists(join(folder, name));
  syncDirectory(folder);
  return naming(
    archive,
    "list",
    () => [...Deno.readDirSync(join(root, archive))].map(({ name }) => name).toSorted(),
  );
}

/** The session's documents that are there, STATE.md last: it says whose they are. */
function documentsOf(root: string, session: string): string[] {
  const folder = join(root, PLANNING);
  refuseSymlinks(root, join(PLANNING, "STATE.md"));
  const owner = parseState(readTextIfExists(join(folder, "STATE.md"))).session;
  const present = naming(
    PLANNING,
    "list",
    () => [...Deno.readDirSync(folder)].filter(({ isFile }) => isFile).map(({ name }) => name),
  );
  if (owner !== "" && owner !== session) {
    return present.filter((name) => name === "DEMONSTRATION.md");
  }
  const versions = present.filter((name) => planVersionOf(name) !== undefined).toSorted();
  return [...versions, ...DOCUMENTS.filter((name) => present.includes(name))];
}

/**
 * Documents of another session that lie in planning/: an earlier workflow that was not shipped.
 * Rule: they are put away whole under archive/<session>/, never mixed with those of this session, never lost.
 */
import { join } from "@std/path";
import {
  ensureDirectory,
  naming,
  pathExists,
  readTextIfExists,
  refuseSymlinks,
} from "../platform/files.ts";
import { planVersionOf } from "../planning/plan_versions.ts";
import { parseState } from "../planning/state.ts";
import { SESSION_ID } from "../session/session_id.ts";
import { DOCUMENTS } from "./documents.ts";
import { PLANNING } from "./projection.ts";

/**
 * Whether the documents in planning/ are those of `session`, or nobody's.
 *
 * @throws {PlanningError} when STATE.md cannot be read
 */
export function ownsDocuments(root: string, session: string): boolean {
  refuseSymlinks(root, join(PLANNING, "STATE.md"));
  const owner = parseState(readTextIfExists(join(root, PLANNING, "STATE.md"))).session;
  return owner === session || owner === "";
}

/**
 * Puts the documents of another session away, if STATE.md says that there are some.
 *
 * @returns that session, when there was one
 * @throws {PlanningError} when STATE.md cannot be read {@linkcode FileError}
 */
export function archiveForeignDocuments(root: string, session: string): string | undefined {
  refuseSymlinks(root, join(PLANNING, "STATE.md"));
  const folder = join(root, PLANNING);
  const owner = parseState(readTextIfExists(join(folder, "STATE.md"))).session;
  if (owner === session || !SESSION_ID.test(owner)) return undefined;
  const archive = join(PLANNING, "archive", owner);
  refuseSymlinks(root, archive);
  ensureDirectory(join(root, archive));
  const isOurs = (name: string) =>
    DOCUMENTS.some((known) => known === name) || planVersionOf(name) !== undefined;
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).filter(isOurs);
  // STATE.md goes last: while it is there, a killed archiving is taken up again.
  const last = (name: string) => Number(name === "STATE.md");
  for (const name of names.toSorted((a, b) => last(a) - last(b))) {
    naming(join(PLANNING, name), "move to the archive", () => {
      if (pathExists(join(folder, name))) {
        Deno.renameSync(join(folder, name), join(root, archive, name));
      }
    });
  }
  return owner;
}

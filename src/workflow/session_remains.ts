/**
 * What a session owns besides its folder in sessions/: the one list of it.
 * Rule: whoever removes a session removes each of these, or says that it stays.
 */
import { join } from "@std/path";
import { countSessionRefs, removeSessionRefs } from "../git/checkpoint.ts";
import { NoGit, NotARepository } from "../git/errors.ts";
import { Git } from "../git/run.ts";
import { withFileIfExists } from "../ledger/existing_file.ts";
import { readLines } from "../platform/byte_lines.ts";
import { LEDGER_PATH } from "../ledger/paths.ts";
import { parseState } from "../planning/state.ts";
import type { Environment } from "../platform/environment.ts";
import { lstatOrUndefined, naming, readTextIfExists, refuseSymlinks } from "../platform/files.ts";
import { counted, decodeLossy } from "../platform/text.ts";

const PLANNING = "planning";

/** Where a session's remains are looked for. */
export interface RemainsPlace {
  root: string;
  environment: Environment;
}

/** One kind of thing. */
interface Kind {
  /** What is there, in words; undefined when nothing is. */
  find(place: RemainsPlace, id: string): Promise<string | undefined> | string | undefined;
  /** Left out for what stays. */
  remove?(place: RemainsPlace, id: string): Promise<void> | void;
}

const KINDS: readonly Kind[] = [
  {
    async find({ root, environment }, id) {
      const count = await orWithoutGit(() => countSessionRefs(new Git(root, environment), id), 0);
      return count === 0 ? undefined : `${counted(count, "ref")} below refs/m31a/${id}`;
    },
    async remove({ root, environment }, id) {
      await orWithoutGit(() => removeSessionRefs(new Git(root, environment), id), undefined);
    },
  },
  {
    find: ({ root }, id) => archivesOf(root, id).join(", ") || undefined,
    remove({ root }, id) {
      for (const path of archivesOf(root, id)) {
        refuseSymlinks(root, path);
        naming(path, "remove", () => Deno.removeSync(join(root, path), { recursive: true }));
      }
    },
  },
  {
    find({ root }, id) {
      const path = `${PLANNING}/STATE.md`;
      refuseSymlinks(root, path);
      const { session } = parseState(readTextIfExists(join(root, path)));
      return session === id ? `its documents in ${PLANNING}/, which are yours to edit` : undefined;
    },
  },
  {
    find({ root }, id) {
      refuseSymlinks(root, LEDGER_PATH);
      const lines = withFileIfExists(join(root, LEDGER_PATH), (file) => {
        let count = 0;
        for (const { bytes } of readLines(file)) {
          if (decodeLossy(bytes).includes(`"${id}"`)) count++;
        }
        return count;
      }) ?? 0;
      return lines === 0
        ? undefined
        : `${counted(lines, "line")} in ${LEDGER_PATH}, the project's history`;
    },
  },
];

/** What was removed, and what stays, each in words. */
export interface Removal {
  removed: string[];
  stays: string[];
}

/**
 * Removes what a session owns besides its folder. To be called before the folder is removed: cut short, it can be
 * called again.
 *
 * @throws {FileError} {@linkcode GitError}
 */
export async function removeRemains(place: RemainsPlace, id: string): Promise<Removal> {
  const removal: Removal = { removed: [], stays: [] };
  for (const { find, remove } of KINDS) {
    const found = await find(place, id);
    if (found === undefined) continue;
    await remove?.(place, id);
    (remove === undefined ? removal.stays : removal.removed).push(found);
  }
  return removal;
}

/** The folders of the archive that are the session's: one for each attempt. */
function archivesOf(root: string, id: string): string[] {
  const archive = `${PLANNING}/archive`;
  refuseSymlinks(root, archive);
  if (lstatOrUndefined(join(root, archive)) === undefined) return [];
  return [...Deno.readDirSync(join(root, archive))].map(({ name }) => name)
    .filter((name) => name === id || name.startsWith(`${id}.`)).sort()
    .map((name) => `${archive}/${name}`);
}

async function orWithoutGit<T>(operation: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    if (error instanceof NoGit || error instanceof NotARepository) return otherwise;
    throw error;
  }
}

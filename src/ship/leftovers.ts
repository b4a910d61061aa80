/**
 * Files of the moment that a ship left behind when it was killed.
 * Rule: only what is named as such files are, and only when the ship is over and no git can be using them.
 */
import { join } from "@std/path";
import { naming, removeIfExists } from "../platform/files.ts";

const UUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

/** An index of m31a's own, git's lock on it, or a file that was to take another's place. */
const OF_THE_MOMENT = new RegExp(`^(${UUID}\\.index(\\.lock)?|\\.${UUID}\\.tmp)$`);

/** Removes them from `folder`, which is the session's own. */
export function removeLeftovers(folder: string): void {
  const names = naming(folder, "list", () => [...Deno.readDirSync(folder)].map(({ name }) => name));
  for (const name of names) if (OF_THE_MOMENT.test(name)) removeIfExists(join(folder, name));
}

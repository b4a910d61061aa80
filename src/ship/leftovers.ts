/**
 * Files of the moment that a ship left behind when it was killed.
 * Rule: only what is named as such files are, and only when the ship is over and no git can be using them.
 */
import { join } from "@std/path";
import { naming, removeIfExists } from "../platform/files.ts";

/** An index of m31a's own, and git's lock on it. */
const OWN_INDEX = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.index(\.lock)?$/;

/** Removes them from `folder`. */
export function removeLeftovers(folder: string): void {
  const names = naming(folder, "list", () => [...Deno.readDirSync(folder)].map(({ name }) => name));
  for (const name of names) if (OWN_INDEX.test(name)) removeIfExists(join(folder, name));
}

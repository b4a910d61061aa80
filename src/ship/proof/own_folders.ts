/** Folders at the root that are m31a's own: no check is about them, and no tree of a check holds them. */
import { SESSIONS } from "../../session/layout.ts";

export const OWN_FOLDERS = ["planning", SESSIONS];

/** Whether a path that git ignores is m31a's own: a folder is named as a whole only where a rule outside of it ignores it. */
export function isOwn(path: string): boolean {
  return OWN_FOLDERS.some((folder) => path === folder || path.startsWith(`${folder}/`));
}

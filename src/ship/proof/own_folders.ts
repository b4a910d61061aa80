/** Folders at the root that are m31a's own: no check is about them, and no tree of a check holds them. */
import { SESSIONS } from "../../session/layout.ts";

export const OWN_FOLDERS = ["planning", SESSIONS];

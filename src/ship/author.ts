/**
 * Who worked, as a ledger says it.
 * Rule: a name goes into a ledger only when the user has set it; git's own is hashed.
 */
import type { Git } from "../git/run.ts";
import { sha256Hex } from "../platform/canonical_json.ts";

/** How many digits of the hash are kept: enough to tell the people of a team apart. */
const DIGITS = 12;

/**
 * The author of entries.
 *
 * @param setting `[ledger] author`: `hash`, `none`, or a name
 * @returns null where it is not to be said, or git knows neither a name nor an address
 */
export async function entryAuthor(git: Git, setting: string): Promise<string | null> {
  if (setting === "none") return null;
  if (setting !== "hash") return setting.toWellFormed();
  const [name, email] = [
    await git.readLineIfAny(["config", "--get", "user.name"], { startsNothing: true }),
    await git.readLineIfAny(["config", "--get", "user.email"], { startsNothing: true }),
  ];
  if (name === undefined && email === undefined) return null;
  return `git:${sha256Hex(`${name ?? ""}\0${email ?? ""}`).slice(0, DIGITS)}`;
}

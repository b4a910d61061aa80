/**
 * Whether a commit can be signed, found out by signing one.
 * Rule: nothing refers to what is made for the trial, and no prompt that nobody answers is waited for.
 */
import { GitError } from "./errors.ts";
import type { Git } from "./run.ts";

/** How long a trial may take, in milliseconds: the user may be asked for a passphrase. */
const TRIAL_MS = 60_000;

/**
 * Signs a commit of nothing, with the user's own key and agent, where git is told to sign every commit.
 *
 * @returns why it cannot be signed; undefined when it can, or need not
 */
export async function whyNotSigned(git: Git, timeoutMs = TRIAL_MS): Promise<string | undefined> {
  const wanted = ["config", "--type=bool", "--get", "commit.gpgSign"];
  if (await git.readLineIfAny(wanted, { asUser: true }) !== "true") return undefined;
  const tree = (await git.readText(["hash-object", "-t", "tree", "--stdin"])).trim();
  const message = "A trial signature of m31a's; nothing refers to it.";
  try {
    await git.write(["commit-tree", "-S", "-m", message, tree], { asUser: true, timeoutMs });
    return undefined;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (error.timedOut) return `the signature was not made within ${timeoutMs / 1000} s`;
    return error.stderr === "" ? error.message : error.stderr;
  }
}

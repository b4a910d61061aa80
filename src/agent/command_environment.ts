/**
 * What a command of the model's, or a server that m31a starts, finds in its environment.
 * Rule: everything the user's tools need, and nothing that looks like a secret. The filter runs in `sh`,
 * because m31a itself may not read most of these variables.
 */
import { unsetVariables } from "../platform/shell.ts";

/** Names, in any case, of secrets, of ways to them, and of what is the caller's own; `*` stands for anything. */
const REMOVED = [
  "*key*",
  "*token*",
  "*secret*",
  "*passw*",
  "*credential*",
  "*auth*",
  "*cookie*",
  "*_pat",
  "m31a_*",
  "git_*",
  "dbus_*",
  "docker_host",
];

/** Whether a variable or a header of this name holds a secret, or a way to one, as far as its name tells. */
export function looksSecret(name: string): boolean {
  const patterns = REMOVED.map((pattern) => pattern.replaceAll("*", ".*"));
  return new RegExp(`^(?:${patterns.join("|")})$`, "is").test(name);
}

/**
 * Lines of `sh` that take those variables out of the environment, but for the `kept` ones.
 *
 * Python goes by a source's second and size when it takes what it compiled earlier: two edits of a
 * character within one second, as a model makes them, would go unseen. So it keeps nothing.
 */
export function environmentFilter(kept: readonly string[] = []): string {
  return unsetVariables(REMOVED.map(inAnyCase).join("|"), kept) +
    "export GIT_TERMINAL_PROMPT=0 GIT_PAGER=cat PAGER=cat TERM=dumb PYTHONDONTWRITEBYTECODE=1\n";
}

function inAnyCase(pattern: string): string {
  return pattern.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);
}

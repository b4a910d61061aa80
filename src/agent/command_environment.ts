/**
 * What a command of the model's, or a server that m31a starts, finds in its environment.
 * Rule: everything the user's tools need, and nothing that looks like a secret. The filter runs in `sh`,
 * because m31a itself may not read most of these variables.
 */

/** Parts of names, in any case, that mark a variable as a secret, a way to one, or the caller's own git state. */
const REMOVED =
  "key|token|secret|passw|credential|auth|cookie|_pat$|^m31a_|^git_|^dbus_|^docker_host$";

/** Whether a variable or a header of this name holds a secret, as far as its name tells. */
export function looksSecret(name: string): boolean {
  return new RegExp(REMOVED, "i").test(name);
}

/**
 * Lines of `sh` that take those variables out of the environment, but for the `kept` ones. A value with
 * line breaks may make a name up; unsetting what is not set does no harm.
 *
 * Python goes by a source's second and size when it takes what it compiled earlier: two edits of a
 * character within one second, as a model makes them, would go unseen. So it keeps nothing.
 */
export function environmentFilter(kept: readonly string[] = []): string {
  const isKept = kept.length === 0 ? "" : ` | grep -vxE '${kept.filter(isName).join("|")}'`;
  return `
for name in $(env | sed -n 's/^\\([A-Za-z_][A-Za-z_0-9]*\\)=.*/\\1/p' | grep -iE '${REMOVED}'${isKept}); do
  unset "$name"
done
export GIT_TERMINAL_PROMPT=0 GIT_PAGER=cat PAGER=cat TERM=dumb PYTHONDONTWRITEBYTECODE=1
`;
}

function isName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z_0-9]*$/.test(name);
}

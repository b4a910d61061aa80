/**
 * Comments that tell a scanner of secrets to look away.
 * Rule: whoever adds a line does not decide whether it is looked at, so an added waiver waives nothing and is itself found.
 */

/** What opens a comment, or ends the text before one. */
const OPENING = String.raw`(?:\/\/|\/\*|#|<!--|--|;|%|^\s*\*)[^\n]{0,80}?`;

/** The waivers of the scanners that people have, by the words that stand in them. */
const WAIVERS: readonly RegExp[] = [
  /secretlint-disable(?:-next-line|-line)?/,
  /gitleaks:allow/,
  /pragma:\s*allowlist\s+(?:nextline\s+)?secret/,
  /trufflehog:ignore/,
  /ggignore/,
].map((words) => new RegExp(`${OPENING}(${words.source})(?![\\w-])`, "i"));

/** The waiver that stands in a comment of `text`, as it is written. */
export function waiverIn(text: string): string | undefined {
  for (const waiver of WAIVERS) {
    const words = waiver.exec(text)?.[1];
    if (words !== undefined) return words;
  }
  return undefined;
}

/** `text` with its length, in which secretlint sees no directive to it. */
export function defused(text: string): string {
  return text.replaceAll(/secretlint-(?=disable|enable)/gi, "secretlint_");
}

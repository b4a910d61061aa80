/**
 * What must not, or should not, be in the lines that a commit adds.
 * Rule: pure; only added lines are looked at, and each finding says its file and line.
 */
import type { AddedLine } from "../../git/added_lines.ts";
import { extensionOf } from "../../git/path.ts";
import { counted } from "../../platform/text.ts";
import { type CheckName, found, passed, type PreflightCheck } from "./check.ts";
import type { ChangeFacts } from "./facts.ts";

/** Are there secrets? Their text is not repeated. */
export function judgeSecrets({ secrets }: ChangeFacts): PreflightCheck {
  if (secrets.length === 0) return passed("secrets", "none in added lines");
  return found(
    "secrets",
    "block",
    `${counted(secrets.length, "added line")} with what looks like a secret or hides one`,
    "Remove it, and revoke it if it is real. If it is none, commit it yourself: no comment in the change itself lets it pass.",
    secrets.map(({ path, line, what }) => `${path}:${line} (${what})`),
  );
}

/** Are there markers of a merge conflict? A line of `=======` alone is none: it underlines headings. */
export function judgeConflictMarkers({ addedLines }: ChangeFacts): PreflightCheck {
  const places = placesOf(addedLines, ({ text }) => /^(<{7}|>{7}|\|{7})( |$)/.test(text));
  if (places.length === 0) return passed("conflict markers", "none in added lines");
  return found(
    "conflict markers",
    "block",
    `${counted(places.length, "conflict marker")} in added lines`,
    "Resolve the conflict.",
    places,
  );
}

/** Is something left to do? */
export function judgeLeftToDo({ addedLines }: ChangeFacts): PreflightCheck {
  const places = placesOf(addedLines, ({ text }) => /\b(TODO|FIXME)\b/.test(text));
  return warning("left to do", places, "TODO or FIXME", "Do it, or keep it knowingly.");
}

/** How a debug print looks, by extension. */
const DEBUG_PRINTS: Readonly<Record<string, RegExp>> = {
  ...sameFor(
    [".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".vue", ".svelte"],
    /\bconsole\.(log|debug|trace|dir)\(|^\s*debugger\b/,
  ),
  ".py": /^\s*print\(|\bbreakpoint\(\)|\b(i?pdb)\.set_trace\(/,
  ".rs": /\bdbg!\(/,
  ".go": /\bspew\.Dump\(|^\s*print(ln)?\(/,
  ".rb": /\bbinding\.(pry|irb)\b|\bbyebug\b|^\s*pp?\s/,
  ".php": /\b(var_dump|print_r|dd)\(/,
  ".java": /\bSystem\.(out|err)\.print|\.printStackTrace\(/,
  ".kt": /^\s*println\(/,
  ".cs": /\bConsole\.Write(Line)?\(|\bDebug\.Write(Line)?\(/,
};

/** Are there prints that were put in to look at something? */
export function judgeDebugPrints({ addedLines }: ChangeFacts): PreflightCheck {
  const places = placesOf(
    addedLines,
    ({ path, text }) => DEBUG_PRINTS[extensionOf(path.text)]?.test(text) ?? false,
  );
  return warning("debug prints", places, "debug print", "Remove what is not part of the program.");
}

function sameFor(extensions: readonly string[], pattern: RegExp): Record<string, RegExp> {
  return Object.fromEntries(extensions.map((extension) => [extension, pattern]));
}

function warning(
  name: CheckName,
  places: readonly string[],
  what: string,
  advice: string,
): PreflightCheck {
  if (places.length === 0) return passed(name, "none in added lines");
  return found(
    name,
    "warn",
    `${counted(places.length, "added line")} with a ${what}`,
    advice,
    places,
  );
}

function placesOf(lines: readonly AddedLine[], isFound: (line: AddedLine) => boolean): string[] {
  return lines.filter(isFound).map(({ path, line }) => `${path.text}:${line}`);
}

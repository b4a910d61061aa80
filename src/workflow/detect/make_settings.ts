/**
 * What a Makefile or a justfile says beside its recipes of how they run, and which others it reads.
 * Rule: pure; what is written there counts, whether or not a condition around it holds.
 */

/** Variables and targets that change how make runs a recipe, or which one. */
const SETTING = new RegExp(
  [
    String
      .raw`^(?:(?:override|export|private)\s+)*(?:SHELL|\.SHELLFLAGS|MAKEFLAGS|GNUMAKEFLAGS|MAKEFILES|MAKE|PATH|VPATH|\.RECIPEPREFIX|\.DEFAULT_GOAL)\s*(?:::|[:?+!])?=`,
    String.raw`^\.(?:IGNORE|ONESHELL|POSIX|DEFAULT|EXPORT_ALL_VARIABLES|SECONDEXPANSION)\b.*:`,
    String.raw`^(?:un)?export\b`,
    String.raw`^vpath\b`,
    // `$(eval …)` and whatever else stands alone in a line: it can make rules.
    String.raw`^\s*\$[({]\w+\s`,
    // A variable of one target, or of a pattern's.
    String
      .raw`^[^\t#:=]+::?\s*(?:(?:override|export|private)\s+)*[\w.]+\s*(?:::|[:?+!])?=`,
  ].join("|"),
);

const ASSIGNMENT = /^(?:override\s+)?[\w.]+\s*(?:::|[:?+!])?=/;

/**
 * The settings of a Makefile: the lines that set them, definitions of several lines and rules by a pattern as a whole.
 *
 * @example
 * ```ts
 * import { makeSettings } from "./make_settings.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(makeSettings("SHELL = /bin/true\nCC = gcc\ntest:\n\tnode --test\n"), "SHELL = /bin/true");
 * assert.equal(makeSettings("CC = gcc\ntest:\n\tnode --test\n"), undefined);
 * ```
 */
export function makeSettings(text: string): string | undefined {
  const lines = folded(text);
  const exportsAll = lines.some((line) => /^(?:export\s*$|\.EXPORT_ALL_VARIABLES\b)/.test(line));
  const found: string[] = [];
  let isDefinition = false;
  let isPattern = false;
  for (const line of lines) {
    if (line.startsWith("\t")) {
      if (isPattern || isDefinition) found.push(line);
      continue;
    }
    if (/^(?:override\s+)?define\b/.test(line)) isDefinition = true;
    isPattern = !isDefinition && /^[^#=]*%[^#=]*:(?!=)/.test(line);
    const isSetting = SETTING.test(line) || exportsAll && ASSIGNMENT.test(line);
    if (isDefinition || isPattern || isSetting) found.push(line);
    if (/^\s*endef\b/.test(line)) isDefinition = false;
  }
  return found.length === 0 ? undefined : found.join("\n");
}

/** The settings of a justfile: what is set, exported, imported or made a module. */
export function justSettings(text: string): string | undefined {
  const found = text.split(/\r?\n/).filter((line) => /^(?:set|export|import|mod)\b/.test(line));
  return found.length === 0 ? undefined : found.join("\n");
}

/**
 * The files of `paths` that a Makefile or a justfile in a folder reads, as far as their names are written there: names
 * with `*`, and where a variable stands in one, whatever its place can hold.
 *
 * @param folder of the file, empty for the root
 */
export function includedFiles(text: string, folder: string, paths: Iterable<string>): string[] {
  const patterns = folded(text).flatMap((line) => {
    const [, make, just] = /^(?:[-s]?include\s+([^#]+)|(?:import|mod)\??\s+.*?['"]([^'"]+)['"])/
      .exec(line) ?? [];
    return just !== undefined ? [just] : make?.trim().split(/\s+/) ?? [];
  });
  const prefix = folder === "" ? "" : `${folder}/`;
  const matchers = patterns.map((pattern) => matcherOf(pattern.replace(/^\.\//, "")));
  return [...paths].filter((path) =>
    path.startsWith(prefix) && matchers.some((matcher) => matcher.test(path.slice(prefix.length)))
  );
}

function matcherOf(pattern: string): RegExp {
  const parts = pattern.split(/(\$[({][^)}]*[)}]|\$\w|[*%?])/).map((part) => {
    if (part.startsWith("$")) return ".*";
    if (part === "*" || part === "%") return "[^/]*";
    return part === "?" ? "[^/]" : part.replaceAll(/[.+^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${parts.join("")}$`);
}

function folded(text: string): string[] {
  return text.replaceAll(/\\\r?\n[ \t]*/g, " ").split(/\r?\n/);
}

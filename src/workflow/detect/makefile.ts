/**
 * Makefiles and justfiles as their targets, prerequisites and recipes.
 * Rule: what is defined by name is read; what a pattern, a function or an include brings is not known here.
 */

/** A target that is defined by name. */
export interface Target {
  /** Counted from 1. */
  line: number;
  prerequisites: readonly string[];
  /** The commands, without `@`, `-` and `+` in front of them. */
  recipe: readonly string[];
  /** Whether make passes over a failure of the last command (`-command`). */
  ignoresFailure: boolean;
}

/** The targets of a Makefile; rules of one target are taken together. */
export function targetsOf(text: string): Map<string, Target> {
  const targets = new Map<string, Target>();
  // A NUL stands for the end of a line that goes on, so that lines can still be counted.
  const lines = text.replaceAll(/\\\r?\n[ \t]*/g, "\0").split(/\r?\n/);
  let current: string[] = [];
  let number = 0;
  for (const folded of lines) {
    number++;
    const line = folded.replaceAll("\0", " ");
    const start = number;
    number += folded.split("\0").length - 1;
    if (line.startsWith("\t")) {
      for (const name of current) addCommand(targets, name, line.trim());
      continue;
    }
    const rule = /^([A-Za-z0-9_./ %-]+?)\s*::?(?!=)([^=]*)$/.exec(line.replace(/\s#.*$/, ""));
    if (rule === null) {
      if (line.trim() !== "" && !line.startsWith("#")) current = [];
      continue;
    }
    current = (rule[1] ?? "").split(/\s+/).filter((name) => name !== "");
    const [names = "", command] = (rule[2] ?? "").split(";");
    const prerequisites = names.split("|").join(" ").split(/\s+/).filter((name) => name !== "");
    for (const name of current) {
      const before = targets.get(name);
      targets.set(name, {
        line: before?.line ?? start,
        prerequisites: [...before?.prerequisites ?? [], ...prerequisites],
        recipe: before?.recipe ?? [],
        ignoresFailure: before?.ignoresFailure ?? false,
      });
      if (command !== undefined) addCommand(targets, name, command.trim());
    }
  }
  return targets;
}

function addCommand(targets: Map<string, Target>, name: string, command: string): void {
  const target = targets.get(name);
  if (target === undefined || command === "") return;
  const [marks = ""] = /^[@+-]*\s*/.exec(command) ?? [];
  targets.set(name, {
    ...target,
    recipe: [...target.recipe, command.slice(marks.length)],
    ignoresFailure: marks.includes("-"),
  });
}

/** The recipes of a justfile: `name args: dependencies` with indented lines below. */
export function recipesOf(text: string): Map<string, Target> {
  const targets = new Map<string, Target>();
  let current: string | undefined;
  text.split(/\r?\n/).forEach((line, at) => {
    if (/^\s+\S/.test(line)) {
      if (current !== undefined) addCommand(targets, current, line.trim());
      return;
    }
    const rule = /^@?([A-Za-z_][\w-]*)(?:\s[^:]*)?:(?!=)(.*)$/.exec(line);
    current = rule?.[1];
    if (current === undefined || /^(?:set|alias|import|mod|export)\b/.test(current)) return;
    const prerequisites = (rule?.[2] ?? "").split(/[\s&()]+/).filter((name) => name !== "");
    targets.set(current, { line: at + 1, prerequisites, recipe: [], ignoresFailure: false });
  });
  return targets;
}

/** What a target runs, its prerequisites first, as one command line. */
export function commandsOf(targets: ReadonlyMap<string, Target>, name: string): string {
  return targetsBelow(targets, name).flatMap((below) => targets.get(below)?.recipe ?? [])
    .join(" && ");
}

/** A target and what it depends on, those first; only targets that are defined by name. */
export function targetsBelow(targets: ReadonlyMap<string, Target>, name: string): string[] {
  const found = new Set<string>();
  const seen = new Set<string>();
  const visit = (at: string) => {
    const target = targets.get(at);
    if (target === undefined || seen.has(at)) return;
    seen.add(at);
    target.prerequisites.forEach(visit);
    found.add(at);
  };
  visit(name);
  return [...found];
}

/**
 * Which of a manifest's scripts a command runs.
 * Rule: only scripts that the manifest has; a name that nothing defines is a program's argument.
 */
import type { SimpleCommand } from "./shell.ts";

/** How scripts are run: the words in front of a script's name. Those that need no `run` stand behind those that do. */
const CALLS: readonly (readonly string[])[] = [
  ["npm", "run-script"],
  ["npm", "run"],
  ["pnpm", "run"],
  ["yarn", "run"],
  ["bun", "run"],
  ["node", "--run"],
  ["deno", "task"],
  ["composer", "run-script"],
  ["composer", "run"],
  ["npm"],
  ["pnpm"],
  ["yarn"],
  ["composer"],
];

/** Programs that run the scripts they are given, by name or pattern. */
const RUNS_MANY = new Set(["run-s", "run-p", "npm-run-all", "npm-run-all2", "concurrently"]);

/** Commands of package managers that are scripts, too. */
const SHORT: Readonly<Record<string, string>> = { t: "test", tst: "test" };

/** The names of the scripts that a command runs, in their order. */
export function scriptCalls(
  { words }: SimpleCommand,
  scripts: { has(name: string): boolean; keys(): Iterable<string> },
): string[] {
  const [program = ""] = words;
  if (RUNS_MANY.has(program)) return words.slice(1).flatMap((word) => matching(word, scripts));
  // Composer's own way of naming another script.
  if (/^@[\w:.-]+$/.test(program)) return known(program.slice(1), scripts);
  const call = CALLS.find((start) => start.every((word, at) => words[at] === word));
  if (call === undefined) return [];
  const name = words.slice(call.length).find((word) => !word.startsWith("-"));
  return name === undefined ? [] : known(SHORT[name] ?? name, scripts);
}

function known(name: string, scripts: { has(name: string): boolean }): string[] {
  return scripts.has(name) ? [name] : [];
}

/** The scripts that a word of run-s stands for: `test:*`, `npm:test`, `"lint -- --fix"`. */
function matching(
  word: string,
  scripts: { has(name: string): boolean; keys(): Iterable<string> },
): string[] {
  const name = word.replace(/^npm:/, "").split(" ")[0] ?? "";
  if (!name.includes("*")) return known(name, scripts);
  const pattern = new RegExp(
    `^${
      name.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("**", "\0").replaceAll("*", "[^:]*")
        .replaceAll("\0", ".*")
    }$`,
  );
  return [...scripts.keys()].filter((script) => pattern.test(script));
}

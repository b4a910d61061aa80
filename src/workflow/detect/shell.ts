/**
 * As much of a shell's grammar as tells which programs a command line starts.
 * Rule: it reads, and never changes a line; what it does not understand it leaves as a word.
 */

/** A program with its arguments. */
export interface SimpleCommand {
  /** Without the variables that are set for it. */
  words: readonly string[];
  /** What follows it: `&&`, `||`, `;` (a line's end, too), `|`, `&` or nothing. */
  next: string;
}

const TOKEN =
  /\\\r?\n|"(?:\\.|[^"\\])*"|'[^']*'|\\.|&&|\|\||\|&|;;|[;|&()\n]|[ \t\r]+|[^\s"'\\;|&()]+/g;
const OPERATORS = new Set(["&&", "||", ";", ";;", "|", "|&", "&", "\n", "(", ")"]);
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/** Programs that only start another one: what follows them (and their options) is the command. */
const STARTERS: readonly (readonly string[])[] = [
  ["env"],
  ["cross-env"],
  ["cross-env-shell"],
  ["exec"],
  ["command"],
  ["time"],
  ["nice"],
  ["xvfb-run"],
  ["dotenv"],
  ["npx"],
  ["bunx"],
  ["pnpx"],
  ["c8"],
  ["nyc"],
  ["pnpm", "exec"],
  ["pnpm", "dlx"],
  ["npm", "exec"],
  ["yarn", "exec"],
  ["yarn", "dlx"],
  ["bundle", "exec"],
  ["uv", "run"],
  ["poetry", "run"],
  ["pdm", "run"],
  ["pipenv", "run"],
  ["hatch", "run"],
  ["coverage", "run"],
];

/**
 * The simple commands of a line, in their order.
 *
 * @example
 * ```ts
 * import { simpleCommands } from "./shell.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(simpleCommands("CI=1 npx jest 'a b' | tee log && true"), [
 *   { words: ["jest", "a b"], next: "|" },
 *   { words: ["tee", "log"], next: "&&" },
 *   { words: ["true"], next: "" },
 * ]);
 * ```
 */
export function simpleCommands(line: string): SimpleCommand[] {
  const commands: SimpleCommand[] = [];
  let words: string[] = [];
  let word: string | undefined;
  const endWord = () => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  const endCommand = (next: string) => {
    endWord();
    const started = withoutStarters(words);
    if (started.length > 0) commands.push({ words: started, next });
    words = [];
  };
  for (const [token] of line.matchAll(TOKEN)) {
    if (OPERATORS.has(token)) endCommand(token === "\n" || token === ";;" ? ";" : token);
    else if (/^(?:[ \t\r]+|\\\r?\n)$/.test(token)) endWord();
    else word = (word ?? "") + unquoted(token);
  }
  endCommand("");
  return commands;
}

function unquoted(token: string): string {
  if (token.startsWith("'")) return token.slice(1, -1);
  if (token.startsWith('"') && token.length > 1) {
    return token.slice(1, -1).replaceAll(/\\(["\\$`])/g, "$1");
  }
  return token.replace(/^\\(.)$/, "$1");
}

function withoutStarters(words: readonly string[]): string[] {
  let rest = [...words];
  for (;;) {
    const before = rest.length;
    while (rest[0] !== undefined && ASSIGNMENT.test(rest[0])) rest = rest.slice(1);
    const starter = STARTERS.find((names) => names.every((name, at) => rest[at] === name));
    if (starter !== undefined && rest.length > starter.length) {
      rest = rest.slice(starter.length);
      while (rest[0]?.startsWith("-") === true) rest = rest.slice(1);
    }
    if (rest.length === before) return rest;
  }
}

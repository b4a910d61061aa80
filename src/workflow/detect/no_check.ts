/**
 * Why a command is no check: it never ends, it hides what failed, it proves nothing.
 * Rule: what it starts is followed, script by script; each reason says what would help.
 */
import { scriptCalls } from "./script_calls.ts";
import { type SimpleCommand, simpleCommands } from "./shell.ts";

const WATCHES = "it watches for changes and never ends";
const SERVES = "it serves until it is stopped and never ends";
const WAITS = "it opens a window and waits for a person";

/** What never ends, by the command without the variables and starters (npx) in front of it. */
const NEVER_ENDS: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\s)--watch(?:All)?(?=\s|$|=true)/, WATCHES],
  [/^(?:tsc|rollup|webpack|mocha|ava|vitest|tap|babel|sass)\b.*\s-\w*w\b/, WATCHES],
  [
    /^(?:nodemon|chokidar|onchange|watchexec|entr|ptw|pytest-watch|pytest-watcher|bacon|guard|air|tsc-watch|ts-node-dev|tsnd)\b/,
    WATCHES,
  ],
  [
    /^(?:tsx watch|vitest (?:watch|dev)|cargo watch|dotnet watch|(?:gulp|grunt|turbo|nx) watch|sbt ['"]?~|tap repl|watch )/,
    WATCHES,
  ],
  [/^(?:\.\/)?gradlew?\b.*\s(?:-t|--continuous)\b/, WATCHES],
  [/^karma start\b(?!.*--single-run\b(?!=false))/, `${WATCHES}: give it --single-run`],
  [/^ember test\b.*\s(?:-s|--server)\b|^testem(?!\s+ci\b)/, WATCHES],
  [
    /^(?:live-server|http-server|serve|browser-sync|webpack-dev-server|start-storybook)\b|^vite(?:\s+(?:dev|serve|preview)\b|\s*$|\s+-)/,
    SERVES,
  ],
  [
    /^(?:next|nuxt|astro|remix|gatsby|expo|storybook|svelte-kit|react-scripts|webpack|ng|ember|parcel)\s+(?:dev|develop|start|serve|server)\b/,
    SERVES,
  ],
  [/^docker(?:-|\s+)compose\b.*\sup\b(?!.*(?:-d\b|--detach|--exit-code-from|--abort-on))/, SERVES],
  [/^vitest\b.*\s--ui\b|^flutter run\b/, SERVES],
  [/^cypress open\b|^playwright\b.*\s(?:--ui|--headed|--debug|codegen)\b/, WAITS],
  [/\s--inspect-brk\b/, "it waits for a debugger"],
];

/** Programs behind a pipe that pass whatever was tested in front of it. */
const PASSES_ON =
  /^(?:tee|cat|grep|egrep|sed|g?awk|head|tail|less|more|sort|uniq|wc|column|tr|cut|jq|bunyan|pino-pretty|ts|ccze|coveralls|codecov)$/;

/** The commands of a project, by name: scripts, tasks, targets. */
type Named = ReadonlyMap<string, string>;

/**
 * Why `command` is no check; `undefined` when nothing speaks against it.
 *
 * @param scripts what the command may run by name: each is looked at, too
 *
 * @example
 * ```ts
 * import { whyNoCheck } from "./no_check.ts";
 * import assert from "node:assert/strict";
 *
 * const scripts = new Map([["test:watch", "mocha -w"]]);
 * assert.equal(
 *   whyNoCheck("npm run test:watch", scripts),
 *   "`mocha -w`: it watches for changes and never ends",
 * );
 * assert.equal(whyNoCheck("mocha", scripts), undefined);
 * ```
 */
export function whyNoCheck(command: string, scripts: Named = new Map()): string | undefined {
  if (!provesSomething(command)) return "it tests nothing";
  return whyNot(command, scripts, new Set());
}

function whyNot(command: string, scripts: Named, seen: Set<string>): string | undefined {
  const commands = simpleCommands(command);
  const hidden = whyHidden(command, commands);
  if (hidden !== undefined) return hidden;
  for (const simple of commands) {
    const text = simple.words.join(" ");
    const reason = NEVER_ENDS.find(([pattern]) => pattern.test(text))?.[1];
    if (reason !== undefined) return `\`${text}\`: ${reason}`;
    for (const called of scriptCalls(simple, scripts)) {
      if (seen.has(called)) continue;
      seen.add(called);
      const below = whyNot(scripts.get(called) ?? "", scripts, seen);
      if (below !== undefined) return below;
    }
  }
  return undefined;
}

/** Why the exit code says nothing of what was tested. */
function whyHidden(command: string, commands: readonly SimpleCommand[]): string | undefined {
  const keepsPipes = /\bpipefail\b/.test(command);
  for (const [at, { words, next }] of commands.entries()) {
    const [program = ""] = words;
    const text = words.join(" ");
    const behind = commands[at + 1]?.words.join(" ") ?? "";
    if (!isTesting(words)) continue;
    const [reader = ""] = commands[at + 1]?.words ?? [];
    if (next === "|" && !keepsPipes && !PASSES_ON.test(program) && PASSES_ON.test(reader)) {
      return `\`${text} | ${reader}\`: the exit code is ${reader}'s, not that of what is tested`;
    }
    if (next === "||" && behind !== "" && !isTesting(commands[at + 1]?.words ?? [], true)) {
      return `\`${text} || ${behind}\`: it passes whatever fails`;
    }
    if (next === "&" && at === commands.length - 1) return `\`${text} &\`: nobody waits for it`;
    const isLastTest = commands.slice(at + 1).every((other) => !isTesting(other.words, true));
    if (next === ";" && isLastTest && behind !== "" && !/\bset -\w*e/.test(command)) {
      return `\`${text}; ${behind}\`: the exit code is that of what comes last`;
    }
  }
  return undefined;
}

/** Whether a command may fail because of the project. `exit 1` behind `||` fails, too. */
function isTesting(words: readonly string[], isBehind = false): boolean {
  const [program = "", argument] = words;
  if (program === "exit" || program === "return") return isBehind && argument !== "0";
  if (program === "false") return isBehind;
  return !["", ":", "echo", "printf", "true", "set", "cd"].includes(program);
}

/** Whether any part of a command is more than `echo`, `true` or `exit`. */
export function provesSomething(command: string): boolean {
  if (/no tests? (?:specified|defined|yet)/i.test(command)) return false;
  return simpleCommands(command).some(({ words }) => isTesting(words));
}

/** Whether a command rewrites what it finds instead of saying so. */
export function isFixing(command: string): boolean {
  return /\s--(?:fix|write|apply|autocorrect|auto-correct|unsafe-fixes)\b/.test(command);
}

/** Whether a command watches only at a terminal, and ends when the environment says `CI=true`. */
export function needsCi(command: string): boolean {
  if (/\breact-scripts test\b|\bvue-cli-service test:unit\b/.test(command)) return true;
  return /\bvitest\b/.test(command) && !/\bvitest (?:run|bench|list)\b|--run\b/.test(command);
}

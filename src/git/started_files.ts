/**
 * The project's files that git starts, or reads to know what to start: programs of its configuration, files that this
 * includes, hooks and what they name.
 * Rule: looks, and starts none of them; what one of them starts further down is not followed.
 */
import { dirname, join, relative, resolve } from "@std/path";
import { canonicalJson, sha256Hex } from "../platform/canonical_json.ts";
import { FileError } from "../platform/errors.ts";
import { lstatOrUndefined } from "../platform/files.ts";
import { decodeLossy } from "../platform/text.ts";
import type { Git } from "./run.ts";

/** What git's configuration says of programs. */
export interface GitSettings {
  /** Command lines, of filters, signing and the like. */
  commands: readonly string[];
  /** Files in the project that are, or would be, read as configuration; relative. */
  configurations: readonly string[];
  /** The project's own say in all of this, as one value. */
  own: string;
  /** The folder of the hooks, relative; undefined when it is outside of the project. */
  hooks: string | undefined;
  /** Folders of the user's PATH that are in the project, relative. */
  searched: readonly string[];
}

/** Files by path, relative to the root, each with a hash of what it is. */
export type StartedFiles = Record<string, string>;

/** The last part of a key whose value git starts. */
const COMMAND_KEY =
  /\.(?:clean|smudge|process|command|cmd|external|textconv|driver|fsmonitor|sshcommand|askpass|editor|pager|gitproxy|alternaterefscommand|program|defaultkeycommand|helper|packobjectshook|uploadpack|receivepack|vcs)$/;
const INCLUDE_KEY = /^include(?:if\..*)?\.path$/;
const HOOKS_KEY = "core.hookspath";

/** Files by which programs that are called by hooks know what to run. */
const HOOK_FILES =
  /^(?:\.pre-commit-config\.yaml|\.?lefthook(?:-local)?\.(?:ya?ml|toml|json)|\.lintstagedrc(?:\.\w+)?|lint-staged\.config\.\w+|\.overcommit\.yml|\.simple-git-hooks\.\w+)$/;

/** Where npm and the like look for programs first. */
const INSTALLED = "node_modules/.bin";

/** What a hook may be called. */
const HOOK_NAME = /^[a-z0-9-]+$/;

/** Hooks that run the scripts of package.json. */
const RUNS_SCRIPTS = /\b(?:npm|npx|pnpm|yarn|bun|bunx|lint-staged|simple-git-hooks)\b/;

/** The end of a text behind which a command begins, or a file that a program runs. */
const RUNNER =
  /(?:^|[\n;&|({`:]|(?:^|[\s;&|("'])(?:exec|command|env|sudo|if|then|do|else|source|\.|(?:ba|da|z|k)?sh|node|deno|bun|tsx|python[\d.]*|ruby|perl|php|lua|pwsh|run))(?:\s+-[\w-]+)*\s*$/;

/** Asks git for its settings, as the user's own git has them. @throws {GitError} {@linkcode NoGit} */
export async function readGitSettings(git: Git): Promise<GitSettings> {
  const args = ["config", "--list", "--show-origin", "-z"];
  const fields = (await git.readText(args, { asUser: true, startsNothing: true })).split("\0");
  const commands: string[] = [];
  const configurations = new Set<string>();
  const own: string[] = [];
  let hooks: string | undefined = join(".git", "hooks");
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [, origin] = /^file:(.*)$/s.exec(fields[index] ?? "") ?? [];
    // m31a's own settings, by which it turns hooks off, are from the command line.
    if (origin === undefined) continue;
    const setting = fields[index + 1] ?? "";
    const newline = setting.includes("\n") ? setting.indexOf("\n") : setting.length;
    const [key, value] = [setting.slice(0, newline), setting.slice(newline + 1)];
    const from = inProject(git.root, origin);
    if (from !== undefined && !from.startsWith(".git/")) configurations.add(from);
    const isInclude = INCLUDE_KEY.test(key);
    if (isInclude && !value.startsWith("~")) {
      const path = inProject(git.root, resolve(dirname(resolve(git.root, origin)), value));
      if (path !== undefined) configurations.add(path);
    }
    if (key === HOOKS_KEY) hooks = value.startsWith("~") ? undefined : inProject(git.root, value);
    if (COMMAND_KEY.test(key)) commands.push(value);
    if (from?.startsWith(".git/") && (isInclude || key === HOOKS_KEY || COMMAND_KEY.test(key))) {
      own.push(setting);
    }
  }
  // The project may be the user's home, or hold it; and git-lfs takes from the tree where it sends and fetches.
  const others = [
    ...git.userConfigurations,
    ...commands.some((command) => /\bgit[- ]lfs\b/.test(command)) ? [".lfsconfig"] : [],
  ];
  for (const path of others.flatMap((path) => inProject(git.root, path) ?? [])) {
    configurations.add(path);
  }
  // Folders of PATH that are in the project are among those that m31a takes nothing from.
  const { skipped } = await git.programs();
  const searched = skipped.flatMap(({ folder }) => inProject(git.root, folder) ?? []);
  return {
    commands,
    configurations: [...configurations],
    own: own.length === 0 ? "" : sha256Hex(canonicalJson(own.map((text) => text.toWellFormed()))),
    hooks,
    searched,
  };
}

/** What any git starts or reads: the programs of its configuration, and configuration itself. */
export function startedByGit(root: string, settings: GitSettings): StartedFiles {
  const names = [
    ...settings.configurations,
    ...settings.commands.flatMap((command) =>
      wordsOf(command).flatMap((word) => fileAt(root, word))
    ),
  ];
  const files = hashesOf(root, names);
  if (settings.own !== "") files[".git/config"] = settings.own;
  return files;
}

/** What a commit starts besides: hooks, what they name, and what tells them what to run. */
export function startedByCommit(root: string, settings: GitSettings): StartedFiles {
  const { hooks } = settings;
  // husky's `_` runs what is beside it.
  const folders = hooks === undefined ? [] : [hooks, hooks.replace(/\/_$/, "")];
  const inFolder = [...new Set(folders)].flatMap((folder) => filesOf(root, folder))
    .filter((path) => hooks !== "" || HOOK_NAME.test(path));
  const told = filesOf(root, "").filter((name) => HOOK_FILES.test(name));
  const own = [...inFolder, ...told].map((name) => textOf(root, name));
  const scripts = own.some((text) => RUNS_SCRIPTS.test(text)) ? fileAt(root, "package.json") : [];
  const texts = [...own, ...scripts.map((name) => textOf(root, name))];
  const searched = [...settings.searched, ...scripts.length === 0 ? [] : [INSTALLED]];
  const byName = searched.flatMap((folder) => {
    const there = new Set(filesOf(root, folder));
    return [...texts, ...settings.commands].flatMap(wordsOf)
      .map((word) => join(folder, word.slice(word.lastIndexOf("/") + 1)))
      .filter((path) => there.has(path));
  });
  return {
    ...startedByLines(root, own),
    ...hashesOf(root, [...inFolder, ...told, ...byName, ...scripts]),
  };
}

/** The project's files that command lines start: where a command begins, or behind a program that runs files. */
export function startedByLines(root: string, lines: readonly string[]): StartedFiles {
  const names = lines.flatMap((line) =>
    wordsOf(line).flatMap((word) => fileAt(root, word)).filter((path) => runs(line, path))
  );
  return hashesOf(root, names);
}

/** The paths that are in `now` and were not in `before`, or not so. */
export function changedSince(before: StartedFiles, now: StartedFiles): string[] {
  return Object.keys(now).filter((path) => before[path] !== now[path]).toSorted();
}

function hashesOf(root: string, names: readonly string[]): StartedFiles {
  const known = [...new Set(names)].toSorted().flatMap((name) => {
    const hash = hashOf(root, name);
    return hash === undefined ? [] : [[name.toWellFormed(), hash] as const];
  });
  return Object.fromEntries(known);
}

/** A hash of the file at a path, of what a link leads to, and of whether it may be executed; undefined when nothing is there. */
function hashOf(root: string, path: string): string | undefined {
  const full = join(root, path);
  const info = lookAt(root, path);
  if (info === undefined) return undefined;
  const link = info.isSymlink ? Deno.readLinkSync(full).toWellFormed() : "";
  const real = realFile(root, full);
  if (real === undefined) return sha256Hex(canonicalJson({ link }));
  const isExecutable = ((Deno.statSync(real).mode ?? 0) & 0o111) !== 0;
  return sha256Hex(
    canonicalJson({ link, isExecutable, content: sha256Hex(Deno.readFileSync(real)) }),
  );
}

/** Where a file of the project's really is; undefined when it is outside, or no file that can be read to its end. */
function realFile(root: string, full: string): string | undefined {
  try {
    const real = Deno.realPathSync(full);
    return inProject(root, real) !== undefined && Deno.statSync(real).isFile ? real : undefined;
  } catch (error) {
    // A link that leads nowhere, or to where nothing may be read.
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotCapable) return;
    if (error instanceof Deno.errors.PermissionDenied) return;
    throw error;
  }
}

function textOf(root: string, path: string): string {
  const real = realFile(root, join(root, path));
  return real === undefined ? "" : decodeLossy(Deno.readFileSync(real));
}

/** The words of a command line or a script, without what quotes and joins them. */
function wordsOf(text: string): string[] {
  return [...new Set(text.match(/[^\s"'`;|&(){}<>$=,[\]#!]+/g) ?? [])];
}

/** The file in the project that a word may mean: by its path, or with a folder in front that is not known here. */
function fileAt(root: string, word: string): string[] {
  const path = inProject(root, word) ?? inProject(root, word.replace(/^\/+/, ""));
  const info = path === undefined ? undefined : lookAt(root, path);
  return path === undefined || info === undefined || info.isDirectory ? [] : [path];
}

/** A path of the project's, relative to its root and empty for that; undefined when it is elsewhere. */
function inProject(root: string, path: string): string | undefined {
  const inside = relative(root, resolve(root, path));
  return inside === ".." || inside.startsWith("../") ? undefined : inside;
}

/** The files right in a folder of the project, but for git's samples. */
function filesOf(root: string, folder: string): string[] {
  if (!lookAt(root, folder)?.isDirectory) return [];
  return [...Deno.readDirSync(join(root, folder))]
    .filter(({ name, isDirectory }) => !isDirectory && !name.endsWith(".sample"))
    .map(({ name }) => join(folder, name));
}

/** What is at a path; undefined, too, where a word is no path that the system takes. */
function lookAt(root: string, path: string): Deno.FileInfo | undefined {
  try {
    return lstatOrUndefined(join(root, path));
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

/** Whether a text runs a file: names it where a command begins, or behind a program that runs files. */
function runs(text: string, path: string): boolean {
  for (let at = text.indexOf(path); at !== -1; at = text.indexOf(path, at + 1)) {
    const isPart = /[\w-]/.test(text.charAt(at - 1)) ||
      /^(?:[\w-]|\.\w)/.test(text.slice(at + path.length));
    // In front of it may stand `./`, a quote, or a variable with a folder.
    if (!isPart && RUNNER.test(text.slice(0, at).replace(/[^\s;&|(:]*$/, ""))) return true;
  }
  return false;
}

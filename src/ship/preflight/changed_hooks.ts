/**
 * Files that git itself runs at a commit, and that this session has changed: hooks, what they name, filters.
 * Rule: looks, and runs none of them; what a hook starts further down is not followed.
 */
import { createTwoFilesPatch } from "diff";
import { join, relative } from "@std/path";
import type { AddedLine } from "../../git/added_lines.ts";
import { readFileState } from "../../git/file_state.ts";
import type { Git } from "../../git/run.ts";
import { messageOf } from "../../platform/errors.ts";
import { lstatOrUndefined } from "../../platform/files.ts";
import { decodeLossy } from "../../platform/text.ts";

/** Files by which programs that are called by hooks know what to run. */
const HOOK_FILES =
  /^(?:\.husky\/.+|\.pre-commit-config\.yaml|\.?lefthook(?:-local)?\.(?:ya?ml|toml|json)|\.lintstagedrc(?:\.\w+)?|lint-staged\.config\.\w+|\.overcommit\.yml|\.simple-git-hooks\.\w+)$/;

/** Hooks that run the scripts of package.json. */
const RUNS_SCRIPTS = /\b(?:npm|npx|pnpm|yarn|bun|bunx|lint-staged|simple-git-hooks)\b/;

/** The end of a text behind which a command begins, or a file that a program runs. */
const RUNNER =
  /(?:^|[\n;&|({`:]|(?:^|[\s;&|("'])(?:exec|command|env|sudo|if|then|do|else|source|\.|(?:ba|da|z|k)?sh|node|deno|bun|tsx|python[\d.]*|ruby|perl|php|lua|pwsh|run))(?:\s+-[\w-]+)*\s*$/;

/**
 * Which of `touched` git would run, or what it runs would read for what to do.
 *
 * @param added lines that the session has added
 */
export async function changedHooks(
  git: Git,
  touched: readonly string[],
  added: readonly AddedLine[],
): Promise<string[]> {
  if (touched.length === 0) return [];
  // Asked as the commit asks it: other commands have hooks turned off by a setting, which would be the answer.
  const args = ["rev-parse", "--path-format=absolute", "--git-path", "hooks"];
  const folder = relative(git.root, (await git.writeText(args, { asUser: true })).trim());
  const hooks = `${folder.replace(/\/_$/, "")}/`;
  const filterArgs = ["config", "--get-regexp", "^filter\\..*\\.(clean|process)$"];
  const filters = (await git.readLineIfAny(filterArgs) ?? "").replaceAll(/^\S+ /gm, "");
  const names = [
    ...filesOf(git.root, folder),
    ...filesOf(git.root, hooks.slice(0, -1)),
    ...touched.filter((path) => HOOK_FILES.test(path)),
    ".pre-commit-config.yaml",
    "lefthook.yml",
  ];
  const texts = [filters, ...new Set(names).values().map((name) => textOf(git.root, name))];
  const usesFilter = added.some(({ path, text }) =>
    /(?:^|\/)\.gitattributes$/.test(path.text) && /\bfilter=/.test(text)
  );
  return touched.filter((path) =>
    path.startsWith(hooks) || HOOK_FILES.test(path) ||
    texts.some((text) => runs(text, path)) ||
    path === "package.json" && texts.some((text) => RUNS_SCRIPTS.test(text)) ||
    /(?:^|\/)\.gitattributes$/.test(path) && usesFilter && filters !== ""
  );
}

/** What the session has changed in them, as patches. */
export async function hookDifferences(git: Git, paths: readonly string[]): Promise<string> {
  const patches = await Promise.all(paths.map(async (path) => {
    const before = await git.readLineIfAny(["cat-file", "blob", `HEAD:${path}`]) ?? "";
    const after = textOf(git.root, path).replace(/\n$/, "");
    return createTwoFilesPatch(path, path, `${before}\n`, `${after}\n`);
  }));
  return patches.join("\n");
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

/** The files right in a folder of the project; none where it is elsewhere. */
function filesOf(root: string, folder: string): string[] {
  if (folder.startsWith("..") || !lstatOrUndefined(join(root, folder))?.isDirectory) return [];
  return [...Deno.readDirSync(join(root, folder))]
    .filter(({ name, isFile }) => isFile && !name.endsWith(".sample"))
    .map(({ name }) => `${folder}/${name}`);
}

function textOf(root: string, path: string): string {
  try {
    const state = readFileState(root, path);
    return state === undefined ? "" : decodeLossy(state.bytes);
  } catch (error) {
    return messageOf(error);
  }
}

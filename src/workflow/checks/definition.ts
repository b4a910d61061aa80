/**
 * What defines a check: scripts, recipes, the runner's configuration, programs of the repository that it starts.
 * Rule: all of it is read from one tree; what the tests themselves say is not part of it.
 */
import { posix } from "node:path";
import { sha256Hex } from "../../platform/canonical_json.ts";
import { recipesOf, targetsBelow, targetsOf } from "../detect/makefile.ts";
import { includedFiles, justSettings, makeSettings } from "../detect/make_settings.ts";
import { scriptCalls } from "../detect/script_calls.ts";
import { type SimpleCommand, simpleCommands } from "../detect/shell.ts";
import { type ToolFiles, toolsOf } from "./definition_tools.ts";
import { folderOf, isBelow, isWholly, mayConfigure } from "./tool_places.ts";
import { sectionText, textsAt, whereNamesLead } from "./sections.ts";
import { isTestFile } from "../../ship/checks/test_files.ts";

/** The files of a tree: the working tree's, or those of any git tree. */
export interface TreeReader {
  /** The paths of all files from the root, `/` between parts, without those that git ignores. */
  files(): Promise<readonly string[]>;
  /** The text of a file; `undefined` when there is none. */
  read(path: string): Promise<string | undefined>;
}

/** A part of what defines a check. */
export interface DefinitionPart {
  /** What it is, such as ``the script `test` ``. Together with the path it says which part it is. */
  what: string;
  path: string;
  text: string;
  /** The SHA-256 of `text`, for a record that does not keep it. */
  sha256: string;
  /** A new one defines nothing that was there before; one that changes does. */
  mayBeNew?: true;
}

/**
 * What defines a check in a tree, sorted by path.
 *
 * @param command the check's command, run in the tree's root
 */
export async function definitionOf(command: string, tree: TreeReader): Promise<DefinitionPart[]> {
  const reading = new DefinitionReading(tree, await tree.files());
  await reading.command(command, "");
  return reading.parts.toSorted((a, b) =>
    a.path < b.path ? -1 : a.path > b.path ? 1 : a.what < b.what ? -1 : 1
  );
}

const MANIFESTS = ["package.json", "deno.json", "deno.jsonc", "composer.json"] as const;

/** Commands that run a script in more than one package. */
const IN_PACKAGES =
  /\s(?:-r|--recursive|-ws|--workspaces?|-w|--filter|-F|foreach|run-many)\b|^(?:turbo|nx|lerna|wsrun|yarn workspaces?)\b/;

/** Programs that run a file. */
const INTERPRETERS =
  /^(?:sh|bash|zsh|dash|ksh|node|deno|bun|tsx|ts-node|python[\d.]*|ruby|perl|php|lua|Rscript|pwsh|\.|source)$/;

/** Options whose value is a file that says how something is checked. */
const CONFIG_OPTION =
  /^--?(?:c|f|r|p|config|configuration|config-file|env-file(?:-if-exists)?|rcfile|require|import|setup|project|settings|file|(?:experimental-)?loader|import-map|preset)(?:=(.+))?$/i;

class DefinitionReading {
  readonly parts: DefinitionPart[] = [];
  readonly #tree: TreeReader;
  readonly #files: ReadonlySet<string>;
  readonly #seen = new Set<string>();

  constructor(tree: TreeReader, files: readonly string[]) {
    this.#tree = tree;
    this.#files = new Set(files);
  }

  /** Reads what a command line runs, from a folder. */
  async command(line: string, folder: string): Promise<void> {
    let here = folder;
    for (const simple of simpleCommands(line)) {
      const [program = "", argument = ""] = simple.words;
      if (program === "cd") {
        here = joined(here, argument);
        continue;
      }
      await this.#scripts(simple, here);
      await this.#packages(simple, here);
      if (/^(?:g?make|just)$/.test(program)) await this.#targets(simple, here);
      await this.#named(simple, here);
      await this.#configuration(simple.words.join(" "), here);
    }
  }

  /** Adds a part; gives whether it is a new one. */
  #add(what: string, path: string, text: string | undefined, more: { mayBeNew?: true } = {}) {
    const key = `${path}\0${what}`;
    if (text === undefined || this.#seen.has(key)) return false;
    this.#seen.add(key);
    this.parts.push({ what, path, text, sha256: sha256Hex(text), ...more });
    return true;
  }

  async #scripts(simple: SimpleCommand, folder: string): Promise<void> {
    for (const name of MANIFESTS) {
      const path = joined(folder, name);
      if (!this.#files.has(path)) continue;
      const scripts = await this.#scriptsOf(path);
      const isComposer = simple.words[0] === "composer" || /^@/.test(simple.words[0] ?? "");
      if (isComposer !== (name === "composer.json")) continue;
      for (const script of scriptCalls(simple, scripts)) {
        for (const one of [`pre${script}`, script, `post${script}`]) {
          await this.#script(scripts, one, path);
        }
      }
    }
  }

  async #script(scripts: ReadonlyMap<string, string>, name: string, path: string): Promise<void> {
    const text = scripts.get(name);
    if (this.#add(`the script \`${name}\``, path, text)) {
      await this.command(text ?? "", folderOf(path));
    }
  }

  async #scriptsOf(path: string): Promise<Map<string, string>> {
    const text = await this.#tree.read(path) ?? "";
    return textsAt(path, text, path.includes("deno.json") ? "tasks" : "scripts");
  }

  /** Scripts that a workspace's command runs in its packages. */
  async #packages({ words }: SimpleCommand, folder: string): Promise<void> {
    if (!IN_PACKAGES.test(words.join(" "))) return;
    for (const path of this.#files) {
      if (posix.basename(path) !== "package.json" || !isBelow(path, folder)) continue;
      const scripts = await this.#scriptsOf(path);
      for (const word of words.slice(1)) await this.#script(scripts, word, path);
    }
  }

  async #targets({ words }: SimpleCommand, folder: string): Promise<void> {
    const [program = "", ...rest] = words;
    const at = rest.findIndex((word) => word === "-C" || word === "--directory");
    const here = at === -1 ? folder : joined(folder, rest[at + 1] ?? "");
    const given = rest.filter((_, place) => at === -1 || place < at || place > at + 1);
    const named = given.findIndex((word) => /^(?:-f|--(?:make|just)?file)$/.test(word));
    const names = program === "just"
      ? ["justfile", "Justfile", ".justfile"]
      : ["GNUmakefile", "makefile", "Makefile"];
    const path = (named === -1 ? names : [given[named + 1] ?? ""])
      .map((name) => joined(here, name)).find((name) => this.#files.has(name));
    if (path === undefined) return;
    const text = await this.#withIncluded(path, program === "just" ? justSettings : makeSettings);
    const targets = program === "just" ? recipesOf(text) : targetsOf(text);
    const wanted = given.filter((word) => targets.has(word));
    const first = [...targets.keys()].find((name) => !name.startsWith("."));
    for (const name of wanted.length > 0 ? wanted : first === undefined ? [] : [first]) {
      for (const below of targetsBelow(targets, name)) {
        const target = targets.get(below);
        if (target === undefined) continue;
        const rule = [
          `${below}: ${target.prerequisites.join(" ")}`.trimEnd(),
          ...target.recipe.map((line, index) =>
            target.ignoresFailure && index === target.recipe.length - 1 ? `\t-${line}` : `\t${line}`
          ),
        ].join("\n");
        if (!this.#add(`the target \`${below}\``, path, rule)) continue;
        await this.command(
          this.#expanded(rule, text, path).split("\n\t").slice(1).join("\n"),
          here,
        );
      }
    }
  }

  /** The text of a Makefile or a justfile with those that it reads; its settings and they are parts of the definition. */
  async #withIncluded(
    path: string,
    settingsOf: (text: string) => string | undefined,
  ): Promise<string> {
    const text = await this.#tree.read(path) ?? "";
    this.#add("the settings beside its recipes", path, settingsOf(text));
    const texts = [text];
    for (const included of includedFiles(text, folderOf(path), this.#files)) {
      if (this.#add("the file", included, await this.#tree.read(included))) {
        texts.push(await this.#withIncluded(included, settingsOf));
      }
    }
    return texts.join("\n");
  }

  /** A rule with the Makefile's variables put in; each variable is a part of the definition. */
  #expanded(rule: string, text: string, path: string, above: readonly string[] = []): string {
    return rule.replaceAll(/\$[({]([A-Za-z_]\w*)[)}]/g, (whole, name: string) => {
      const lines = [...text.matchAll(new RegExp(`^${name}[ \\t]*[:?+!]*=[ \\t]*(.*)$`, "gm"))];
      if (lines.length === 0 || above.includes(name)) return whole;
      this.#add(`the variable \`${name}\``, path, lines.map(([all]) => all).join("\n"));
      const value = lines.map(([, one = ""]) => one.trim()).join(" ");
      return this.#expanded(value, text, path, [...above, name]);
    });
  }

  /** Files of the repository that a command runs, or is configured by. */
  async #named({ words }: SimpleCommand, folder: string): Promise<void> {
    const [program = "", ...rest] = words;
    const options = rest.flatMap((word, at) => {
      const option = CONFIG_OPTION.exec(word);
      if (option === null) return [];
      const value = option[1] ?? rest[at + 1];
      return value === undefined ? [] : [value];
    });
    const script = INTERPRETERS.test(program)
      ? rest.find((word) => this.#fileNamed(word, folder) !== undefined)
      : program.includes("/")
      ? program
      : undefined;
    for (const word of [...options, ...(script === undefined ? [] : [script])]) {
      const path = this.#fileNamed(word, folder);
      if (path === undefined) continue;
      const text = await this.#tree.read(path);
      const isShell = /\.(?:ba|z|k)?sh$/.test(path) || /^#!.*\b(?:ba|z|da|k)?sh\b/.test(text ?? "");
      // A test that is run as a program (`node test.js`) is a test; a shell script only starts some.
      if (isTestFile(path) && !isShell) continue;
      if (!this.#add("the file", path, text) || word !== script) continue;
      if (isShell) await this.command((text ?? "").replaceAll(/^\s*#.*$/gm, ""), folder);
    }
  }

  #fileNamed(word: string, folder: string): string | undefined {
    const path = joined(folder, word);
    return [path, `${path}.js`, `${path}.ts`, `${path}/index.js`]
      .find((name) => this.#files.has(name));
  }

  async #configuration(command: string, folder: string): Promise<void> {
    for (const tool of toolsOf(command)) {
      for (const path of this.#files) {
        if (mayConfigure(tool, path, folder)) await this.#configured(tool, path, folder);
      }
    }
  }

  async #configured(tool: ToolFiles, path: string, folder: string): Promise<void> {
    const name = posix.basename(path);
    const isFile = isWholly(tool, path, folder);
    const sections = tool.sections.filter(([file]) => file.test(name));
    const leads = tool.leads?.filter(([file]) => file.test(name)) ?? [];
    const lines = tool.lines?.filter(([file]) => file.test(name)) ?? [];
    if (!isFile && sections.length + leads.length + lines.length === 0) return;
    const text = await this.#tree.read(path);
    if (text === undefined) return;
    if (isFile && this.#add("the file", path, text) && tool.startsOthers) {
      await this.#started(text, folder);
    }
    for (const [, ...keys] of sections) {
      this.#add(`\`${keys.join(".")}\``, path, sectionText(path, text, keys));
    }
    for (const [, ...keys] of leads) {
      for (const [one, target] of whereNamesLead(path, text, keys)) {
        this.#add(`where \`${one}\` of \`${keys.join(".")}\` leads`, path, target, {
          mayBeNew: true,
        });
      }
    }
    for (const [, pattern, what] of lines) {
      const found = [...text.matchAll(pattern)].map(([line]) => line);
      this.#add(what, path, found.length === 0 ? undefined : found.join("\n"));
    }
  }

  /** The configuration of runners that a tool's file names, as tox.ini names pytest. */
  async #started(text: string, folder: string): Promise<void> {
    for (const runner of ["pytest", "coverage"]) {
      if (text.includes(runner)) await this.#configuration(runner, folder);
    }
  }
}

function joined(folder: string, path: string): string {
  const full = posix.normalize(posix.join(folder, path)).replace(/\/$/, "");
  return full === "." ? "" : full;
}

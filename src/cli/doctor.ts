/**
 * `m31a doctor`: what protects this machine, what m31a found, and what is missing.
 * Rule: everything said here was tried or asked for just now; nothing is said from what should be so.
 */
import {
  type Configuration,
  CONFIGURATION_PATH,
  type FileTrust,
  readTrustedConfiguration,
} from "../agent/configuration.ts";
import { Sandbox } from "../agent/sandbox.ts";
import { NoGit } from "../git/errors.ts";
import { Git } from "../git/run.ts";
import type { Environment } from "../platform/environment.ts";
import { type ExitCode, M31aError, messageOf } from "../platform/errors.ts";
import { lstatOrUndefined } from "../platform/files.ts";
import { emptiedLoaderVariables } from "../platform/shell.ts";
import type { Finding } from "./doctor_finding.ts";
import { modelFindings } from "./doctor_model.ts";
import { permissionFindings } from "./doctor_permissions.ts";
import { printLine } from "../platform/output.ts";
import type { CommandContext } from "./command_context.ts";
import { createPaint, type StyleName, wantsColour } from "../faces/terminal/ansi.ts";

/** Prints the findings; resolves to 1 when something that is needed is missing. */
export async function run(
  options: { json?: true | undefined; offline?: true | undefined },
  context: CommandContext,
): Promise<ExitCode> {
  const findings = await examine(context, options.offline === true);
  const isComplete = findings.every(({ state }) => state !== "missing");
  if (options.json) {
    printLine(JSON.stringify({ root: Deno.cwd(), version: context.version, isComplete, findings }));
  }
  if (!options.json) printFindings(findings, context);
  return isComplete ? 0 : 1;
}

async function examine(context: CommandContext, isOffline: boolean): Promise<Finding[]> {
  return [
    { what: "m31a", state: "ok", detail: `${context.version}, Deno ${Deno.version.deno}` },
    await projectFinding(context.environment),
    ...await programFindings(context.environment),
    folderFinding("planning"),
    folderFinding("sessions"),
    ...permissionFindings(),
    ...await configuredFindings(context, isOffline),
    terminalFinding(context),
  ];
}

async function projectFinding(environment: Environment): Promise<Finding> {
  const root = Deno.cwd();
  if (lstatOrUndefined(".git") !== undefined) return { what: "project", state: "ok", detail: root };
  if (await isBare(root, environment)) {
    const detail =
      `${root} is a bare repository, which holds no files to work on; clone it: git clone ${root}`;
    return { what: "project", state: "missing", detail };
  }
  const detail = `${root} is not in a git repository; \`git init\` makes it one`;
  return { what: "project", state: "missing", detail };
}

/** Whether the folder is a git directory of its own, as git tells by what is in it. */
async function isBare(root: string, environment: Environment): Promise<boolean> {
  try {
    // A repository that is named needs no leave to be a bare one.
    const args = ["--git-dir=.", "rev-parse", "--is-bare-repository"];
    return await new Git(root, environment).readLineIfAny(args) === "true";
  } catch (error) {
    if (error instanceof NoGit) return false;
    throw error;
  }
}

/** git, the folders of PATH that m31a takes no program from, and what of the loader's it empties. */
async function programFindings(environment: Environment): Promise<Finding[]> {
  const git = new Git(Deno.cwd(), environment);
  const findings: Finding[] = [];
  try {
    const version = (await git.readText(["--version"])).trim().replace(/^git version /, "");
    const { found, skipped } = await git.programs();
    findings.push({ what: "git", state: "ok", detail: `${version}, ${found.get("git")}` });
    if (skipped.length > 0) {
      const detail = skipped.map(({ folder, why }) =>
        `m31a takes no program from ${folder}: ${why}`
      );
      findings.push({ what: "PATH", state: "note", detail: detail.join("\n") });
    }
  } catch (error) {
    findings.push({ what: "git", state: "missing", detail: `cannot be run: ${messageOf(error)}` });
  }
  const emptied = await emptiedLoaderVariables();
  if (emptied.length > 0) {
    const detail = `${emptied.join(", ")}: set, and empty for everything that m31a starts`;
    findings.push({ what: "loader", state: "note", detail });
  }
  return findings;
}

/** Whether one of m31a's two folders is there, and a real folder. */
function folderFinding(name: "planning" | "sessions"): Finding {
  const what = `${name}/`;
  const info = lstatOrUndefined(name);
  if (info === undefined) {
    return { what, state: "note", detail: "not there yet; `m31a init` creates it" };
  }
  if (info.isSymlink) {
    const detail = "is a symbolic link, which m31a refuses to read or write through";
    return { what, state: "missing", detail };
  }
  if (!info.isDirectory) return { what, state: "missing", detail: "is not a folder" };
  return { what, state: "ok", detail: "there" };
}

/** What depends on the configuration: it is read once, and when it makes no sense that is all there is to say. */
async function configuredFindings(
  { environment }: CommandContext,
  isOffline: boolean,
): Promise<Finding[]> {
  const what = "configuration";
  try {
    const configuration = await readTrustedConfiguration(Deno.cwd(), environment);
    const findings = [
      ...trustFindings(configuration.trust),
      await sandboxFinding(configuration, environment),
      ...await modelFindings(configuration, environment, isOffline),
    ];
    const isThere = lstatOrUndefined(CONFIGURATION_PATH) !== undefined;
    const detail = isThere ? CONFIGURATION_PATH : "all at their defaults";
    return [{ what, state: "ok", detail }, ...findings];
  } catch (error) {
    if (!(error instanceof M31aError)) throw error;
    return [{ what, state: "missing", detail: error.message }];
  }
}

/** Whether the file is trusted, where that matters. What follows is said of what is in force. */
function trustFindings({ state, settings }: FileTrust): Finding[] {
  if (state === "not needed") return [];
  const what = "trust";
  const keys = [...new Set(settings.map(({ key }) => key))].join(", ");
  if (state === "trusted") return [{ what, state: "ok", detail: `${keys}: trusted by you` }];
  const detail = `${keys}: not in force, because the file is not trusted on this machine; ` +
    "`m31a config` shows them, `m31a config --trust` trusts them";
  return [{ what, state: "note", detail }];
}

async function sandboxFinding(
  { sandbox: settings }: Configuration,
  environment: Environment,
): Promise<Finding> {
  const what = "sandbox";
  const sandbox = new Sandbox(Deno.cwd(), settings, environment);
  try {
    const isNone = await sandbox.kind() === "none";
    const isRefused = isNone && settings.mode === "require";
    const state = isRefused ? "missing" : isNone ? "note" : "ok";
    return { what, state, detail: await sandbox.describe() };
  } catch (error) {
    if (!(error instanceof M31aError)) throw error;
    return { what, state: "missing", detail: error.message };
  } finally {
    await sandbox.close();
  }
}

function terminalFinding(context: CommandContext): Finding {
  const what = "terminal";
  if (!Deno.stdout.isTerminal()) return { what, state: "ok", detail: "none: plain output" };
  const { columns, rows } = Deno.consoleSize();
  const colour = wantsColour(true, context.environment) ? "colour" : "no colour";
  const term = context.environment.TERM ?? "TERM is not set";
  return { what, state: "ok", detail: `${term}, ${columns} × ${rows}, ${colour}` };
}

const STYLES: Readonly<Record<Finding["state"], StyleName>> = {
  ok: "green",
  note: "yellow",
  missing: "red",
};

function printFindings(findings: readonly Finding[], context: CommandContext): void {
  const paint = createPaint(wantsColour(Deno.stdout.isTerminal(), context.environment));
  const width = Math.max(...findings.map(({ what }) => what.length));
  for (const { what, state, detail } of findings) {
    const mark = paint(state.padEnd("missing".length), STYLES[state]);
    const [first = "", ...rest] = detail.split("\n");
    printLine(`${mark}  ${paint(what.padEnd(width), "bold")}  ${paint(first)}`);
    const indent = " ".repeat("missing".length + width + 4);
    for (const line of rest) printLine(`${indent}${paint(line)}`);
  }
}

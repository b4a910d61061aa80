/**
 * Failures of a check that are the machine's, not the code's: it cannot start, cannot write its cache, has no network.
 * Rule: the words of the tools decide; each comes with the setting or the command that helps.
 */
import { stripControlSequences } from "../../platform/text.ts";

/** What of the environment failed. Nothing that a model changes in the code mends it. */
export type EnvironmentCause = "no_network" | "cannot_write_cache" | "cannot_start";

/** Services that tests talk to on this machine; in the sandbox they are not there. */
const SERVICE_PORTS = "(?:5432|3306|6379|27017|9200|5672|9092|11211|1433)";

/** Folders that tools keep below a person's home, and the part of the path that is to be writable. */
const CACHE_FOLDER =
  /(?:\/|~\/)(?:[^\s'"`:,()]*\/)?(?:\.cache|Library\/Caches|\.local\/share|\.local\/state|\.config)\/[\w.@-]+|(?:\/|~\/)(?:[^\s'"`:,()]*\/)?(?:\.(?:npm|cargo|rustup|gradle|m2|nuget|bun|yarn|dotnet|deno|ivy2|sbt|gem|bundle|composer|pub-cache|mix|hex|stack|cabal|pyenv|nvm|pnpm-store|swiftpm|konan|terraform\.d)|go\/pkg)(?![\w.-])/;

/** What says that a place is read-only, or may not be written. */
const READ_ONLY = String.raw`(?:[Rr]ead-only file system|EROFS|os error 30|Errno 30)`;
const DENIED = String.raw`(?:EACCES|[Pp]ermission denied|os error 13|Errno 13|is denied)`;

/** The words of each, those first that hide what comes after them. */
export const ENVIRONMENT_SIGNS: readonly (readonly [EnvironmentCause, RegExp])[] = [
  [
    "no_network",
    words(
      String.raw`\b(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|DNSResolveFailed)\b`,
      String.raw`[Cc]ould not resolve host|[Tt]emporary failure (?:in name resolution|resolving)`,
      String.raw`Name or service not known|nodename nor servname|no such host`,
      String.raw`[Nn]etwork is unreachable|failed to lookup address information|dns error`,
      String.raw`UnknownHostException|NewConnectionError|spurious network error`,
      String.raw`ERR_PNPM_META_FETCH_FAIL|Unable to load the service index for source`,
      String.raw`Could not transfer artifact|JSR package manifest for .* failed to load`,
      String.raw`Import 'https?://[^']*' failed|Could not fetch specs from`,
      String
        .raw`(?:registry|proxy|index|repo)[.\w-]*\.[a-z]+\S*.*(?:ECONNREFUSED|[Cc]onnection refused)`,
      String
        .raw`:${SERVICE_PORTS}\b.*[Rr]efused|(?:ECONNREFUSED|[Rr]efused).*[:\s]${SERVICE_PORTS}\b`,
    ),
  ],
  [
    "cannot_write_cache",
    words(
      // .git and planning/ are read-only in the sandbox on purpose: no setting is to change that.
      String.raw`^(?!.*/(?:\.git|planning)(?:/|['"\s]|$)).*${READ_ONLY}`,
      String.raw`(?:${CACHE_FOLDER.source}).*${DENIED}`,
      String.raw`${DENIED}.*(?:${CACHE_FOLDER.source})`,
      String.raw`[Ff]ailed to initialize (?:build )?cache at|Your cache folder contains root-owned`,
      String.raw`Could not create local repository at`,
    ),
  ],
  [
    "cannot_start",
    words(
      String.raw`^\S+: (?:line )?\d+: \S+: (?:command )?not found$|[Cc]ommand not found`,
      String.raw`^make(?:\[\d+\])?: [\w./@+-]+: (?:No such file or directory|Permission denied)$`,
      String.raw`\bError 127$|No rule to make target .*\.\s+Stop(?<!needed by.*)`,
      String.raw`^\S*python[\d.]*: No module named \S+|error: unrecognized arguments: --`,
      String.raw`[Mm]issing script:|npx canceled due to missing packages|ERR_PNPM_NO_SCRIPT`,
      String.raw`could not determine executable to run|Couldn't find a script named`,
      String.raw`Command "[^"]+" not found|This project is configured to use \w+`,
      String.raw`Couldn't find the node_modules state file|Deno expects the node_modules/`,
      String.raw`Cannot find module '[^']*node_modules/[^']*/bin/`,
      String.raw`error: no such (?:sub)?command|is not installed for the toolchain`,
      String.raw`toolchain '[^']*' is not installed|requires go >= [\d.]+ \(running`,
      String.raw`vendor/autoload\.php.*(?:No such file|Failed)|Failed to spawn: `,
      String.raw`JAVA_HOME is not |Unable to locate a Java Runtime|org\.gradle\.wrapper\.`,
      String.raw`compatible \.NET SDK was not found|No \.NET SDKs were found`,
      String.raw`Unchecked dependencies for environment|Could not find Hex|InterpreterNotFound`,
      String.raw`Cannot connect to the Docker daemon|\bspawn \S+ ENOENT`,
      String.raw`Executable doesn't exist at .*playwright|Cypress binary is missing`,
      String.raw`No binary for \w+ browser`,
    ),
  ],
];

/** Whether the cause of a failure is the machine's. */
export function isEnvironmentCause(cause: string): cause is EnvironmentCause {
  return ENVIRONMENT_SIGNS.some(([known]) => known === cause);
}

/** What installs what a project needs, by the command that lacks it. */
const INSTALLERS: readonly (readonly [RegExp, string])[] = [
  [/\bpnpm\b/, "pnpm install"],
  [/\byarn\b/, "yarn install"],
  [/\bbunx?\b/, "bun install"],
  [/\bnp[mx]\b|\bnode\b/, "npm ci"],
  [/\bdeno\b/, "deno install"],
  [/\buv\b/, "uv sync"],
  [/\bpoetry\b/, "poetry install"],
  [/\bpdm\b/, "pdm install"],
  [/\bpipenv\b/, "pipenv install --dev"],
  [/\bbundle\b/, "bundle install"],
  [/\bcomposer\b|\bvendor\/bin\//, "composer install"],
  [/\bmix\b/, "mix deps.get"],
];

/** What a failure of the environment is, and what helps. */
export interface EnvironmentFailure {
  cause: EnvironmentCause;
  /** A sentence for the person, with the setting or the command. */
  help: string;
}

/**
 * What of the environment a failed check tells of; `undefined` when nothing.
 *
 * Tests that ran and failed may tell of it, too: then it is a hint, and not the cause.
 *
 * @example
 * ```ts
 * import { environmentFailure } from "./environment.ts";
 * import assert from "node:assert/strict";
 *
 * const output = "error: failed to open `/home/u/.cache/uv/x`: Read-only file system (os error 30)";
 * assert.deepEqual(environmentFailure({ command: "uv run pytest", exitCode: 2, output }), {
 *   cause: "cannot_write_cache",
 *   help: 'It cannot write to ~/.cache/uv: set [tools] writable = ["~/.cache/uv"] in planning/config.toml.',
 * });
 * ```
 */
export function environmentFailure(
  { command, exitCode, output }: { command: string; exitCode: number | null; output: string },
): EnvironmentFailure | undefined {
  const text = stripControlSequences(output);
  const sign = ENVIRONMENT_SIGNS.find(([, pattern]) => pattern.test(text));
  const cause = sign?.[0] ?? (exitCode === 127 ? "cannot_start" : undefined);
  if (cause === undefined) return undefined;
  const line = text.split("\n").find((one) => sign?.[1].test(one)) ?? "";
  return { cause, help: HELP[cause](line, command) };
}

const HELP: Readonly<Record<EnvironmentCause, (line: string, command: string) => string>> = {
  no_network: () =>
    "It needs the network, which commands in the sandbox do not have: set [tools] network = true in planning/config.toml.",
  cannot_write_cache: (line) => {
    const folder = folderIn(line);
    const place = folder ?? "the folder that it names";
    return `It cannot write to ${place}: set [tools] writable = ["${
      folder ?? "~/…"
    }"] in planning/config.toml.`;
  },
  cannot_start: (line, command) => {
    const program = missingProgram(line);
    const what = program === undefined
      ? "It cannot start: what it needs is not installed here."
      : `It cannot start: ${program} is not installed here.`;
    const installer = INSTALLERS.find(([pattern]) => pattern.test(command))?.[1];
    const how = installer === undefined ? "Install it" : `Install it ("${installer}")`;
    return `${what} ${how}, or name another check in planning/config.toml, [ship.checks].`;
  },
};

/** The folder to make writable: a tool's own below the home, else the one that holds the file. */
function folderIn(line: string): string | undefined {
  const path = CACHE_FOLDER.exec(line)?.[0] ??
    /(?<=[\s'"`(:])(?:\/|~\/)[^\s'"`:,()]+(?=\/[^\s'"`:,()/]+)/.exec(` ${line}`)?.[0];
  return path?.replace(/^(?:\/root|\/(?:home|Users)\/[^/]+)(?=\/)/, "~");
}

/** The program or module that a line says is missing. */
function missingProgram(line: string): string | undefined {
  const name = /([\w./@+-]+): (?:command )?not found\s*$/.exec(line)?.[1] ??
    /[Cc]ommand not found: (\S+)/.exec(line)?.[1] ??
    /^make(?:\[\d+\])?: (\S+): No such file/.exec(line)?.[1] ??
    /No module named '?([\w.]+)/.exec(line)?.[1] ??
    /Command "([^"]+)" not found/.exec(line)?.[1] ??
    /no such (?:sub)?command: [`'](\S+)[`']/.exec(line)?.[1] ??
    /Failed to spawn: [`'](\S+)[`']/.exec(line)?.[1] ??
    /\bspawn (\S+) ENOENT/.exec(line)?.[1];
  return name === undefined ? undefined : `\`${name}\``;
}

function words(...alternatives: readonly string[]): RegExp {
  return new RegExp(alternatives.join("|"), "m");
}

/**
 * What a session has made of files that git ignores, and no clone has.
 * Rule: what is wholly its own is no part of a proof; where it changed what was there before, that is taken along and
 * named. Caches say nothing of the project, and what checks write to their outputs they write in a clone, too.
 */
import { join } from "@std/path";
import { isDependency } from "../../agent/sandbox_proof.ts";
import { ignoredEntries } from "../../git/checkout.ts";
import type { Git } from "../../git/run.ts";
import { WorkFailed } from "../../platform/errors.ts";
import { lstatOrUndefined, removeIfExists, writeAtomically } from "../../platform/files.ts";
import { runProcess } from "../../platform/processes.ts";
import { decodeLossy } from "../../platform/text.ts";
import type { Maker, MakingTimes } from "../making_times.ts";
import { isOwn } from "./own_folders.ts";

/** Entries that git ignores, as {@linkcode ignoredEntries} names them. */
export interface IgnoredWork {
  /** The session made all of it. */
  made: string[];
  /** It was there before, or is a folder of dependencies or outputs, and commands of the session changed it. */
  changed: string[];
}

/** Files that interpreters, runners and linters keep to be quicker, by what each of them writes; nothing else counts as one. */
const CACHE_FILE = new RegExp(
  [
    String.raw`__pycache__/[^/]+\.pyc`,
    String
      .raw`\.pytest_cache/(?:README\.md|CACHEDIR\.TAG|\.gitignore|v/cache/(?:lastfailed|nodeids|stepwise))`,
    String.raw`\.ruff_cache/(?:CACHEDIR\.TAG|\.gitignore|[\d.]+/\d+)`,
    String
      .raw`\.mypy_cache/(?:CACHEDIR\.TAG|\.gitignore|missing_stubs|[\d.]+/.+\.(?:data|meta)(?:\.json|\.ff)?|[\d.]+/@plugins_snapshot\.json)`,
    String.raw`\.(?:es|style)lintcache`,
    String.raw`[^/]+\.tsbuildinfo`,
    String.raw`\.DS_Store`,
  ].map((file) => `(?:^|/)${file}$`).join("|"),
);

/** What builds and runners write. */
const OUTPUT =
  /(?:^|\/)(?:build|dist|out|target|bin|obj|_build|\.build|\.next|\.nuxt|\.output|\.svelte-kit|zig-out|\.zig-cache|zig-cache|\.cache|\.turbo|\.parcel-cache|\.tox|\.nox|\.gradle|\.dart_tool|\.hypothesis|coverage|htmlcov|\.nyc_output|\.coverage|coverage\.\w+|lcov\.info|junit\.xml|(?:test|playwright|allure)-(?:results?|reports?)|reports?|[^/]+\.egg-info|[^/]+\.log|logs?|te?mp)$/;

/** So many paths are given to a shell at once: a command line has a limit. */
const PATHS_A_SHELL = 500;

/**
 * Looks for what was made while commands and checks of the session ran.
 *
 * @param scratch a folder that m31a may write to; nothing stays in it
 * @throws {WorkFailed} when it cannot be looked for
 */
export async function ignoredWork(
  git: Git,
  times: MakingTimes,
  scratch: string,
): Promise<IgnoredWork> {
  const work: IgnoredWork = { made: [], changed: [] };
  const { sinceMs } = times;
  if (sinceMs === undefined) return work;
  const entries = (await ignoredEntries(git)).filter(({ isUtf8, text }) => isUtf8 && !isOwn(text))
    .map(({ text }) => text);
  const found = await changedSince(git, entries, sinceMs, scratch);
  const makers = new Map(
    found.filter((path) => !CACHE_FILE.test(path)).flatMap((path) => {
      const maker = makerOf(lstatOrUndefined(join(git.root, path)), times);
      return maker === undefined ? [] : [[path, maker] as const];
    }),
  );
  for (const entry of entries) {
    const below = [...makers].filter(([path]) => path === entry || path.startsWith(`${entry}/`));
    if (below.length === 0) continue;
    const isOfCommand = below.some(([, maker]) => maker === "command");
    const isOfTools = isDependency(entry) || OUTPUT.test(entry);
    const isWhole = !isOfTools &&
      (await filesOf(git, [entry], [])).every((path) => makers.has(path) || CACHE_FILE.test(path));
    if (isWhole) work.made.push(entry);
    else if (isOfCommand) work.changed.push(entry);
  }
  return work;
}

/** Only the time of a file's state cannot be set at will, and it is known by the second alone. */
function makerOf(info: Deno.FileInfo | undefined, times: MakingTimes): Maker | undefined {
  const stateMs = info?.ctime?.getTime();
  if (stateMs === undefined) return undefined;
  const contentMs = info?.mtime?.getTime() ?? 0;
  const isSameSecond = Math.floor(contentMs / 1000) === Math.floor(stateMs / 1000);
  return isSameSecond
    ? times.makerBetween(contentMs, contentMs)
    : times.makerBetween(stateMs, stateMs + 999);
}

/** Files and links at or below `entries` whose state has changed since a time. */
async function changedSince(
  git: Git,
  entries: readonly string[],
  sinceMs: number,
  scratch: string,
): Promise<string[]> {
  if (entries.length === 0) return [];
  const reference = join(scratch, `${crypto.randomUUID()}.since`);
  writeAtomically(reference, "", 0o600);
  try {
    // A second too early: what is found is looked at more closely.
    const seconds = Math.floor(sinceMs / 1000) - 1;
    Deno.utimeSync(reference, seconds, seconds);
    return await filesOf(git, entries, ["-cnewer", reference]);
  } finally {
    removeIfExists(reference);
  }
}

const FIND = `
root=$1; condition=$2; reference=$3; shift 3
cd -- "$root" || exit 1
for path; do
  case $path in -*) path=./$path ;; esac
  [ -e "$path" ] || [ -L "$path" ] || continue
  if [ -n "$condition" ]; then set -- "$condition" "$reference"; else set --; fi
  find "$path" \\( -type f -o -type l \\) "$@" -print0 || exit 1
done`;

async function filesOf(
  git: Git,
  entries: readonly string[],
  [condition = "", reference = ""]: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (let start = 0; start < entries.length; start += PATHS_A_SHELL) {
    const { code, stdout, stderr } = await runProcess({
      script: FIND,
      args: [git.root, condition, reference, ...entries.slice(start, start + PATHS_A_SHELL)],
      env: { PATH: (await git.programs()).searchPath },
    });
    if (code !== 0) {
      const why = decodeLossy(stderr).trim().split("\n")[0] ?? "";
      throw new WorkFailed(`what git ignores cannot be looked through: ${why}`);
    }
    found.push(...decodeLossy(stdout).split("\0").filter((path) => path !== ""));
  }
  return found.map((path) => path.replace(/^\.\//, ""));
}

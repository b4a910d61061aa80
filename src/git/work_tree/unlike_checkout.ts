/**
 * What stands in the working tree otherwise than a checkout of its tree would put it there, though git calls both the
 * same: line ends, what filters make, permissions, the case of names, folders without a file, other repositories.
 * Rule: files are read only where attributes or the configuration make git convert them; what it ignores is not looked at.
 */
import { Buffer } from "node:buffer";
import { posix } from "node:path";
import { allEnded } from "../../platform/all_ended.ts";
import { lstatOrUndefined } from "../../platform/files.ts";
import { decodeLatin1 } from "../../platform/text.ts";
import { GitError } from "../errors.ts";
import { textOf } from "./classify.ts";
import { type Converted, convertedNames } from "./converted.ts";
import { type ByteName, type IndexEntry, pathOf } from "./index_file.ts";
import { UNHURRIED_MS } from "./look.ts";
import { nulEnded, type OwnFiles } from "./own_files.ts";
import { otherNames, type Unlike } from "./other_names.ts";
import { hashFiles } from "./read_files.ts";

type Entries = ReadonlyMap<ByteName, IndexEntry>;

/**
 * Compares the tree that was taken last with a checkout of it.
 *
 * @param entries what that tree holds
 * @param apart folders at the root that are not looked at
 */
export async function unlikeCheckout(
  own: OwnFiles,
  entries: Entries,
  apart: readonly string[],
  signal?: AbortSignal,
): Promise<Unlike[]> {
  const [beside, settings] = await allEnded([entriesBeside(own, apart), readSettings(own)]);
  const converted = await convertedNames(own, [...entries.keys()].filter(isFile(entries)), {
    autocrlf: settings.get("core.autocrlf") ?? "false",
    eol: settings.get("core.eol") ?? "native",
  });
  return [
    ...beside,
    ...oddModes(own, entries),
    ...(settings.get("core.ignorecase") === "true" ? otherNames(own.git.root, entries.keys()) : []),
    ...await otherContents(own, entries, converted, signal),
  ];
}

function isFile(entries: Entries): (name: ByteName) => boolean {
  return (name) => entries.get(name)?.mode.startsWith("100") ?? false;
}

/** Folders without a file, and repositories of their own: git lists them with a `/` at their end. */
async function entriesBeside(own: OwnFiles, apart: readonly string[]): Promise<Unlike[]> {
  const args = ["ls-files", "-z", "--others", "--directory", "--exclude-standard"];
  const { stdout } = await own.run(args, { timeoutMs: UNHURRIED_MS });
  return decodeLatin1(stdout).split("\0").filter((name) => name !== "").flatMap((name) => {
    const { text } = pathOf(name);
    if (apart.some((folder) => text.startsWith(`${folder}/`))) return [];
    if (!text.endsWith("/")) return [{ path: text, what: "is not in it" }];
    const folder = `${own.git.root}/${text}`;
    if (lstatOrUndefined(`${folder}.git`) !== undefined) {
      return [{ path: text, what: "is a repository of its own" }];
    }
    return holdsOnlyIgnored(folder) ? [] : [{ path: text, what: "is a folder without a file" }];
  });
}

/** Of a folder of which git names no file: whether it has some all the same, which it ignores. */
function holdsOnlyIgnored(folder: string): boolean {
  if (lstatOrUndefined(`${folder}/.git`) !== undefined) return false;
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    if (!isDirectory || holdsOnlyIgnored(`${folder}/${name}`)) return true;
  }
  return false;
}

/** The settings that are asked here, as git has them last. */
async function readSettings(own: OwnFiles): Promise<Map<string, string>> {
  const args = ["config", "-z", "--get-regexp", "^core\\.(autocrlf|eol|ignorecase)$"];
  const { stdout } = await own.git.run("read", args, { okCodes: [0, 1], startsNothing: true });
  const lines = decodeLatin1(stdout).split("\0").map((line) => line.toLowerCase().split("\n"));
  return new Map(lines.map(([name = "", value = "true"]) => [name, value]));
}

const PERMISSIONS = 0o7777;

/**
 * Files with permissions that a checkout does not give. It gives those of the umask; what most files of the tree have is
 * taken for the same, since a tree can be older than the umask, or on a file system without permissions.
 */
function oddModes({ git }: OwnFiles, entries: Entries): Unlike[] {
  const found: { path: string; kind: string; mode: number }[] = [];
  const folders = new Set<string>();
  let last = "";
  for (const [name, { mode: kind }] of entries) {
    if (!kind.startsWith("100")) continue;
    const path = textOf(name);
    if (path === undefined) continue;
    const mode = lstatOrUndefined(`${git.root}/${path}`)?.mode;
    if (typeof mode === "number") found.push({ path, kind, mode: mode & PERMISSIONS });
    if (path.startsWith(last) && !path.includes("/", last.length)) continue;
    let at = posix.dirname(path);
    last = at === "." ? "" : `${at}/`;
    for (; at !== "." && !folders.has(at); at = posix.dirname(at)) folders.add(at);
  }
  for (const path of folders) {
    const mode = lstatOrUndefined(`${git.root}/${path}`)?.mode;
    // That new files take the group of a folder is no matter of what may be read.
    if (typeof mode === "number") found.push({ path, kind: FOLDER, mode: mode & 0o777 });
  }
  const umask = Deno.build.os === "windows" ? 0 : Deno.umask();
  const usual = new Map([FOLDER, "100644", "100755"].map((kind) => {
    const full = kind === "100644" ? 0o666 : 0o777;
    return [kind, new Set([full & ~umask, mostFrequent(found, kind)])];
  }));
  return found.filter(({ kind, mode }) => usual.get(kind)?.has(mode) === false)
    .map(({ path, mode }) => ({ path, what: `has the permissions ${mode.toString(8)}` }));
}

const FOLDER = "folder";

function mostFrequent(
  found: readonly { kind: string; mode: number }[],
  kind: string,
): number | undefined {
  const times = new Map<number, number>();
  for (const one of found) {
    if (one.kind === kind) times.set(one.mode, (times.get(one.mode) ?? 0) + 1);
  }
  const [most, second] = [...times].sort(([, a], [, b]) => b - a);
  // Two or three files do not say what is usual.
  return most === undefined || most[1] < USUAL_FROM || most[1] === second?.[1]
    ? undefined
    : most[0];
}

/** From so many files on, the most frequent permissions are the usual ones. */
const USUAL_FROM = 4;

/** Files whose bytes a checkout would write otherwise. */
async function otherContents(
  own: OwnFiles,
  entries: Entries,
  { onCheckout, onlyLineEnds }: Converted,
  signal?: AbortSignal,
): Promise<Unlike[]> {
  // Where git only takes carriage returns away, a file as large as its blob has lost none.
  const sizes = await sizesOf(own, entries, onlyLineEnds);
  const shrunk = onlyLineEnds.filter((name) => sizes.get(name) !== entries.get(name)?.sizeBytes);
  const asked = [...onCheckout, ...shrunk];
  if (asked.length === 0) return [];
  return await own.withFolder(async (folder) => {
    const options = { timeoutMs: UNHURRIED_MS, ...(signal === undefined ? {} : { signal }) };
    const args = ["checkout-index", "--quiet", "-z", "--stdin", `--prefix=${folder}/`];
    try {
      await own.run(args, { stdin: nulEnded(asked), ...options });
    } catch (error) {
      // A filter that fails, or a content that is too large to be kept: what was not written has no id below.
      if (!(error instanceof GitError) || error.timedOut) throw error;
    }
    const prefix = Buffer.from(`${folder}/`).toString("latin1");
    const both = asked.flatMap((name) => [name, prefix + name]);
    const ids = await hashFiles({ own, ...(signal && { signal }) }, ["--no-filters"], both);
    return asked.filter((name) => {
      const id = ids.get(name);
      return id === undefined || id !== ids.get(prefix + name);
    }).map((name) => ({ path: pathOf(name).text, what: "has other line ends or another filter" }));
  });
}

/** The sizes of contents as git stores them, by name. */
async function sizesOf(
  own: OwnFiles,
  entries: Entries,
  names: readonly ByteName[],
): Promise<Map<ByteName, number>> {
  if (names.length === 0) return new Map();
  const stdin = new TextEncoder().encode(
    names.map((name) => `${entries.get(name)?.blob}\n`).join(""),
  );
  const { stdout } = await own.run(["cat-file", "--batch-check=%(objectsize)"], {
    stdin,
    timeoutMs: UNHURRIED_MS,
  });
  const lines = decodeLatin1(stdout).split("\n");
  return new Map(names.map((name, at) => [name, Number(lines[at])]));
}

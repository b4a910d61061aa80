/**
 * Taking files of the tree into the own index, and keeping what they hold.
 * Rule: git reads the files; what it cannot take is named and stops nothing else.
 */
import { Buffer } from "node:buffer";
import { lstatOrUndefined } from "../../platform/files.ts";
import { GitError } from "../errors.ts";
import { type Kind, textOf } from "./classify.ts";
import { filteredNames } from "./filtered.ts";
import type { ByteName, IndexEntry } from "./index_file.ts";
import { type Looked, UNHURRIED_MS } from "./look.ts";
import { nulEnded, type OwnFiles, type RawIds } from "./own_files.ts";

/** How often a file is read that changes meanwhile. */
const TRIES = 3;

/** What the reading is done with. */
export interface Reading {
  own: OwnFiles;
  /** The index that is changed. */
  index: string;
  /** Of files up to this size the contents are kept, as they are in the tree. */
  keepBytes: number;
  rawIds: RawIds;
  unknown: Map<ByteName, string>;
  signal?: AbortSignal;
}

/** Brings the index to what `looked` says. */
export async function readFiles(reading: Reading, looked: Looked): Promise<void> {
  const { own, unknown } = reading;
  const kinds = looked.candidates;
  const removed = [...looked.dropped];
  const added: ByteName[] = [];
  for (const [name, { kind }] of kinds) {
    if (kind === "missing" || kind === "other" || kind === "folder" && !isRepository(own, name)) {
      removed.push(name);
    } else added.push(name);
    if (kind === "other") unknown.set(name, "is neither a file nor a link");
  }
  await updateIndex(reading, ["--force-remove"], removed);
  await setEntries(reading, looked.outside);
  for (const name of [...removed, ...added]) reading.rawIds.delete(name);
  await addFiles(reading, added, kinds);
}

/**
 * Takes `names` into the index.
 *
 * @param kinds what is at each of them
 */
export async function addFiles(
  reading: Reading,
  names: readonly ByteName[],
  kinds: ReadonlyMap<ByteName, Kind>,
  tries = TRIES,
): Promise<void> {
  if (names.length === 0) return;
  const { own, index, keepBytes, unknown } = reading;
  const isLarge = (kind: Kind | undefined) => kind?.kind === "file" && kind.sizeBytes > keepBytes;
  const large = names.filter((name) => isLarge(kinds.get(name)));
  const small = names.filter((name) => !isLarge(kinds.get(name)));
  const take = ["--add", "--remove", "--replace"];
  await updateIndex(reading, take, small);
  await updateIndex(reading, [...take, "--info-only"], large);
  const entries = own.entriesOf(index);
  for (const name of names) {
    const isRefused = !entries.has(name) && !unknown.has(name) && isThere(own, name);
    if (isRefused) unknown.set(name, "git takes no file of this name");
  }
  const files = small.filter((name) => kinds.get(name)?.kind === "file" && entries.has(name));
  const changing = await keepRaw(reading, files, entries);
  if (tries > 1) return await addFiles(reading, changing, kinds, tries - 1);
  for (const name of changing) unknown.set(name, "was changed while it was read");
}

/**
 * Keeps the unfiltered contents of files that are in the index already.
 *
 * @returns those that have changed since git took them
 */
async function keepRaw(
  reading: Reading,
  files: readonly ByteName[],
  entries: ReadonlyMap<ByteName, IndexEntry>,
): Promise<ByteName[]> {
  const raw = await hashFiles(reading, ["-w", "--no-filters"], files);
  const isStored = (name: ByteName) => raw.get(name) === entries.get(name)?.blob;
  const differing = files.filter((name) => !isStored(name));
  // That a filter leaves a content as it is has to be known, too.
  for (const name of await filteredNames(reading.own, files.filter(isStored))) {
    const blob = entries.get(name)?.blob ?? "";
    reading.rawIds.set(name, [blob, blob]);
  }
  // A filter's work has two ids; so has a file that was changed in between.
  const filtered = await hashFiles(reading, [], differing);
  const changing: ByteName[] = [];
  for (const name of differing) {
    const blob = entries.get(name)?.blob ?? "";
    const id = raw.get(name);
    if (id === undefined || filtered.get(name) !== blob) changing.push(name);
    else reading.rawIds.set(name, [blob, id]);
  }
  return changing;
}

/**
 * The ids of files' contents; those that cannot be read have none.
 *
 * @param names below the root, or absolute
 */
export async function hashFiles(
  { own, signal }: Pick<Reading, "own" | "signal">,
  options: readonly string[],
  names: readonly ByteName[],
): Promise<Map<ByteName, string>> {
  const ids = new Map<ByteName, string>();
  await inHalves(names, async (some) => {
    const stdin = Buffer.from(some.map(quotedLine).join(""), "latin1");
    const { stdout } = await own.run(["hash-object", ...options, "--stdin-paths"], {
      stdin,
      timeoutMs: UNHURRIED_MS,
      ...(signal === undefined ? {} : { signal }),
    });
    const lines = Buffer.from(stdout).toString("latin1").split("\n");
    some.forEach((name, index) => ids.set(name, lines[index] ?? ""));
  }, () => {});
  return ids;
}

async function updateIndex(
  { own, index, unknown, signal }: Reading,
  options: readonly string[],
  names: readonly ByteName[],
): Promise<void> {
  await inHalves(names, async (some) => {
    await own.run(["update-index", ...options, "-z", "--stdin"], {
      index,
      stdin: nulEnded(some),
      timeoutMs: UNHURRIED_MS,
      ...(signal === undefined ? {} : { signal }),
    });
  }, (name, error) => unknown.set(name, whyNot(error)));
}

async function setEntries({ own, index }: Reading, entries: Looked["outside"]): Promise<void> {
  if (entries.size === 0) return;
  const lines = [...entries].map(([name, { mode, blob }]) => `${mode} ${blob}\t${name}`);
  await own.run(["update-index", "-z", "--index-info"], { index, stdin: nulEnded(lines) });
}

/** git stops at the first file that it cannot take. Halving finds each of them. */
async function inHalves(
  names: readonly ByteName[],
  take: (names: readonly ByteName[]) => Promise<void>,
  onFailure: (name: ByteName, error: GitError) => void,
): Promise<void> {
  const [first] = names;
  if (first === undefined) return;
  try {
    await take(names);
  } catch (error) {
    if (!(error instanceof GitError) || error.timedOut) throw error;
    if (names.length === 1) return onFailure(first, error);
    const half = Math.ceil(names.length / 2);
    await inHalves(names.slice(0, half), take, onFailure);
    await inHalves(names.slice(half), take, onFailure);
  }
}

function whyNot(error: GitError): string {
  const [, why] = /: (Permission denied|[^:\n]+)$/m.exec(error.stderr.split("\n", 1)[0] ?? "") ??
    [];
  return `cannot be read${why === undefined ? "" : `: ${why}`}`;
}

/** A submodule, or a repository where one was: git takes its commit. */
function isRepository({ git }: OwnFiles, name: ByteName): boolean {
  const text = textOf(name);
  return text !== undefined && lstatOrUndefined(`${git.root}/${text}/.git`) !== undefined;
}

function isThere({ git }: OwnFiles, name: ByteName): boolean {
  const text = textOf(name);
  return text === undefined || lstatOrUndefined(`${git.root}/${text}`) !== undefined;
}

/** A name as `hash-object --stdin-paths` reads it: in quotes, with escapes, only where a line could not hold it. */
function quotedLine(name: ByteName): string {
  if (!/^"|[\n\r]/.test(name)) return `${name}\n`;
  const escaped = name.replace(
    /["\\\n\r]/g,
    (letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return `"${escaped}"\n`;
}

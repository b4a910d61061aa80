/**
 * What is in the tree, and what of it is not as the own index has it.
 * Rule: as costly as one `git status`; no file is read but where its times alone cannot tell.
 */
import { allEnded } from "../../platform/all_ended.ts";
import { decodeLatin1 } from "../../platform/text.ts";
import { classify, type Kind } from "./classify.ts";
import type { ByteName, IndexEntry } from "./index_file.ts";
import type { OwnFiles } from "./own_files.ts";

/** git is given this long for whatever has to be read, in milliseconds. It can always be interrupted. */
export const UNHURRIED_MS = 60 * 60_000;

/** What was found. */
export interface Looked {
  /** Compared with the tree at this time or later, in milliseconds. */
  verifiedMs: number;
  /** To be read: changed since, or not in the own index yet; and what is there now. */
  candidates: Map<ByteName, Kind>;
  /** To be left out from now on: deleted, ignored by now, or not to be followed. */
  dropped: ByteName[];
  /** Outside of a sparse checkout: as the user's index has them. */
  outside: Map<ByteName, Pick<IndexEntry, "mode" | "blob">>;
  /** What cannot be looked into, by path, and why. */
  unknown: Map<ByteName, string>;
}

/**
 * Looks at the tree: what the user's index names, and what git neither knows nor ignores.
 *
 * @param entries what the own index holds
 * @param apart folders at the root that are not followed
 */
export async function lookAtTree(
  own: OwnFiles,
  entries: ReadonlyMap<ByteName, IndexEntry>,
  apart: readonly string[],
  signal?: AbortSignal,
): Promise<Looked> {
  const verifiedMs = own.fileTimeMs();
  const options = { timeoutMs: UNHURRIED_MS, ...(signal === undefined ? {} : { signal }) };
  const all = ["ls-files", "-v", "--cached", "--others", "--exclude-standard", "-z"];
  const excludes = apart.map((folder) => `--exclude=/${folder}/`);
  const [listed, compared] = await allEnded([
    own.git.run("read", [...all, ...excludes], options),
    own.run(["diff-files", "--raw", "-z", "--no-renames", "--ignore-submodules=dirty"], options),
  ]);
  const unknown = unreadFolders(decodeLatin1(listed.stderr));
  const changes = parseRaw(compared.stdout);
  const candidates = new Set<ByteName>();
  const names: ByteName[] = [];
  const outside = new Set<ByteName>();
  let inIndex = 0;
  const prefixes = apart.map((folder) => `${folder}/`);
  for (const line of split(listed.stdout)) {
    const name = line.slice(2);
    if (prefixes.some((prefix) => name.startsWith(prefix))) continue;
    if (name.endsWith("/")) {
      unknown.set(name.slice(0, -1), "is a repository of its own");
      continue;
    }
    // A path in conflict is listed once a side.
    if (name === names.at(-1)) continue;
    names.push(name);
    if (entries.has(name)) inIndex += 1;
    else candidates.add(name);
    const isOutside = line.startsWith("S") || line.startsWith("s");
    if (isOutside && (!entries.has(name) || changes.get(name) === "gone")) outside.add(name);
  }
  const known = inIndex === entries.size ? entries : new Set(names);
  const dropped = known === entries ? [] : [...entries.keys()].filter((name) => !known.has(name));
  for (const [name, change] of changes) {
    // What a sparse checkout leaves out is not deleted.
    const isKnown = known.has(name) || candidates.has(name);
    if (!isKnown || outside.has(name)) continue;
    if (change === "gone") dropped.push(name);
    if (change === "changed") candidates.add(name);
  }
  const kinds = await classify(own.git, [...candidates]);
  // What the user has deleted is in the user's index still.
  for (const [name, { kind }] of kinds) {
    if (kind === "missing" && !entries.has(name)) kinds.delete(name);
  }
  return {
    verifiedMs,
    candidates: kinds,
    dropped,
    outside: await entriesOutside(own, outside, entries),
    unknown,
  };
}

/** Reads `--raw -z --no-renames`: `:modes ids status NUL name NUL`. A path in conflict has more than one line. */
function parseRaw(output: Uint8Array): Map<ByteName, "gone" | "changed"> {
  const fields = split(output);
  const changes = new Map<ByteName, "gone" | "changed">();
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const mode = fields[index]?.split(" ", 2)[1];
    changes.set(fields[index + 1] ?? "", mode === "000000" ? "gone" : "changed");
  }
  return changes;
}

/** What the user's index has at `names`, where ours has something else. */
async function entriesOutside(
  own: OwnFiles,
  names: ReadonlySet<ByteName>,
  entries: ReadonlyMap<ByteName, IndexEntry>,
): Promise<Looked["outside"]> {
  const outside: Looked["outside"] = new Map();
  if (names.size === 0) return outside;
  for (const line of split(await own.git.read(["ls-files", "--stage", "-z"]))) {
    const name = line.slice(line.indexOf("\t") + 1);
    const [mode = "", blob = ""] = line.split(" ", 2);
    const ours = entries.get(name);
    if (names.has(name) && (ours?.mode !== mode || ours.blob !== blob)) {
      outside.set(name, { mode, blob });
    }
  }
  return outside;
}

function split(output: Uint8Array): string[] {
  const fields = decodeLatin1(output).split("\0");
  fields.pop();
  return fields;
}

/** git lists what it can and warns of folders that it may not read. */
function unreadFolders(stderr: string): Map<ByteName, string> {
  const found = stderr.matchAll(/^warning: could not open directory '(.*)\/': (.*)$/gm);
  return new Map([...found].map(([, name = "", why = ""]) => [name, `cannot be read: ${why}`]));
}

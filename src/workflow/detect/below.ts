/**
 * Packages in folders below the root: `backend/` and `frontend/`, `services/a`.
 * Rule: their checks run in their folder and are named by it; what is found and not run is said.
 */
import type { DetectedCheck, DetectedEcosystem, LeftOut, ManifestProblem } from "./detected.ts";
import type { ManifestReader } from "./detected.ts";
import { FOREIGN_FOLDERS } from "./look.ts";
import { type Manifests, shellWord } from "./manifests.ts";
import { workspaceFolders } from "./node_workspaces.ts";

/** What one folder's manifests tell. */
interface FolderChecks {
  ecosystems: readonly DetectedEcosystem[];
  checks: readonly DetectedCheck[];
}

/** Folders that hold samples or help, not the project's own packages. */
const NO_PACKAGES: ReadonlySet<string> = new Set([
  ...["examples", "example", "samples", "sample", "demo", "demos", "docs", "doc", "website"],
  ...["test", "tests", "testdata", "fixtures", "__fixtures__", "e2e", "spec", "templates"],
  ...["scripts", "tools", "benchmarks", "benchmark", "bench"],
]);

/** How deep packages lie at most: `packages/server`. */
const MAX_DEPTH = 2;

/** More packages than this are a collection, not one project's parts. */
const MAX_PACKAGES = 20;

/**
 * The packages below the root, where the root itself has no test.
 *
 * @param detect what the manifests in a folder tell, given a reader of that folder
 */
export function checksBelow(
  manifests: Manifests,
  root: FolderChecks,
  detect: (
    reader: ManifestReader,
  ) => FolderChecks & { problems: readonly ManifestProblem[]; leftOut: readonly LeftOut[] },
): FolderChecks {
  const { reader } = manifests;
  const covered = new Set(workspaceFolders(manifests));
  const types = new Set(root.ecosystems.map(({ type }) => type));
  const rootTests = root.checks.some(({ name }) => name === "test");
  const found = foldersBelow(reader).filter((folder) => !covered.has(folder)).flatMap((folder) => {
    const inner = detect(readerOf(reader, folder));
    const isPackage = inner.ecosystems.some(({ type }) => type !== "Make");
    return isPackage ? [{ folder, ...inner }] : [];
  }).filter(({ folder }, _, all) => !all.some((other) => folder.startsWith(`${other.folder}/`)));
  if (rootTests) {
    const strange = found.filter(({ ecosystems }) =>
      ecosystems.every(({ type }) => !types.has(type))
    );
    for (const { folder, checks } of strange) {
      const test = checks.find(({ name }) => name === "test");
      if (test === undefined) continue;
      const reason = `the root has tests of its own; to run these too, add ` +
        `"cd ${shellWord(folder)} && ${test.command}" to planning/config.toml, [ship.checks]`;
      manifests.leftOut.push({ source: folder, what: "the package in it", reason });
    }
    return { ecosystems: [], checks: [] };
  }
  if (found.length > MAX_PACKAGES) {
    const reason = `${found.length} packages lie below the root, more than ${MAX_PACKAGES}; ` +
      "name the checks that matter in planning/config.toml, [ship.checks]";
    manifests.leftOut.push({ source: ".", what: "what is in its folders", reason });
    return { ecosystems: [], checks: [] };
  }
  if (found.length === 0 && root.checks.length === 0 && goesDeeper(reader)) {
    const reason = `packages are looked for in folders at most ${MAX_DEPTH} deep; ` +
      "name the checks that matter in planning/config.toml, [ship.checks]";
    manifests.leftOut.push({ source: ".", what: "what lies deeper", reason });
  }
  for (const { folder, problems, leftOut } of found) {
    manifests.problems.push(...problems.map((it) => ({ ...it, path: `${folder}/${it.path}` })));
    manifests.leftOut.push(...leftOut.map((it) => ({ ...it, source: `${folder}/${it.source}` })));
  }
  const hasAtRoot = new Set(root.checks.map(({ name }) => name));
  return {
    ecosystems: found.flatMap(({ ecosystems }) => ecosystems)
      .toSorted((a, b) => b.evidence - a.evidence),
    checks: found.flatMap(({ folder, checks }) =>
      checks.filter(({ name }) => !hasAtRoot.has(name)).map((check) => inFolder(check, folder))
    ),
  };
}

/** A check of a package as one of the whole project's. */
function inFolder(check: DetectedCheck, folder: string): DetectedCheck {
  return {
    ...check,
    command: `cd ${shellWord(folder)} && ${check.command}`,
    source: `${folder}/${check.source}`,
    folder,
  };
}

function foldersBelow(reader: ManifestReader): string[] {
  const found: string[] = [];
  const visit = (folder: string, depth: number) => {
    for (const name of [...reader.folders(folder)].sort()) {
      if (name.startsWith(".") || FOREIGN_FOLDERS.has(name) || NO_PACKAGES.has(name)) continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      found.push(path);
      if (depth < MAX_DEPTH) visit(path, depth + 1);
    }
  };
  visit("", 1);
  return found;
}

/** Whether there are folders below those that are looked into. */
function goesDeeper(reader: ManifestReader): boolean {
  return foldersBelow(reader).some((folder) =>
    folder.split("/").length === MAX_DEPTH && reader.folders(folder).length > 0
  );
}

/** A reader of a folder as if it were a root. */
function readerOf(reader: ManifestReader, folder: string): ManifestReader {
  const below = (path: string) => path === "" ? folder : `${folder}/${path}`;
  return {
    list: (path = "") => reader.list(below(path)),
    folders: (path = "") => reader.folders(below(path)),
    read: (path) => reader.read(below(path)),
  };
}

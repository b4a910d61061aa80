/**
 * Workspaces of npm, pnpm, yarn and bun: the packages below a root, and the checks that they share.
 * Rule: one command for all packages where the manager has one that runs no watcher; else one after the other.
 */
import { CHECK_NAMES, type CheckName, type DetectedCheck } from "./detected.ts";
import { type JsonManifest, type Manifests, shellWord } from "./manifests.ts";
import { needsCi } from "./no_check.ts";
import { checksAmongScripts } from "./scripts.ts";

/** The folders of the packages of a workspace, without the root's own; none where it is no workspace. */
export function workspaceFolders(manifests: Manifests): string[] {
  const { reader } = manifests;
  const patterns = patternsOf(manifests);
  const isIn = (folder: string) => {
    const matching = patterns.filter((pattern) => globOf(pattern.replace(/^!/, "")).test(folder));
    return matching.length > 0 && !matching.some((pattern) => pattern.startsWith("!"));
  };
  const deepest = Math.max(
    0,
    ...patterns.map((pattern) => pattern.includes("**") ? Infinity : pattern.split("/").length),
  );
  const found: string[] = [];
  const visit = (folder: string, depth: number) => {
    for (const name of [...reader.folders(folder)].sort()) {
      if (name.startsWith(".") || name === "node_modules") continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      if (isIn(path) && reader.list(path).includes("package.json")) found.push(path);
      if (depth < deepest) visit(path, depth + 1);
    }
  };
  if (deepest > 0) visit("", 1);
  return found;
}

function patternsOf(manifests: Manifests): string[] {
  const ofPnpm = pnpmPackages(manifests.text("pnpm-workspace.yaml") ?? "");
  if (ofPnpm.length > 0) return ofPnpm.map(normal);
  for (
    const [path, keys] of [
      ["package.json", ["workspaces"]],
      ["package.json", ["workspaces", "packages"]],
      ["lerna.json", ["packages"]],
    ] as const
  ) {
    if (!manifests.has(path)) continue;
    const patterns = manifests.quietJson(path)?.texts(...keys) ?? [];
    if (patterns.length > 0) return patterns.map(normal);
  }
  return [];
}

function normal(pattern: string): string {
  return pattern.replace(/^(!?)\.\//, "$1").replace(/\/+$/, "");
}

/** The list below `packages:` of a pnpm-workspace.yaml, as a block or in brackets. */
function pnpmPackages(text: string): string[] {
  const inBrackets = /^packages:\s*\[([^\]]*)\]/m.exec(text)?.[1]?.split(",");
  const block = /^packages:[ \t]*(?:#.*)?\r?\n((?:[ \t]*(?:-.*|#.*)?(?:\r?\n|$))*)/m.exec(text)?.[1]
    ?.split(/\r?\n/).flatMap((line) => /^\s*-\s*(.*)$/.exec(line)?.[1] ?? []);
  return (inBrackets ?? block ?? []).map((item) =>
    item.replace(/\s+#.*$/, "").trim().replace(/^(["'])(.*)\1$/, "$2")
  ).filter((item) => item !== "");
}

function globOf(pattern: string): RegExp {
  const source = pattern.split("/").map((part) =>
    part === "**" ? ".*" : part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", "[^/]*")
  ).join("/").replaceAll("/.*/", "/(?:.*/)?");
  return new RegExp(`^${source}$`);
}

interface Package {
  folder: string;
  manifest: JsonManifest;
  scripts: ReadonlyMap<string, string>;
}

/** The checks that packages of a workspace bring, for the names that the root has no check of. */
export function workspaceChecks(
  manifests: Manifests,
  packageManager: string,
  has: (name: CheckName) => boolean,
): DetectedCheck[] {
  const packages = workspaceFolders(manifests).flatMap((folder): Package[] => {
    const manifest = manifests.json(`${folder}/package.json`);
    if (manifest === undefined) return [];
    const scripts = new Map(
      manifest.keys("scripts").map((name) => [name, manifest.text("scripts", name) ?? ""]),
    );
    return [{ folder, manifest, scripts }];
  });
  const judged = packages.map((one) => ({ ...one, ...checksAmongScripts(one.scripts) }));
  for (const { manifest, leftOut } of judged) {
    for (const { script, reason } of leftOut) {
      const source = manifest.place("scripts", script);
      manifests.leftOut.push({ source, what: `the script \`${script}\``, reason });
    }
  }
  return CHECK_NAMES.filter((name) => !has(name)).flatMap((name): DetectedCheck[] => {
    const own = judged.flatMap((one) =>
      one.checks.filter((check) => check.name === name).map(({ script }) => ({ ...one, script }))
    );
    const [first] = own;
    if (first === undefined) return [];
    const { script } = first;
    const isShared = own.every((one) => one.script === script) &&
      judged.every(({ leftOut }) => !leftOut.some((other) => other.script === script));
    const isPartial = own.length < packages.length;
    const shared = isShared
      ? sharedCommand(manifests, packageManager, script, isPartial)
      : undefined;
    const command = shared ??
      own.map((one) => `(cd ${shellWord(one.folder)} && ${packageManager} run ${one.script})`).join(
        " && ",
      );
    const ci = own.some((one) => needsCi(one.scripts.get(one.script) ?? ""));
    return [{
      name,
      command: !ci
        ? command
        : shared === undefined
        ? `export CI=true; ${command}`
        : `CI=true ${shared}`,
      source: first.manifest.place("scripts", script),
    }];
  });
}

/** The manager's command that runs a script in each package that has it; `undefined` where there is none. */
function sharedCommand(
  manifests: Manifests,
  packageManager: string,
  script: string,
  isPartial: boolean,
): string | undefined {
  if (packageManager === "npm") {
    return `npm run ${script} --workspaces${isPartial ? " --if-present" : ""}`;
  }
  if (packageManager === "pnpm") return `pnpm -r run ${script}`;
  if (packageManager === "bun") return `bun run --filter '*' ${script}`;
  if (manifests.has(".yarnrc.yml")) return `yarn workspaces foreach --all run ${script}`;
  // The first yarn stops at a package without the script.
  return isPartial ? undefined : `yarn workspaces run ${script}`;
}

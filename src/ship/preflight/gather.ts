/**
 * Looks at the repository and at the session's files: the facts that the preflight checks judge.
 * Rule: nothing is changed; what cannot be looked at in the repository's condition is left out.
 */
import { notTrusted } from "../../agent/git_guard.ts";
import type { AddedLine } from "../../git/added_lines.ts";
import { pendingDiff } from "../../git/diff.ts";
import type { Git } from "../../git/run.ts";
import type { DiffMetrics } from "../../git/numstat.ts";
import { type GitPath, gitPath } from "../../git/path.ts";
import { ignoredPaths, readRepositoryState, type RepositoryState } from "../../git/state.ts";
import { submoduleChanges, submodulePaths } from "../../git/submodules.ts";
import { lstatOrUndefined } from "../../platform/files.ts";
import type { Baseline } from "../../session/baseline.ts";
import { metricsOf } from "../metrics.ts";
import type { Touched } from "../touched_files.ts";
import type { ChangeFacts, PreflightFacts, WorkFacts } from "./facts.ts";
import { changedHooks } from "./changed_hooks.ts";
import { changedSince, dirtyBefore } from "./kept_contents.ts";
import { findSecrets } from "./secrets.ts";

/** Above this a changed file is large. */
const LARGE_BYTES = 5_000_000;

/** What is looked at. */
export interface PreflightRequest {
  git: Git;
  work: WorkFacts;
  touched: readonly Touched[];
  /** More files that are to be committed: those of planning/. */
  more: readonly GitPath[];
  /** The repository as the session found it. */
  began: Baseline["repository"];
  /** What of the session's changes could not be told. */
  untold: ChangeFacts["untold"];
  /** The commit that this session made before, if any. */
  lastCommit: string | undefined;
  /** A folder that m31a may write to. */
  scratch: string;
  nowMs: number;
}

/** Gathers the facts. */
export async function gatherFacts(request: PreflightRequest): Promise<PreflightFacts> {
  const repository = await readRepositoryState(request.git, request.nowMs);
  // With the index locked nothing can be compared, and the lock blocks anyway.
  const isReadable = repository !== undefined && repository.indexLock === undefined;
  const changes = isReadable ? await gatherChanges(request, repository) : undefined;
  const beganOn = request.began?.branch ?? undefined;
  return { work: request.work, repository, beganOn, changes };
}

async function gatherChanges(
  request: PreflightRequest,
  repository: RepositoryState,
): Promise<ChangeFacts> {
  const { git, touched, scratch } = request;
  const paths = touched.map(({ path }) => gitPath(path));
  // What is in a submodule, or behind a link, cannot be compared here.
  const inSubmodule = await submodulePaths(git, paths);
  const apart = new Set(inSubmodule.map(({ path }) => path.text));
  const own = touched.filter(({ path }) => !apart.has(path));
  const ownPaths = own.map(({ path }) => gitPath(path));
  const [pending, ignored, submodules, dirty, since] = await Promise.all([
    pendingDiff(git, [...ownPaths, ...request.more], scratch),
    ignoredPaths(git, ownPaths.filter(({ text }) => isThere(git, text))),
    submoduleChanges(git),
    dirtyFiles(request, repository, own),
    changedSince(git, own),
  ]);
  return {
    isFirstCommit: repository.head === undefined,
    changedFiles: pending.metrics.files.length,
    metrics: metricsOf(pending.metrics),
    addedLines: pending.addedLines,
    secrets: await findSecrets(pending.addedLines),
    ignored: ignored.map(({ text }) => text),
    inSubmodule: inSubmodule.map(({ path, submodule }) => ({ path: path.text, submodule })),
    dirtySubmodules: submodules.changed,
    unseenSubmodules: submodules.unseen,
    dirtyBefore: dirty,
    changedSince: since,
    changedHooks: await unseenHooks(request, ownPaths, pending.addedLines),
    dependencies: dependenciesIn(pending.metrics, request.more),
    untold: request.untold,
    large: largeFiles(git, pending.metrics),
  };
}

/** With the flag that lets them through, all of them, so that it is told. */
async function unseenHooks(
  { git, began, work }: PreflightRequest,
  touched: readonly GitPath[],
  added: readonly AddedLine[],
): Promise<string[]> {
  const session = { before: began?.runs, touched: touched.map(({ text }) => text), added };
  const changed = await changedHooks(git, session);
  const isTold = work.overrides.has("--changed-hooks");
  return Object.keys(isTold ? changed : notTrusted(git.root, changed));
}

async function dirtyFiles(
  { git, began, lastCommit }: PreflightRequest,
  repository: RepositoryState,
  touched: readonly Touched[],
): Promise<string[]> {
  const bases = [lastCommit, repository.head, began?.head].filter((commit) =>
    commit !== undefined && commit !== null
  );
  const usable: string[] = [];
  for (const base of new Set(bases)) {
    // A commit that was taken back may be gone.
    const exists = await git.readLineIfAny(["rev-parse", "-q", "--verify", `${base}^{commit}`]);
    if (exists !== undefined) usable.push(base);
  }
  return await dirtyBefore(git, touched, usable);
}

function isThere(git: Git, path: string): boolean {
  return lstatOrUndefined(`${git.root}/${path}`) !== undefined;
}

/** Folders that an installation fills and that no project commits. */
const INSTALLED = /^(?:.*\/)?(?:node_modules|bower_components|\.venv|venv|\.pnpm-store)(?=\/)/;

function dependenciesIn(
  { files }: DiffMetrics,
  included: readonly GitPath[],
): ChangeFacts["dependencies"] {
  const wanted = new Set(included.map(({ text }) => text));
  const counts = new Map<string, number>();
  for (const { path, status } of files) {
    const [folder] = INSTALLED.exec(path.text) ?? [];
    if (status !== "added" || folder === undefined || wanted.has(path.text)) continue;
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].map(([folder, files]) => ({ folder, files }));
}

function largeFiles(git: Git, { files }: DiffMetrics): ChangeFacts["large"] {
  return files.flatMap(({ path, status }) => {
    if (status === "deleted" || !path.isUtf8) return [];
    const sizeBytes = lstatOrUndefined(`${git.root}/${path.text}`)?.size ?? 0;
    return sizeBytes > LARGE_BYTES ? [{ path: path.text, sizeBytes }] : [];
  });
}

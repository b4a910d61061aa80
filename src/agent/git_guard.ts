/**
 * A session's guard of what git may start: what it began with, and what the user has said yes to since.
 * Rule: a yes is for what was shown; where nobody can be asked, the answer is no.
 */
import { createTwoFilesPatch } from "diff";
import { readFileState } from "../git/file_state.ts";
import { guardGit, startedNow } from "../git/guard.ts";
import { Git } from "../git/run.ts";
import { changedSince, type StartedFiles } from "../git/started_files.ts";
import { canonicalJson } from "../platform/canonical_json.ts";
import type { Environment } from "../platform/environment.ts";
import { messageOf, UsageError } from "../platform/errors.ts";
import { decodeLossy } from "../platform/text.ts";
import type { Baseline } from "../session/baseline.ts";
import { readBaseline } from "../session/epoch_files.ts";
import { listEpochs } from "../session/layout.ts";
import type { ApprovalAnswer } from "./approval.ts";
import type { OpenApproval } from "./tool.ts";
import { isTrusted, recordTrust } from "./trust_store.ts";

/** Whose git it is, and who can be asked. */
export interface GuardedSession {
  /** The project's root, a real path. */
  root: string;
  environment: Environment;
  /** What the session began with; one of an earlier version does not say what git would have started. */
  repository: Baseline["repository"];
  /** Left out where nobody can be asked. */
  askUser?: ((request: OpenApproval) => Promise<ApprovalAnswer>) | undefined;
}

/** Guards every git of this process in the session's project. */
export function guardSession(guarded: GuardedSession): void {
  const { root, repository, askUser } = guarded;
  if (repository?.runs === undefined) return;
  const answers = new Map<string, Promise<boolean>>();
  const isAllowed = async (changed: StartedFiles) => {
    const open = notTrusted(root, changed);
    const paths = Object.keys(open);
    if (paths.length === 0) return true;
    if (askUser === undefined) return false;
    const key = canonicalJson(open);
    const answer = answers.get(key) ?? ask(guarded, askUser, open);
    answers.set(key, answer);
    return await answer;
  };
  guardGit(root, { before: repository.runs, isAllowed });
}

/** Guards the session of that id, which is not opened by a conversation. */
export function guardById(root: string, environment: Environment, id: string): void {
  guardSession({ root, environment, repository: repositoryOf(root, id) });
}

function repositoryOf(root: string, id: string): Baseline["repository"] {
  return readBaseline(root, id, listEpochs(root, id).at(-1) ?? 0).baseline.repository;
}

async function ask(
  { root, environment }: GuardedSession,
  askUser: NonNullable<GuardedSession["askUser"]>,
  changed: StartedFiles,
): Promise<boolean> {
  const paths = Object.keys(changed);
  const { decision } = await askUser({
    tool: "git",
    summary: `let git start, outside of the sandbox, what was changed: ${paths.join(", ")}`,
    detail: await startedDifferences(new Git(root, environment), paths),
    scope: { keys: [], words: "these files as they are now" },
    id: crypto.randomUUID(),
    signal: new AbortController().signal,
  });
  if (decision === "no") return false;
  await trustStarted(root, environment, changed);
  return true;
}

/** Those that the user has not said yes to as they are. */
export function notTrusted(root: string, changed: StartedFiles): StartedFiles {
  return Object.fromEntries(
    Object.entries(changed).filter(([path, hash]) => {
      const text = textOf(path, hash);
      return !unkept.has(root + text) && !isTrusted(root, text);
    }),
  );
}

/** The user has said that git may start what is there now, be it changed since session `id` began. */
export async function trustAllStarted(
  root: string,
  environment: Environment,
  id: string,
): Promise<void> {
  const before = repositoryOf(root, id)?.runs;
  if (before === undefined) return;
  const now = await startedNow(new Git(root, environment));
  const paths = changedSince(before, now);
  await trustStarted(
    root,
    environment,
    Object.fromEntries(paths.map((path) => [path, now[path] ?? ""])),
  );
}

/** The user's yes where it cannot be kept, for as long as this process goes on. */
const unkept = new Set<string>();

/** Keeps the user's yes. */
async function trustStarted(
  root: string,
  environment: Environment,
  changed: StartedFiles,
): Promise<void> {
  try {
    for (const [path, hash] of Object.entries(changed)) {
      await recordTrust(root, environment, textOf(path, hash));
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    for (const [path, hash] of Object.entries(changed)) unkept.add(root + textOf(path, hash));
  }
}

function textOf(path: string, hash: string): string {
  return canonicalJson({ startedByGit: path, hash });
}

/** What differs in such files from the last commit, as patches. Nothing is started for it. */
export async function startedDifferences(git: Git, paths: readonly string[]): Promise<string> {
  const patches = await Promise.all(paths.map(async (path) => {
    if (path === ".git/config") {
      return ".git/config: names other programs now. See: git config --list --show-origin";
    }
    const args = ["cat-file", "blob", `HEAD:${path}`];
    const before = await git.readLineIfAny(args, { startsNothing: true }) ?? "";
    const after = contentOf(git.root, path).replace(/\n$/, "");
    return createTwoFilesPatch(path, path, `${before}\n`, `${after}\n`);
  }));
  return patches.join("\n");
}

function contentOf(root: string, path: string): string {
  try {
    const state = readFileState(root, path);
    return state === undefined ? "" : decodeLossy(state.bytes);
  } catch (error) {
    return messageOf(error);
  }
}

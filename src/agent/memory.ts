/**
 * What a session with a goal is given of the past: git's commits and the ledger's sessions brought together.
 * Rule: a repository whose history cannot be read gives a digest without it, and that is said.
 */
import { GitError, NoGit } from "../git/errors.ts";
import { headCommit, readHistory } from "../git/history.ts";
import { projectName } from "../git/project.ts";
import { Git } from "../git/run.ts";
import type { Digest } from "../ledger/digest.ts";
import {
  HISTORY_BOUNDS,
  type HistoryBounds,
  type KnownCommits,
  knownCommits,
  NO_COMMITS,
} from "../ledger/past/known_commits.ts";
import type { LedgerEntry } from "../ledger/entry.ts";
import { projectDigest } from "../ledger/project_digest.ts";
import { pulledEntries, pullEntries } from "../ledger/team/pull.ts";
import { UsageError, WorkFailed } from "../platform/errors.ts";
import type { Environment } from "../platform/environment.ts";
import { readTrustedConfiguration } from "./configuration.ts";
import { expectTeamLedger } from "./team_ledger.ts";
import type { Baseline } from "../session/baseline.ts";

/** How many tokens a digest may take, unless said otherwise. */
export const DIGEST_TOKENS = 2_000;

/** A digest, and what it leaves out. */
export interface Memory extends Digest {
  /** How many commits were looked at. */
  commitsKnown: number;
  /** What was left out and why, in sentences. */
  notices: string[];
}

/**
 * The digest for `goal`.
 *
 * @param root the project's folder
 * @throws {LedgerDamaged} when the newest part of the ledger is damaged
 */
export async function memoryDigest(
  root: string,
  environment: Environment,
  goal: string,
  budgetTokens: number = DIGEST_TOKENS,
  bounds: HistoryBounds = HISTORY_BOUNDS,
): Promise<Memory> {
  const { commits, notices } = await readCommits(new Git(root, environment), root, bounds);
  const team = await readTeam(root, environment);
  if (team.notice !== undefined) notices.push(team.notice);
  const digest = await projectDigest(root, goal, budgetTokens, commits, team.entries);
  return { ...digest, commitsKnown: commits.count, notices };
}

/** The part of a new session's baseline that tells of the past; null when there is nothing. */
export function memoryOfBaseline({ text, relevant }: Memory): Baseline["memory"] {
  return text === "" ? null : { text, blocks: relevant };
}

async function readCommits(
  git: Git,
  root: string,
  bounds: HistoryBounds,
): Promise<{ commits: KnownCommits; notices: string[] }> {
  try {
    const commits = await knownCommits(root, {
      head: () => headCommit(git),
      read: (request, take) => readHistory(git, request, take),
    }, bounds);
    return { commits, notices: noticesOf(commits) };
  } catch (error) {
    if (error instanceof NoGit) return { commits: NO_COMMITS, notices: [] };
    if (!(error instanceof GitError)) throw error;
    const why = error.message.split("\n", 1)[0] ?? "";
    return {
      commits: NO_COMMITS,
      notices: [`The repository's commits are left out of the memory: ${why}`],
    };
  }
}

/** For how long a goal waits for what the team did, in milliseconds. */
const TEAM_WAITS_MS = 1_500;

/** What the team did in this project, where `[memory] team` says so; what was fetched before where the server is away. */
async function readTeam(
  root: string,
  environment: Environment,
): Promise<{ entries: readonly LedgerEntry[]; notice?: string }> {
  if (!(await readTrustedConfiguration(root, environment)).memory.team) return { entries: [] };
  const project = await projectName(root, environment);
  try {
    const team = await expectTeamLedger(root, environment);
    return await team.connect(
      TEAM_WAITS_MS,
      (connection) => pullEntries(root, connection, project),
    );
  } catch (error) {
    if (!(error instanceof WorkFailed) && !(error instanceof UsageError)) throw error;
    const entries = pulledEntries(root);
    const notice = `The team's ledger was not asked: ${error.message}. ` +
      `The memory has ${entries.length} entries that were fetched before.`;
    return { entries, notice };
  }
}

function noticesOf({ leftOut, count }: KnownCommits): string[] {
  if (leftOut === undefined) return [];
  const newest = `The memory knows the newest ${count.toLocaleString("en-US")} commits`;
  return [
    leftOut === "number"
      ? `${newest} and leaves older ones out.`
      : `${newest}; reading the older ones goes on at the next goal.`,
  ];
}

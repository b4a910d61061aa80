/**
 * What the preflight checks judge.
 * Rule: gathered in one place, judged in others; only what the session added or touched is looked at.
 */
import type { AddedLine } from "../../git/added_lines.ts";
import type { RepositoryState } from "../../git/state.ts";
import type { CheckOutcome } from "../account.ts";
import type { OutlineTask } from "../outline.ts";
import type { Ending } from "../entry.ts";
import type { Override } from "./check.ts";

/** What is known before the repository is looked at: of the session, and of how it is to be shipped. */
export interface WorkFacts {
  isVerified: boolean;
  /** The last result of each check. */
  checks: readonly CheckOutcome[];
  tasks: readonly OutlineTask[];
  overrides: ReadonlySet<Override>;
}

/** What a commit of the session's files would hold, and what stands against it. */
export interface ChangeFacts {
  /** Whether there is no commit yet: files are compared with the empty tree. */
  isFirstCommit: boolean;
  /** How many files differ from the last commit. */
  changedFiles: number;
  metrics: Ending["metrics"];
  addedLines: readonly AddedLine[];
  /** Secrets in added lines. */
  secrets: readonly { path: string; line: number; what: string }[];
  /** Touched files that git ignores. */
  ignored: readonly string[];
  /** Touched files in a submodule. */
  inSubmodule: readonly { path: string; submodule: string }[];
  /** Submodules that have changes of their own. */
  dirtySubmodules: readonly string[];
  /** Submodules that were not looked into. */
  unseenSubmodules: readonly string[];
  /** Touched files that held uncommitted changes before the session touched them. */
  dirtyBefore: readonly string[];
  /** Touched files that are not as the session left them. */
  changedSince: readonly string[];
  /** Files that git would start at the commit, or that say what is started, changed since the session began, unless the user has let git start them as they are. */
  changedHooks: readonly string[];
  /** New files of the session's in folders of dependencies that git does not ignore, by folder. */
  dependencies: readonly { folder: string; files: number }[];
  /** What of the changes of commands and checks could not be told, and why. */
  untold: readonly { path: string; why: string }[];
  /** Changed files over 5 MB. */
  large: readonly { path: string; sizeBytes: number }[];
}

/** All that is judged. */
export interface PreflightFacts {
  work: WorkFacts;
  /** Undefined outside a repository. */
  repository: RepositoryState | undefined;
  /** The branch that the session began on; undefined when it began on none. */
  beganOn: string | undefined;
  /** Undefined when the repository is in no condition to be looked at. */
  changes: ChangeFacts | undefined;
}

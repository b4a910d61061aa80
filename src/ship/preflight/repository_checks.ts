/**
 * The condition of the repository: what is judged before the first token is spent, and again before a commit.
 * Rule: pure; a lock is named, never removed.
 */
import type { RepositoryState } from "../../git/state.ts";
import { found, passed, type PreflightCheck } from "./check.ts";

/** How a person ends what was begun. */
const ENDED_BY: Readonly<Record<NonNullable<RepositoryState["operation"]>, string>> = {
  merge: "git merge --continue, or git merge --abort",
  rebase: "git rebase --continue, or git rebase --abort",
  am: "git am --continue, or git am --abort",
  "cherry-pick": "git cherry-pick --continue, or git cherry-pick --abort",
  revert: "git revert --continue, or git revert --abort",
  bisect: "git bisect reset",
};

/**
 * Judges a repository; `undefined` stands for none.
 *
 * @param began the branch that the session began on, if it began on one
 */
export function judgeRepository(
  state: RepositoryState | undefined,
  began?: string,
): PreflightCheck[] {
  if (state === undefined) {
    return [
      found("repository", "block", "this folder is not in a git repository", "Run: git init"),
    ];
  }
  return [
    repository(state),
    branch(state, began),
    operation(state),
    indexLock(state),
  ];
}

function repository({ root, head, hasIdentity }: RepositoryState): PreflightCheck {
  if (hasIdentity) return passed("repository", head === undefined ? "without a commit yet" : root);
  return found(
    "repository",
    "block",
    "git does not know whose name a commit is to bear",
    'Tell it: git config user.name "Your Name", and git config user.email you@example.com',
  );
}

function branch({ branch, head }: RepositoryState, began: string | undefined): PreflightCheck {
  if (branch !== undefined && began !== undefined && branch !== began) {
    return found(
      "branch",
      "warn",
      `the commit goes on ${branch}, and the session began on ${began}`,
      `If it belongs on ${began}, switch back first: git switch ${began}`,
    );
  }
  if (branch !== undefined) return passed("branch", branch);
  return found(
    "branch",
    "block",
    `HEAD is detached at ${head?.slice(0, 12) ?? "nothing"}: a commit would be on no branch`,
    "Check out a branch: git switch <branch>, or git switch -c <new branch>",
  );
}

function operation({ operation }: RepositoryState): PreflightCheck {
  if (operation === undefined) return passed("operation", "nothing is in progress");
  return found(
    "operation",
    "block",
    `a ${operation} is in progress`,
    `End it first: ${ENDED_BY[operation]}`,
  );
}

function indexLock({ indexLock }: RepositoryState): PreflightCheck {
  if (indexLock === undefined) return passed("index lock", "the index is free");
  const age = indexLock.ageMs === undefined
    ? ""
    : `, ${Math.round(indexLock.ageMs / 1000)} seconds old`;
  return found(
    "index lock",
    "block",
    `the index is locked${age}`,
    "Another git is at work, or one died. When none is running, remove the file.",
    [indexLock.path],
  );
}

/**
 * Whether the session's files may be committed as they are.
 * Rule: pure; nothing that is the user's own goes along unless they say so.
 */
import { counted } from "../../platform/text.ts";
import { found, overridable, passed, type PreflightCheck } from "./check.ts";
import type { ChangeFacts, WorkFacts } from "./facts.ts";

/** Does git ignore a touched file? */
export function judgeIgnored({ ignored }: ChangeFacts): PreflightCheck {
  if (ignored.length === 0) return passed("ignored files", "none touched");
  return found(
    "ignored files",
    "block",
    `${counted(ignored.length, "touched file")} that git ignores`,
    "Change .gitignore, or remove what should not be there.",
    ignored,
  );
}

/** Is a touched file in a submodule, or does a submodule have changes that would be left behind? */
export function judgeSubmodules(
  { inSubmodule, dirtySubmodules, unseenSubmodules }: ChangeFacts,
): PreflightCheck {
  if (inSubmodule.length > 0) {
    return found(
      "submodules",
      "block",
      `${counted(inSubmodule.length, "touched file")} in a submodule`,
      "Commit there by hand: a commit here cannot hold them.",
      inSubmodule.map(({ path }) => path),
    );
  }
  if (dirtySubmodules.length > 0) {
    return found(
      "submodules",
      "warn",
      `${counted(dirtySubmodules.length, "submodule")} with changes, which are not committed`,
      "Commit there by hand, if they belong to this.",
      [...dirtySubmodules, ...unseenSubmodules.map((path) => `${path} (not looked into)`)],
    );
  }
  if (unseenSubmodules.length > 0) {
    return found(
      "submodules",
      "warn",
      `${counted(unseenSubmodules.length, "submodule")} not looked into`,
      'What is there keeps its repository outside of .git/modules. See: git status; "git submodule absorbgitdirs" moves it in.',
      unseenSubmodules,
    );
  }
  return passed("submodules", "none touched");
}

/**
 * Did a touched file hold changes of the user's own? Before the first commit all that is there is uncommitted, and
 * there is nothing that it could be mixed up with.
 */
export function judgeEarlierChanges(
  { overrides }: WorkFacts,
  { dirtyBefore, isFirstCommit }: ChangeFacts,
): PreflightCheck {
  if (dirtyBefore.length === 0) return passed("earlier changes", "none in the touched files");
  if (isFirstCommit) {
    return found(
      "earlier changes",
      "warn",
      `${counted(dirtyBefore.length, "touched file")} of yours in this repository's first commit`,
      "They are committed whole.",
      dirtyBefore,
    );
  }
  const check = found(
    "earlier changes",
    "block",
    `${counted(dirtyBefore.length, "touched file")} had uncommitted changes before`,
    "Commit or undo those changes of yours.",
    dirtyBefore,
  );
  return overridable(check, "--include-dirty", overrides);
}

/** Did the session change what git runs at the commit, outside of the sandbox? */
export function judgeHooks(
  { overrides }: WorkFacts,
  { changedHooks }: ChangeFacts,
): PreflightCheck {
  if (changedHooks.length === 0) return passed("hooks", "none that this session changed");
  const check = found(
    "hooks",
    "block",
    `${
      counted(changedHooks.length, "file")
    } that git would run at the commit, or that say what is run, changed by this session`,
    "Read what was changed in them (git diff): they run outside of the sandbox.",
    changedHooks,
  );
  return overridable(check, "--changed-hooks", overrides);
}

/** Has a command installed dependencies where git does not ignore them? Nobody wants those in a commit. */
export function judgeDependencies({ dependencies }: ChangeFacts): PreflightCheck {
  if (dependencies.length === 0) return passed("dependencies", "none among the changed files");
  return found(
    "dependencies",
    "block",
    `${counted(dependencies.length, "folder")} of dependencies that git does not ignore`,
    "Add what was installed to .gitignore. If it belongs to the commit: --include FOLDER.",
    dependencies.map(({ folder, files }) => `${folder} (${counted(files, "new file")})`),
  );
}

/** Was there something that could not be followed? It is in no commit of m31a's. */
export function judgeFollowed({ untold }: ChangeFacts): PreflightCheck {
  if (untold.length === 0) return passed("followed files", "all that changed is known");
  return found(
    "followed files",
    "warn",
    `${counted(untold.length, "path")} of which it cannot be told whether it was changed`,
    "What is there is not committed. Look at it, and take along what belongs to this: --include FILE.",
    untold.map(({ path, why }) => `${path}: ${why}`),
  );
}

/** Is a changed file very large? */
export function judgeLarge({ large }: ChangeFacts): PreflightCheck {
  if (large.length === 0) return passed("large files", "none over 5 MB");
  return found(
    "large files",
    "warn",
    `${counted(large.length, "file")} over 5 MB`,
    "A file stays in the history for ever; git LFS keeps large ones elsewhere.",
    large.map(({ path, sizeBytes }) => `${path} (${(sizeBytes / 1e6).toFixed(1)} MB)`),
  );
}

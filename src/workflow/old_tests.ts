/**
 * Whether the tests still say what they said: where the session changed tests, the checks run once more with those as
 * they were.
 * Rule: it runs on a checkout; what it finds is told, and blocks nothing.
 */
import { join } from "@std/path";
import { sessionGit } from "../agent/session_tree.ts";
import { gitPath } from "../git/path.ts";
import { replacedTree } from "../git/replaced_tree.ts";
import type { Git } from "../git/run.ts";
import { treeToCommit } from "../git/tree_to_commit.ts";
import { counted } from "../platform/text.ts";
import { sessionDirectory } from "../session/layout.ts";
import type { Caveat } from "../session/verification.ts";
import { kindOfCheck } from "../ship/checks/check_kind.ts";
import { OWN_FOLDERS } from "../ship/proof/own_folders.ts";
import { type ProofEnd, proveTree } from "../ship/proof/prove.ts";
import { failureDetail } from "./causes.ts";
import { changedLines } from "./checks/changed_lines.ts";
import { isTestFile } from "../ship/checks/test_files.ts";
import { findWeakenings } from "./checks/weakening.ts";
import type { ChangedFile } from "./files_before.ts";
import type { Check } from "./run_checks.ts";
import type { Work } from "./work.ts";

/** What is to be known of the tests. */
export interface TestsVerdict {
  caveats: Caveat[];
  /** A sentence where the old tests pass; empty where none was changed. */
  praise: string;
}

/** Looks at what the session has made of the tests, and asks the old ones. */
export async function askOldTests(
  work: Work,
  changed: readonly ChangedFile[],
): Promise<TestsVerdict> {
  const caveats = weakenedTests(changed);
  const old = changed.filter(({ path, before }) => before !== null && isTestFile(path));
  if (old.length === 0) return { caveats, praise: "" };
  const files = `${counted(old.length, "test file")} ${old.length === 1 ? "was" : "were"} changed`;
  const were = old.length === 1 ? "as it was" : "as they were";
  const paths = old.map(({ path }) => path);
  const end = await runWith(work, changed, old);
  if (end.outcome === "proved") {
    const pass = old.length === 1 ? "it passes, too" : "they pass, too";
    return { caveats, praise: `${files}; ${were} ${pass}` };
  }
  const why = end.outcome === "failed"
    ? `${were}, ${failureDetail(end.check)}`
    : `whether the checks pass with the tests ${were} is not known: ${end.why}`;
  const text = `${files} (${paths.join(", ")}); ${why}`;
  return { caveats: [...caveats, { kind: "old_tests", text, lines: paths }], praise: "" };
}

/** What makes the tests say less, and whether there is anything else that was changed. */
function weakenedTests(changed: readonly ChangedFile[]): Caveat[] {
  const found = findWeakenings(
    changed.map(({ path, before, now }) => changedLines(path, before, now)),
  ).map(({ words }) => words);
  const caveats: Caveat[] = [];
  if (changed.length > 0 && changed.every(({ path }) => isTestFile(path))) {
    caveats.push({ kind: "tests", text: "nothing but tests was changed", lines: [] });
  }
  if (found.length > 0) {
    const text = `tests say less than before: ${found.join("; ")}`;
    caveats.push({ kind: "tests", text, lines: found });
  }
  return caveats;
}

async function runWith(
  work: Work,
  changed: readonly ChangedFile[],
  old: readonly ChangedFile[],
): Promise<ProofEnd> {
  const git = await sessionGit(work.place);
  const scratch = join(work.root, sessionDirectory(work.parts.conversation.session.id));
  const paths = changed.map(({ path }) => gitPath(path));
  const now = await treeToCommit(git, paths, OWN_FOLDERS, scratch);
  const replaced = new Map(old.map(({ path, kept }) => [path, kept]));
  const tree = await replacedTree(git, now.tree, replaced, scratch);
  const end = await prove(work, git, scratch, { tree, compared: tree }, "old_tests");
  if (end.outcome !== "failed") return end;
  // Without the user's own files around the change itself may not pass; then the old tests are not the reason.
  const alone = await prove(work, git, scratch, now, "proof");
  if (alone.outcome === "proved") return end;
  const why = alone.outcome === "failed"
    ? `without the files that are not the session's, ${failureDetail(alone.check)}`
    : alone.why;
  return { outcome: "impossible", why };
}

async function prove(
  work: Work,
  git: Git,
  scratch: string,
  tree: Parameters<typeof proveTree>[1],
  purpose: "proof" | "old_tests",
): Promise<ProofEnd> {
  const { conversation, sandbox, commands, onEvent } = work.parts;
  const { clock, secrets } = conversation.world;
  return await proveTree({
    git,
    scratch,
    purpose,
    world: { sandbox, commands, clock, secrets, signal: work.signal, onOutput: () => {} },
    checks: checksOfTests(work.state.project?.checks ?? []),
    without: [],
    onStart: ({ name, command }) =>
      onEvent({ type: "check_started", name, command, task: null, purpose }),
    record: (draft) => work.append(draft),
  }, tree);
}

/** A build or a lint says nothing of what tests say, where there is a check that does. */
function checksOfTests(checks: readonly Check[]): readonly Check[] {
  const tests = checks.filter((check) => ["test", "other"].includes(kindOfCheck(check)));
  return tests.length > 0 ? tests : checks;
}

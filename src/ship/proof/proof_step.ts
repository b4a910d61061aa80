/**
 * The proof as a step of a ship: before the commit, and once more where a hook has changed it.
 * Rule: a commit says in its trailer on which tree it was proved, and that is the tree it has.
 */
import { committedTree, differingFiles, type TreeToCommit } from "../../git/tree_to_commit.ts";
import { sessionTree } from "../../agent/session_tree.ts";
import { PROVED_TRAILER } from "../../git/index_sync.ts";
import { counted } from "../../platform/text.ts";
import type { ShipLog } from "../log.ts";
import { found, overridable, passed, type PreflightCheck } from "../preflight/check.ts";
import { scratchOf } from "../preflight.ts";
import type { ShipRequest } from "../request.ts";
import type { CommitFacts } from "../steps.ts";
import { type IgnoredWork, ignoredWork } from "./ignored_work.ts";
import { OWN_FOLDERS } from "./own_folders.ts";
import { isProvedBy, proveTree } from "./prove.ts";

/** What is known of a commit's proof, and how that stands in the checklist. */
export interface Proof {
  facts: CommitFacts["proof"];
  check: PreflightCheck;
}

/** Proves the tree of a commit, unless it is proved already or is not to be. */
export async function proveCommit(
  request: ShipRequest,
  log: ShipLog,
  tree: TreeToCommit,
): Promise<Proof> {
  const { account, overrides } = request;
  const beside = await ignoredWorkOf(request);
  if (isProvedBy(account.checks, tree) && beside.made.length === 0) {
    return proved(tree, "the checks passed on exactly this tree", beside);
  }
  if (overrides.has("--unverified")) {
    const check = found("proof", "warn", "not proved: --unverified was given", "");
    return { facts: { tree: null, why: "--unverified" }, check };
  }
  const end = await proveTree({
    git: request.git,
    scratch: scratchOf(request),
    purpose: "proof",
    world: {
      ...request.checking,
      clock: request.clock,
      signal: request.signal,
      onOutput: () => {},
    },
    checks: account.checks,
    without: beside.made,
    onStart: ({ name, command }, isAgain) =>
      request.onEvent({ type: "proof_started", name, command, isAgain }),
    record: (draft) => log.append([draft]),
  }, tree);
  switch (end.outcome) {
    case "proved":
      return proved(tree, "the checks pass on the commit alone", beside);
    case "failed":
      request.onEvent({ type: "proof_failed", ...end.check });
      return await refuted(request, tree, end.check.command, beside);
    case "impossible": {
      const summary = `the commit cannot be proved on its own: ${end.why}`;
      const advice =
        "Commit or remove what is not this session's, so that nothing else lies about.";
      return notProved(end.why, found("proof", "block", summary, advice), request);
    }
  }
}

/** What the checklist says of a proof that is still to come: nothing is run. */
export async function announceProof(
  request: ShipRequest,
  tree: TreeToCommit,
): Promise<PreflightCheck> {
  const { made } = await ignoredWorkOf(request);
  return passed(
    "proof",
    isProvedBy(request.account.checks, tree) && made.length === 0
      ? "the checks passed on exactly this tree"
      : "the checks passed on something else than a clone has: they will run on the commit alone",
  );
}

async function ignoredWorkOf(request: ShipRequest): Promise<IgnoredWork> {
  return await ignoredWork(request.git, request.account.makingTimes, scratchOf(request));
}

function proved({ tree }: TreeToCommit, summary: string, { changed }: IgnoredWork): Proof {
  const why = takenAlong(changed);
  if (why === "") return { facts: { tree, why }, check: passed("proof", summary) };
  const advice = "A clone has it only where it is installed or built anew: see that it is.";
  return {
    facts: { tree, why },
    check: found("proof", "warn", `${summary}, ${why}`, advice, changed),
  };
}

/** What a proof has not gone without, in words; empty for nothing. */
function takenAlong(changed: readonly string[]): string {
  return changed.length === 0
    ? ""
    : `with what commands of the session made of files that git ignores: ${changed.join(", ")}`;
}

async function refuted(
  request: ShipRequest,
  tree: TreeToCommit,
  command: string,
  { made }: IgnoredWork,
): Promise<Proof> {
  const differing = await differingFiles(request.git, tree.tree, OWN_FOLDERS, scratchOf(request));
  const named = new Set(differing.map(({ text }) => text));
  const unlike = (await unlikeClone(request)).filter(({ path }) => !named.has(path));
  const files = [
    ...differing.map(({ text }) => text),
    ...made.map((path) => `${path} (git ignores it, and the session made it)`),
  ];
  const outside = [...files, ...unlike.map(({ path, what }) => `${path} (${what})`)];
  const how = [
    ...(files.length === 0 ? [] : [
      `with ${counted(files.length, "file")} that ${files.length === 1 ? "is" : "are"} not in it`,
    ]),
    ...(unlike.length === 0 ? [] : [
      `with ${counted(unlike.length, "path")} as no clone has ${
        unlike.length === 1 ? "it" : "them"
      }`,
    ]),
  ];
  const summary = `the commit alone does not pass \`${command}\`` +
    (how.length === 0 ? "" : `; ${how.join(" and ")}, it may`);
  const advice = files.length === 0
    ? "Let the session go on until it does."
    : made.length === 0
    ? "Take along what belongs to it: --include FILE. What is nobody's work belongs into .gitignore."
    : "Let a check make what git ignores, or git not ignore it; take along what else belongs to it: --include FILE.";
  const why = `does not pass ${command} on its own`;
  return notProved(why, found("proof", "block", summary, advice, outside), request);
}

/** What stands in the working tree otherwise than in a clone, though git calls it the same. */
async function unlikeClone({ root, environment, session, checking }: ShipRequest) {
  const place = { root, environment, session: session.id };
  const tree = sessionTree(place, checking.commands.keepBytes);
  return await tree.unlikeCheckout(await tree.take());
}

function notProved(why: string, check: PreflightCheck, { overrides }: ShipRequest): Proof {
  return { facts: { tree: null, why }, check: overridable(check, "--unverified", overrides) };
}

/** What came of a commit that was made. */
export type SettledProof =
  /** It is as its trailer says. */
  | { outcome: "as_said"; facts: CommitFacts["proof"] }
  /** A hook made another tree of it, which is proved: the trailer has to name that one. */
  | { outcome: "amend"; facts: CommitFacts["proof"] }
  /** A hook made another tree of it, which is not proved. */
  | { outcome: "refuted"; check: PreflightCheck };

/** Compares the tree of a commit with its trailer, and proves it anew where a hook has changed it. */
export async function settleProof(
  request: ShipRequest,
  log: ShipLog,
  commit: string,
): Promise<SettledProof> {
  const { git } = request;
  const format = `%(trailers:key=${PROVED_TRAILER},valueonly,separator=%x2C)`;
  const args = ["log", "-1", "--no-show-signature", `--format=${format}`, commit];
  const said = await git.readLineIfAny(args) ?? "no (it has no such trailer)";
  if (!/^[0-9a-f]{40,64}$/.test(said)) {
    const why = said.replace(/^no \((.*)\)$/, "$1");
    return { outcome: "as_said", facts: { tree: null, why } };
  }
  const tree = await committedTree(git, commit, OWN_FOLDERS, scratchOf(request));
  if (tree.tree === said) {
    const why = takenAlong((await ignoredWorkOf(request)).changed);
    return { outcome: "as_said", facts: { tree: said, why } };
  }
  request.onEvent({ type: "notice", text: "A hook has changed the commit: it is proved anew." });
  const { facts, check } = await proveCommit(request, log, tree);
  request.onEvent({ type: "proof", check });
  return check.verdict === "block" ? { outcome: "refuted", check } : { outcome: "amend", facts };
}

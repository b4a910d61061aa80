/**
 * The proof of a commit: the project's checks, passed on the commit's own tree.
 * Rule: what the last checks ran on is not run again; on any other tree they run on a checkout of it, where nothing
 * else of the user's is.
 */
import type { Git } from "../../git/run.ts";
import type { TreeToCommit } from "../../git/tree_to_commit.ts";
import type { RecordDraft } from "../../session/records.ts";
import type { CheckOutcome } from "../account.ts";
import { type Check, type CheckEnd, type CheckWorld, runCheck } from "../checks/run_check.ts";
import { type Proof, wroteToBorrowed } from "../../agent/sandbox_proof.ts";
import { CannotProve, withProofFolder } from "./proof_folder.ts";

/** What a proof needs. */
export interface ProofRequest {
  git: Git;
  /** The session's own folder. */
  scratch: string;
  world: CheckWorld;
  /** What is proved: a commit, or what the tests say as they were. */
  purpose: "proof" | "old_tests";
  /** The project's checks. */
  checks: readonly Check[];
  /** Of what git ignores, what the proof goes without. */
  without: readonly string[];
  /** A check starts, or starts once more with dependencies that it may write to. */
  onStart(check: Check, isAgain: boolean): void;
  /** Makes a check's record durable. */
  record(draft: Extract<RecordDraft, { type: "check" }>): void;
}

/** How a proof ended. */
export type ProofEnd =
  | { outcome: "proved" }
  /** This check does not pass on the tree alone. */
  | { outcome: "failed"; check: CheckEnd }
  /** The checks could not be run on it alone. */
  | { outcome: "impossible"; why: string };

/**
 * Whether the last run of every check passed on exactly this tree: with nothing beside it, and not on one of which the
 * check itself has made this one.
 */
export function isProvedBy(checks: readonly CheckOutcome[], { compared }: TreeToCommit): boolean {
  return checks.length > 0 &&
    checks.every(({ passed, tree, touched, unknown }) =>
      passed && "id" in tree && tree.id === compared && touched.length + unknown.length === 0
    );
}

/**
 * Runs the checks on a checkout of a tree, the first that fails ending it.
 *
 * @throws the signal's reason when it is aborted
 */
export async function proveTree(
  { git, scratch, world, purpose, checks, without, onStart, record }: ProofRequest,
  { tree, compared }: TreeToCommit,
): Promise<ProofEnd> {
  const isMounted = await world.sandbox.kind() === "bubblewrap";
  try {
    return await withProofFolder({ git, tree, scratch, isMounted, without }, async (place) => {
      let proof: Proof = place;
      for (const check of checks) {
        world.signal.throwIfAborted();
        onStart(check, false);
        let end = await runCheck(world, check, proof);
        if (!end.passed && wroteToBorrowed(git.root, proof, end.output)) {
          proof = { ...proof, copiesDependencies: true };
          onStart(check, true);
          end = await runCheck(world, check, proof);
        }
        record({
          type: "check",
          ...end,
          task: null,
          purpose,
          tree: { id: compared },
          touched: [],
          unknown: [],
          restored: [],
        });
        if (!end.passed) return { outcome: "failed", check: end };
      }
      return { outcome: "proved" };
    });
  } catch (error) {
    if (!(error instanceof CannotProve)) throw error;
    return { outcome: "impossible", why: error.message };
  }
}

/**
 * The preflight of a session: the checklist before a commit.
 * Rule: it changes nothing, so that it can be run at any time.
 */
import { join } from "@std/path";
import { sessionDirectory } from "../session/layout.ts";
import { includedFiles } from "./included_files.ts";
import { planningFiles } from "./planning_files.ts";
import type { PreflightCheck } from "./preflight/check.ts";
import { gatherFacts } from "./preflight/gather.ts";
import { judgePreflight } from "./preflight/judge.ts";
import type { ShipRequest } from "./request.ts";

/** Looks at everything and judges it. */
export async function runPreflight(request: ShipRequest): Promise<PreflightCheck[]> {
  const { account, outline, overrides, git } = request;
  const facts = await gatherFacts({
    git,
    work: {
      isVerified: account.isVerified,
      checks: account.checks,
      tasks: outline.tasks,
      overrides,
    },
    touched: account.touched.files,
    more: [
      ...await includedFiles(git, request.include),
      ...request.settings.planningFiles ? await planningFiles(git) : [],
    ],
    began: account.baseline.repository,
    untold: account.untold,
    lastCommit: account.steps.lastCommit,
    scratch: scratchOf(request),
    nowMs: request.clock.now().getTime(),
  });
  return judgePreflight(facts);
}

/** A folder for what is there for the moment: the session's own, which git ignores. */
export function scratchOf({ root, session }: Pick<ShipRequest, "root" | "session">): string {
  return join(root, sessionDirectory(session.id));
}

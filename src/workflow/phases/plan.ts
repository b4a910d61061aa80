/**
 * Plan: the model submits a plan, the user approves it, edits it or wants it otherwise.
 * Rule: each plan that can be carried out is a version; without a user the first one is approved.
 */
import { Interrupted } from "../../platform/errors.ts";
import { beginTurn, type EndedTurn, finishTurn } from "../attempt_turn.ts";
import { PLAN_REMINDER, planBrief, planChange } from "../briefs.ts";
import { ownPlan } from "../candidates/own_plan.ts";
import type { Gates } from "../gates.ts";
import { MAX_PLANS } from "../link.ts";
import { settleBaseline } from "../settle_baseline.ts";
import { latestPlan, type WorkflowState } from "../state.ts";
import type { Work } from "../work.ts";

/** How long the plan waits for the checks that run before any change, once the discussion is over. */
const PLAN_WAITS_MS = 30_000;

/** Runs the phase. */
export async function plan(work: Work): Promise<void> {
  // What the checks print tells m31a which files a goal is about, where it makes the plan itself.
  const obstacle = await settleBaseline(work, work.isByCandidates ? undefined : PLAN_WAITS_MS);
  if (obstacle !== undefined) return await work.phase("plan", "failed", obstacle);
  for (;;) {
    if (work.state.submitted !== null) await makeVersion(work);
    const version = versionOf(work.state);
    if (version?.approved) return await work.phase("plan", "done", `plan v${version.version}`);
    const isCutOff = work.attempt.turn.status === "open";
    const { gates } = work.parts.link;
    if (version !== undefined && !isCutOff && gates !== undefined) {
      await review(work, gates, version);
      continue;
    }
    if (version !== undefined && !isCutOff) {
      // It was submitted with a user at the gate, and goes on without.
      approve(work, version);
      continue;
    }
    const failure = work.isByCandidates ? await makePlan(work) : await askForPlan(work);
    if (failure !== undefined) return await work.phase("plan", "failed", failure);
  }
}

type Version = WorkflowState["plans"][number];

/** The newest version of this planning. */
function versionOf(state: WorkflowState): Version | undefined {
  const latest = latestPlan(state);
  return latest !== undefined && latest.version >= state.planFrom ? latest : undefined;
}

async function makeVersion(work: Work, submitted = work.state.submitted): Promise<void> {
  const { plans, goal } = work.state;
  if (submitted === null) return;
  const version = (plans.at(-1)?.version ?? 0) + 1;
  const approved = work.parts.link.gates === undefined && goal?.mode === "run";
  work.append({ type: "plan", version, approved, plan: submitted });
  await work.project();
}

function approve(work: Work, { version, plan }: Version): void {
  work.append({ type: "plan", version, approved: true, plan });
}

async function review(work: Work, gates: Gates, version: Version): Promise<void> {
  work.throwIfInterrupted();
  const review = await gates.reviewPlan(version.plan, version.version);
  // plan.md may have been edited whatever the answer is; what was edited is a version that is looked at again.
  await work.takeOverEdits();
  await work.project();
  const isStillNewest = versionOf(work.state)?.version === version.version;
  if (review.decision === "stop") throw new Interrupted("the plan was not approved");
  if (review.decision === "approve" && isStillNewest) approve(work, version);
  if (review.decision === "change") {
    await beginTurn(work, { text: planChange(review.wish), source: "user" });
  }
}

/** The plan that m31a makes itself; resolves to why there is none. */
async function makePlan(work: Work): Promise<string | undefined> {
  const made = await ownPlan(work);
  if (typeof made === "string") return made;
  await makeVersion(work, made);
  return undefined;
}

/** Resolves to why there will be no plan; undefined when there is one, or another try. */
async function askForPlan(work: Work): Promise<string | undefined> {
  const { attempt } = work;
  let turn: EndedTurn;
  if (attempt.turn.status === "ended") {
    if (work.state.refusedPlans + attempt.number + 1 >= MAX_PLANS) {
      return `no plan that can be carried out in ${MAX_PLANS} tries`;
    }
    turn = await beginTurn(work, { text: PLAN_REMINDER, source: "heal" });
  } else {
    turn = await finishTurn(work, { text: planBrief(work.state), source: "brief" });
  }
  return turn.status === "failed" ? turn.detail : undefined;
}

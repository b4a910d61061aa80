/**
 * Running a workflow: the phases one after the other, from wherever the log says that it is.
 * Rule: each phase looks at the state, does the next thing, records it; so resuming is running again.
 */
import { settleInterruptedCalls } from "../agent/settle.ts";
import { cleanText } from "../agent/clean.ts";
import { Interrupted, UsageError } from "../platform/errors.ts";
import { archiveForeignDocuments } from "./foreign_documents.ts";
import { nextStep, type WorkflowPhase } from "./machine.ts";
import { discuss } from "./phases/discuss.ts";
import { execute } from "./phases/execute.ts";
import { initialize, refreshChecks } from "./phases/initialize.ts";
import { plan } from "./phases/plan.ts";
import { verify } from "./phases/verify.ts";
import { ProjectLock } from "./project_lock.ts";
import { Projection } from "./projection.ts";
import { keepTurn, settleTakenBack } from "./plain_turn.ts";
import { documentHistory } from "./projection_history.ts";
import { Work, type WorkParts } from "./work.ts";

/** What a workflow is run with. */
export interface WorkflowRequest extends Omit<WorkParts, "projection"> {
  /** What is to be reached; left out to go on with what the session has. */
  goal?: string;
  /** `run` goes on alone, `chat` with the user of the link's gates. */
  mode: "run" | "chat";
  /** Enter this phase again first. */
  from?: WorkflowPhase;
}

/** How a workflow ended. */
export type WorkflowEnd =
  | { outcome: "verified" }
  | { outcome: "failed"; phase: string; reason: string }
  | { outcome: "interrupted"; reason: string };

const RUN: Readonly<Record<WorkflowPhase, (work: Work) => Promise<void>>> = {
  initialize,
  discuss,
  plan,
  execute,
  verify,
};

/**
 * Runs a workflow to its end, or to where the user interrupts it.
 *
 * @throws {WorkflowInUse} when the project has another one under way
 * @throws {UsageError} without a goal, with a second one while the first is under way, outside of a git repository
 * @throws {PlanningError} for a planning document that cannot be understood
 * @throws {SessionError} when the log cannot be written
 */
export async function runWorkflow(request: WorkflowRequest): Promise<WorkflowEnd> {
  const { conversation } = request;
  const { root } = conversation.world;
  const { id } = conversation.session;
  const lock = await ProjectLock.take(root, id);
  try {
    const projection = new Projection(
      root,
      id,
      (document) => documentHistory(root, id, document),
    );
    request.link.attach(conversation);
    const work = new Work({ ...request, projection });
    try {
      return await runUntilEnd(work, request);
    } finally {
      await work.baseline.stop();
    }
  } catch (error) {
    if (!(error instanceof Interrupted) && !request.signal.aborted) throw error;
    const reason = error instanceof Interrupted ? error.message : "interrupted";
    return { outcome: "interrupted", reason };
  } finally {
    lock.release();
  }
}

async function runUntilEnd(work: Work, request: WorkflowRequest): Promise<WorkflowEnd> {
  const { conversation } = request;
  const archived = archiveForeignDocuments(work.root, conversation.session.id);
  if (archived !== undefined) {
    const text = `The documents of session ${archived} are in planning/archive/${archived} now.`;
    request.onEvent({ type: "notice", text });
  }
  for (const text of await settleTakenBack(conversation, request.link)) {
    request.onEvent({ type: "notice", text });
  }
  if (work.state.attempt === null) await keepTurn(conversation, request.link);
  // Before anything is appended: what was cut off in the middle of a turn of ours is brought to its end.
  const isCutOff = work.state.attempt?.turn.status === "open";
  if (isCutOff) await settleInterruptedCalls(conversation, work.signal);
  setGoal(work, request);
  await work.takeOverEdits();
  await work.project();
  if (request.goal === undefined) await refreshChecks(work);
  if (request.from !== undefined) await work.phase(request.from, "entered");
  for (;;) {
    const step = nextStep(work.state);
    if (step.kind === "verified") return { outcome: "verified" };
    if (step.kind === "failed") {
      return { outcome: "failed", phase: step.phase, reason: step.reason };
    }
    work.throwIfInterrupted();
    if (step.kind === "enter") await work.phase(step.phase, "entered");
    await RUN[step.phase](work);
    await work.takeOverEdits();
  }
}

function setGoal(work: Work, { goal, mode }: WorkflowRequest): void {
  const { state } = work;
  if (goal === undefined) {
    if (state.goal !== null) return;
    throw new UsageError("this session has no goal yet; give one");
  }
  const step = nextStep(state);
  if (state.goal !== null && step.kind !== "verified" && step.kind !== "failed") {
    throw new UsageError(
      `this session is still working on its goal (${state.phase?.phase ?? "initialize"}); ` +
        "go on with that, or begin another session",
    );
  }
  const { secrets } = work.parts.conversation.world;
  work.append({ type: "goal", text: cleanText(goal, secrets), mode });
}

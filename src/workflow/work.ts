/**
 * What the phases work with: the state, the log, the documents, the user, the checks.
 * Rule: a record is told as an event after it is on disk; the documents follow the log.
 */
import type { SessionPlace } from "../agent/session_tree.ts";
import type { Sandbox } from "../agent/sandbox.ts";
import type { Conversation } from "../agent/conversation.ts";
import type { CommandSettings } from "../agent/tools/run_command.ts";
import { Git } from "../git/run.ts";
import { Interrupted } from "../platform/errors.ts";
import type { RecordDraft } from "../session/records.ts";
import { BaselineRun } from "./baseline.ts";
import type { PhaseName, WorkflowEvent } from "./events.ts";
import type { WorkflowLink } from "./link.ts";
import type { Projection } from "./projection.ts";
import { approvedPlan, type Attempt, changedNothing, type WorkflowState } from "./state.ts";

/** What a workflow is made of. */
export interface WorkParts {
  conversation: Conversation;
  link: WorkflowLink;
  projection: Projection;
  /** Where checks run. */
  sandbox: Sandbox;
  commands: Pick<CommandSettings, "allowed" | "maxSeconds" | "outputBytes" | "keepBytes">;
  /** Checks of the configuration, by name; the project's own where there are none. */
  configuredChecks: Readonly<Record<string, string>>;
  onEvent(event: WorkflowEvent): void;
  signal: AbortSignal;
}

/** See the head of this file. */
export class Work {
  readonly parts: WorkParts;
  readonly git: Git;
  /** The checks before any change. */
  readonly baseline: BaselineRun;

  constructor(parts: WorkParts) {
    this.parts = parts;
    const { root, environment } = parts.conversation.world;
    this.git = new Git(root, environment);
    this.baseline = new BaselineRun(this);
  }

  /** Where the session keeps what it keeps. */
  get place(): SessionPlace {
    const { world, session } = this.parts.conversation;
    return { root: world.root, environment: world.environment, session: session.id };
  }

  get root(): string {
    return this.parts.conversation.world.root;
  }

  get signal(): AbortSignal {
    return this.parts.signal;
  }

  get state(): WorkflowState {
    return this.parts.link.state;
  }

  /** Whether the model is asked for candidates alone. */
  get isByCandidates(): boolean {
    return this.parts.conversation.replay.actions === "candidates";
  }

  /** What is being done now. */
  get attempt(): Attempt {
    const { attempt } = this.state;
    if (attempt === null) throw new Error("nothing is being attempted");
    return attempt;
  }

  /** Makes `drafts` durable and tells what they say. */
  append(...drafts: RecordDraft[]): void {
    this.parts.conversation.session.append(drafts);
    for (const draft of drafts) this.#tell(draft);
  }

  /** @throws {Interrupted} when the user wants to stop */
  throwIfInterrupted(): void {
    if (this.signal.aborted) throw new Interrupted();
  }

  /** Enters, ends or fails a phase and brings the documents up to date. */
  async phase(
    phase: PhaseName,
    status: "entered" | "done" | "failed",
    detail = "",
  ): Promise<void> {
    this.append({ type: "phase", phase, status, detail });
    await this.project();
  }

  /** Writes the documents. */
  async project(): Promise<void> {
    await this.parts.projection.write(this.state);
  }

  /**
   * Takes over what people have edited. The documents are brought up to date with the next step.
   *
   * @throws {PlanningError} {@linkcode UsageError} for an edit that cannot be taken over; nothing is overwritten
   */
  async takeOverEdits(): Promise<void> {
    const { projection } = this.parts;
    for (;;) {
      const edit = await projection.findEdit(this.state);
      if (edit === undefined) break;
      const { document, text, sha256, differences } = edit;
      this.append({ type: "edited", document, sha256, text });
      this.parts.onEvent({ type: "edited", document, differences });
      projection.takenOver(edit);
    }
  }

  #tell(draft: RecordDraft): void {
    const { onEvent } = this.parts;
    if (draft.type === "phase") {
      const { phase, status, detail } = draft;
      onEvent({ type: "phase", phase, status, detail });
    }
    if (draft.type === "task") {
      const { task, status, heals, cause, detail } = draft;
      const title = approvedPlan(this.state)?.tasks.find(({ id }) => id === task)?.title ?? "";
      const state = this.state.tasks.find(({ id }) => id === task);
      const isWithoutChange = state !== undefined && changedNothing(this.state, state);
      onEvent({
        type: "task",
        task,
        title,
        status,
        changedNothing: isWithoutChange,
        heals,
        cause,
        detail,
      });
    }
    if (draft.type === "checkpoint") {
      const { number, commit, task, files } = draft;
      onEvent({ type: "checkpoint", number, commit, task, files });
    }
    if (draft.type === "check") onEvent(draft);
    if (draft.type === "plan") {
      const { version, approved } = draft;
      const plan = this.state.plans.find((known) => known.version === version)?.plan;
      if (plan !== undefined) onEvent({ type: "plan", version, approved, plan });
    }
  }
}

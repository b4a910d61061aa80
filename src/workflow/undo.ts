/**
 * Taking back the last tasks, and going back to a checkpoint: what would change, the change, its record.
 * Rule: what is overwritten is kept before a file is touched; only files that the tasks touched are touched.
 */
import { type PendingCall, PendingCalls } from "../agent/pending_calls.ts";
import { sessionStore } from "../agent/session_tree.ts";
import { applyChanges, EditConflict } from "../git/apply.ts";
import {
  adoptCheckpoints,
  createCheckpoint,
  listCheckpoints,
  removeCheckpoint,
} from "../git/checkpoint.ts";
import { isSameKept, keepTreeFiles } from "../git/blob.ts";
import { type PreparedRollback, prepareRollback, previewRollback } from "../git/rollback.ts";
import type { ContentStore } from "../git/content_store.ts";
import { Git } from "../git/run.ts";
import type { Clock } from "../platform/clock.ts";
import type { Environment } from "../platform/environment.ts";
import { Session } from "../session/session.ts";
import { listTurns } from "../session/turns.ts";
import { WorkflowFold } from "./fold.ts";
import { ownsDocuments } from "./foreign_documents.ts";
import { ProjectLock } from "./project_lock.ts";
import { Projection } from "./projection.ts";
import { documentHistory } from "./projection_history.ts";
import { type CheckpointState, NO_WORKFLOW, type WorkflowState } from "./state.ts";
import {
  beforeLast,
  conflictError,
  type ListedCheckpoint,
  type ListedTurn,
  movesFiles,
  type UndoPreview,
  type UndoTarget,
  withFiles,
  withUnkept,
} from "./undo_preview.ts";
import { findRewind, rewindConversation, settleRewind } from "./rewind.ts";
import { keepChanged } from "./undo_cut_off.ts";
import { liveAfter } from "./undo_fold.ts";
import { type CheckpointDraft, checkpointOf, undoDrafts, undoSubject } from "./undo_record.ts";
import { settleUndo } from "./undo_settle.ts";

/** What an undo needs of the world. */
export interface UndoWorld {
  /** The project's root, a real path. */
  root: string;
  environment: Environment;
  clock: Clock;
}

/** A session that somebody has open. */
export interface OpenWorkflow {
  session: Session;
  /** Its state at any time. */
  state(): WorkflowState;
  /** Calls of it that have no result. */
  pending: readonly PendingCall[];
}

/** The workflow of a session, held so that nothing else goes on in it meanwhile. */
export class UndoableWorkflow {
  readonly #world: UndoWorld;
  readonly #git: Git;
  readonly #store: ContentStore;
  readonly #open: OpenWorkflow;
  readonly #release: () => void;
  #cutOff: CheckpointDraft | undefined;
  #settled: string | undefined;

  private constructor(
    world: UndoWorld,
    store: ContentStore,
    open: OpenWorkflow,
    release: () => void,
  ) {
    this.#world = world;
    this.#git = new Git(world.root, world.environment);
    this.#store = store;
    this.#open = open;
    this.#release = release;
  }

  /**
   * Opens the session's workflow, and first brings an undo to its end that was cut off.
   *
   * @throws {SessionInUse} {@linkcode WorkflowInUse} while somebody works in it
   * @throws {SessionNotFound} {@linkcode SessionTorn} {@linkcode NotARepository}
   */
  static async open(world: UndoWorld, id: string): Promise<UndoableWorkflow> {
    let fold: WorkflowFold | undefined;
    const pending = new PendingCalls();
    const session = await Session.open(world.root, id, {
      clock: world.clock,
      folds: (baseline) => [fold = new WorkflowFold(baseline), pending],
    });
    try {
      const state = () => fold?.state ?? NO_WORKFLOW;
      const open = { session, state, pending: pending.all };
      return await UndoableWorkflow.over(world, open, () => session.close());
    } catch (error) {
      session.close();
      throw error;
    }
  }

  /**
   * As {@linkcode open}, of a session that is open already.
   *
   * @param onClose called when it is let go of
   */
  static async over(
    world: UndoWorld,
    open: OpenWorkflow,
    onClose: () => void = () => {},
  ): Promise<UndoableWorkflow> {
    const lock = await ProjectLock.takeIfPlanned(world.root, open.session.id);
    try {
      const { root, environment } = world;
      const store = await sessionStore({ root, environment, session: open.session.id });
      const workflow = new UndoableWorkflow(world, store, open, () => {
        lock?.release();
        onClose();
      });
      await workflow.#prepare();
      return workflow;
    } catch (error) {
      lock?.release();
      throw error;
    }
  }

  async #prepare(): Promise<void> {
    const { session, pending } = this.#open;
    await adoptCheckpoints(this.#git, this.id, this.state.checkpoints);
    const settled = [
      await settleUndo(this.#store.git, session, this.state),
      await settleRewind(this.#world.root, session, this.state),
    ].filter((text) => text !== undefined);
    if (settled.length > 0) {
      this.#settled = settled.join(" ");
      return await this.#project();
    }
    this.#cutOff = await keepChanged(this.#git, this.#store, {
      session: this.id,
      state: this.state,
      pending,
      turn: session.totals.turns,
      atMs: Date.parse(this.state.at) || this.#world.clock.now().getTime(),
    });
  }

  get id(): string {
    return this.#open.session.id;
  }

  get state(): WorkflowState {
    return this.#open.state();
  }

  /** What was said of an undo that had been cut off; undefined when there was none. */
  get settled(): string | undefined {
    return this.#settled;
  }

  /** Every checkpoint, the oldest first; the work of a task that was cut off is the last. */
  async checkpoints(): Promise<ListedCheckpoint[]> {
    const subjects = new Map(
      (await listCheckpoints(this.#git, this.id)).map(({ number, subject }) => [number, subject]),
    );
    const history = this.#history();
    const live = new Set(liveAfter(history, Infinity));
    return history.map(({ number, task, turn, kind, to, files }) => {
      const subject = subjects.get(number) ?? "";
      return { number, task, turn, kind, to, files, subject, isLive: live.has(number) };
    });
  }

  /** Every turn of the conversation, the first one first, with the files that it changed. */
  async turns(): Promise<ListedTurn[]> {
    return withFiles(await listTurns(this.#world.root, this.id), await this.checkpoints());
  }

  /**
   * Says what an undo would change. No file is written.
   *
   * @throws {UsageError} when there is no such checkpoint, or there are fewer to take back
   */
  async preview(target: UndoTarget): Promise<UndoPreview> {
    const checkpoints = await this.checkpoints();
    const rewind = target.kind === "rewind"
      ? await findRewind(this.#world.root, this.id, target.turn)
      : undefined;
    const given = target.kind === "rollback" ? target.to : rewind?.to ?? 0;
    const to = target.kind === "undo" ? beforeLast(checkpoints, target.steps) : given;
    const last = checkpoints.at(-1)?.number ?? 0;
    const rollback = await previewRollback(this.#store.git, this.id, to, { last });
    const live = liveAfter(checkpoints, to);
    const files = withUnkept(rollback.files, this.#history().filter(({ number }) => number > to));
    return {
      kind: target.kind,
      session: this.id,
      ...(rewind === undefined ? {} : { rewind }),
      to,
      number: last + 1,
      takenBack: checkpoints.filter(({ number, isLive }) => isLive && !live.includes(number))
        .reverse(),
      broughtBack: checkpoints.filter(({ number, isLive }) => !isLive && live.includes(number)),
      files,
      patch: (await prepareRollback(this.#store.git, { ...rollback, files }, {
        overwriteConflicts: true,
      }))
        .changes.patch,
    };
  }

  /**
   * Brings the files of a preview back and records it.
   *
   * @param options.force overwrites files in conflict too; the undo's checkpoint keeps what they held
   * @throws {WorkFailed} naming the files in conflict; nothing is written then
   * @throws {EditConflict} when a file has changed since the preview; nothing is written then
   */
  async carryOut(preview: UndoPreview, options: { force?: boolean } = {}): Promise<void> {
    const { files, rewind } = preview;
    const conflicts = files.filter(({ verdict }) => verdict === "conflict");
    if (conflicts.length > 0 && !options.force) throw conflictError(conflicts);
    if (movesFiles(preview)) await this.#takeBack(preview);
    if (rewind !== undefined) {
      await rewindConversation(this.#world.root, this.#open.session, rewind, this.state);
    }
    await this.#project();
  }

  async #takeBack({ kind: asked, to, number, files, rewind }: UndoPreview): Promise<void> {
    const kind = asked === "rewind" ? "rollback" : asked;
    const turn = rewind?.place.turn ?? null;
    const rollback = { session: this.id, to, undone: [], files };
    const prepared = await prepareRollback(this.#store.git, rollback, { overwriteConflicts: true });
    const { commit } = await createCheckpoint(this.#git, {
      session: this.id,
      number,
      files: prepared.restored.map(({ path, current, target }) => ({
        path,
        before: current,
        after: target,
      })),
      store: this.#store,
      message: undoSubject(kind, to),
      atMs: this.#world.clock.now().getTime(),
    });
    const along = turn === null ? {} : { turn };
    const undo = { type: "undo", kind, to, number, commit, ...along } as const;
    this.#open.session.append([{ ...undo, status: "begun" }]);
    try {
      await applyChanges(this.#git, prepared.changes);
    } catch (error) {
      const hasWritten = !(error instanceof EditConflict) && await this.#hasBegun(prepared);
      if (!hasWritten) {
        await removeCheckpoint(this.#git, { session: this.id, number, commit });
        this.#open.session.append([{ ...undo, status: "dropped" }]);
      }
      throw error;
    }
    const paths = prepared.restored.map(({ path }) => path);
    this.#open.session.append([
      ...this.#cutOff === undefined ? [] : [this.#cutOff],
      ...undoDrafts(this.state, this.#history(), { kind, to, number, commit, files: paths, turn }),
    ]);
    this.#cutOff = undefined;
  }

  /** Lets go of the session. */
  close(): void {
    this.#release();
  }

  /** The checkpoints of the log, and the one of a task that was cut off. */
  #history(): CheckpointState[] {
    const { checkpoints } = this.state;
    return this.#cutOff === undefined ? checkpoints : [...checkpoints, checkpointOf(this.#cutOff)];
  }

  async #hasBegun({ restored }: PreparedRollback): Promise<boolean> {
    const now = await keepTreeFiles(this.#store.git, restored.map(({ path }) => path));
    return restored.some(({ path, current }) => !isSameKept(now.get(path) ?? null, current));
  }

  /** Brings the documents up to date, unless those in planning/ are another session's or put away. */
  async #project(): Promise<void> {
    const { root } = this.#world;
    if (this.state.goal === null || !ownsDocuments(root, this.id)) return;
    const history = (document: Parameters<typeof documentHistory>[2]) =>
      documentHistory(root, this.id, document);
    await new Projection(root, this.id, history).write(this.state);
  }
}

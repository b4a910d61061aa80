/**
 * The project's checks: run, recorded one by one, never twice in an attempt nor on one tree.
 * Rule: all of them have to pass; how each ended is evidence, kept with its output.
 */
import { sessionTree } from "../agent/session_tree.ts";
import { TreeWatch } from "../agent/tree_watch.ts";
import { ownTouches, type RecordDraft, type RecordOf } from "../session/records.ts";
import { runCheck } from "../ship/checks/run_check.ts";
import { isSameCheck } from "./fold_checks.ts";
import { expectAllowed } from "./checks/changed_check.ts";
import { putBack } from "./put_back.ts";
import type { WorkflowState } from "./state.ts";
import type { Work } from "./work.ts";

/** One of the project's checks. */
export type Check = NonNullable<WorkflowState["project"]>["checks"][number];

/**
 * Runs the checks that have not ended in this attempt.
 *
 * @throws {Interrupted} the signal's reason, when the user interrupts
 */
export async function runChecks(work: Work): Promise<void> {
  const { world } = work.parts.conversation;
  const onOutput = (text: string) => world.onEvent({ type: "tool_output", text });
  for (const check of work.state.project?.checks ?? []) {
    if (work.attempt.checks.some((ended) => isSameCheck(ended, check))) continue;
    const { task } = work.attempt.about;
    const how = { purpose: "attempt", task, signal: work.signal, onOutput } as const;
    const draft = await runOne(work, check, how);
    if (draft !== undefined) work.append(draft);
  }
}

/** What a check is run for, and who follows it. */
interface CheckRun {
  purpose: RecordOf<"check">["purpose"];
  task: string | null;
  signal: AbortSignal;
  onOutput(text: string): void;
  /** How long it may take, where that is less than for any check. */
  maxSeconds?: number | undefined;
}

/**
 * Runs a check on the tree as it stands.
 *
 * @returns its record; undefined when it has passed on this very tree before, and was not run again
 * @throws {UsageError} when it is a command like any other, and is not allowed
 * @throws the signal's reason, when it is aborted
 */
export async function runOne(
  work: Work,
  check: Check,
  { purpose, task, signal, onOutput, maxSeconds = Infinity }: CheckRun,
): Promise<RecordDraft | undefined> {
  signal.throwIfAborted();
  const { conversation, sandbox, commands, onEvent } = work.parts;
  const { world } = conversation;
  const { name, command } = check;
  await expectAllowed(work, check, signal);
  const watch = await TreeWatch.begin(sessionTree(work.place, commands.keepBytes), signal);
  const last = work.state.lastChecks.find((known) => isSameCheck(known, check));
  if (last?.passed && last.tree !== null && last.tree === watch.treeBefore) {
    const text = `check ${name} passed on this very tree before, and is not run again: ${command}`;
    onEvent({ type: "notice", text });
    return undefined;
  }
  const seen = await watch.checkedOutTree(signal);
  onEvent({ type: "check_started", name, command, task, purpose });
  const end = await runCheck({
    sandbox,
    commands: { ...commands, maxSeconds: Math.min(commands.maxSeconds, maxSeconds) },
    clock: world.clock,
    secrets: world.secrets,
    signal,
    onOutput,
  }, check);
  const settled = await putBack(work, await watch.end());
  if (settled.restored.length > 0) {
    const names = settled.restored.join(", ");
    const text = `The check "${name}" rewrites files. Put back, because they hold work of yours: ` +
      `${names}. Turn off what makes it change files (--fix, --write, fix = true).`;
    world.onEvent({ type: "notice", text });
  }
  const own = ownTouches(settled);
  if (own.length > 0) {
    const names = own.map(({ path }) => path).join(", ");
    const text = `The check "${name}" changed files, which the commit will hold: ${names}.`;
    world.onEvent({ type: "notice", text });
  }
  const tree = "unknown" in settled.tree ? settled.tree : "unknown" in seen ? seen : settled.tree;
  return { type: "check", ...end, task, purpose, ...settled, tree };
}

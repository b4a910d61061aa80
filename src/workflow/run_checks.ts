/**
 * The project's checks: run, recorded one by one, never twice in an attempt.
 * Rule: all of them have to pass; how each ended is evidence, kept with its output.
 */
import { sessionTree } from "../agent/session_tree.ts";
import { TreeWatch } from "../agent/tree_watch.ts";
import { runCheck } from "../ship/checks/run_check.ts";
import { putBack } from "./put_back.ts";
import type { WorkflowState } from "./state.ts";
import type { Work } from "./work.ts";

type Check = NonNullable<WorkflowState["project"]>["checks"][number];

/**
 * Runs the checks that have not ended in this attempt.
 *
 * @returns whether all passed
 * @throws {Interrupted} the signal's reason, when the user interrupts
 */
export async function runChecks(work: Work): Promise<boolean> {
  for (const check of work.state.project?.checks ?? []) {
    const hasEnded = work.attempt.checks.some(({ name, command }) =>
      name === check.name && command === check.command
    );
    if (!hasEnded) await runAndRecord(work, check);
  }
  return work.attempt.checks.every(({ passed }) => passed);
}

async function runAndRecord(work: Work, check: Check): Promise<void> {
  work.throwIfInterrupted();
  const { conversation, sandbox, commands, onEvent } = work.parts;
  const { world } = conversation;
  const { name, command } = check;
  const { task } = work.attempt.about;
  onEvent({ type: "check_started", name, command, task });
  const watch = await TreeWatch.begin(sessionTree(work.place, commands.keepBytes), work.signal);
  const end = await runCheck({
    sandbox,
    commands,
    clock: world.clock,
    secrets: world.secrets,
    signal: work.signal,
    onOutput: (text) => world.onEvent({ type: "tool_output", text }),
  }, check);
  const settled = await putBack(work, await watch.end());
  if (settled.restored.length > 0) {
    const names = settled.restored.join(", ");
    const text = `The check "${name}" rewrites files. Put back, because they hold work of yours: ` +
      `${names}. Turn off what makes it change files (--fix, --write, fix = true).`;
    world.onEvent({ type: "notice", text });
  }
  work.append({
    type: "check",
    ...end,
    task,
    purpose: "attempt",
    ...settled,
  });
}

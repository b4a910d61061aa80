/**
 * The project's checks: run, recorded one by one, never twice in an attempt.
 * Rule: all of them have to pass; how each ended is evidence, kept with its output.
 */
import { cleanText } from "../agent/clean.ts";
import { runCommandLine } from "../agent/command.ts";
import { capText, stripControlSequences } from "../platform/text.ts";
import { TIMEOUT_EXIT_CODE } from "./causes.ts";
import type { WorkflowState } from "./state.ts";
import type { Work } from "./work.ts";

type Check = NonNullable<WorkflowState["project"]>["checks"][number];

/** What a record keeps of a check's output, in bytes. */
const RECORDED_BYTES = 32 * 1024;

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
    if (!hasEnded) await runCheck(work, check);
  }
  return work.attempt.checks.every(({ passed }) => passed);
}

async function runCheck(work: Work, { name, command }: Check): Promise<void> {
  work.throwIfInterrupted();
  const { conversation, sandbox, commands, onEvent } = work.parts;
  const { clock, secrets } = conversation.world;
  const { task } = work.attempt.about;
  onEvent({ type: "check_started", name, command, task });
  const result = await runCommandLine(sandbox, {
    commandLine: command,
    timeoutMs: commands.maxSeconds * 1000,
    outputBytes: commands.outputBytes,
    signal: work.signal,
    clock,
    onOutput: (text) => conversation.world.onEvent({ type: "tool_output", text }),
  });
  const { exitCode, timedOut, durationMs } = result;
  const output = cleanText(stripControlSequences(result.output), secrets);
  work.append({
    type: "check",
    name,
    command,
    task,
    passed: exitCode === 0 && !timedOut,
    exitCode: timedOut ? TIMEOUT_EXIT_CODE : exitCode,
    output: capText(output, RECORDED_BYTES).text,
    durationMs,
    purpose: "attempt",
    tests: null,
    tree: { unknown: "not taken" },
    touched: [],
  });
}

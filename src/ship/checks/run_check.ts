/**
 * Running one check of the project's, on the tree as it stands or on a checkout in its place.
 * Rule: how it ended is evidence, kept with its output and the number of tests that it ran.
 */
import { cleanText } from "../../agent/clean.ts";
import { runCommandLine } from "../../agent/command.ts";
import type { Sandbox } from "../../agent/sandbox.ts";
import type { Proof } from "../../agent/sandbox_proof.ts";
import type { Clock } from "../../platform/clock.ts";
import { capText, stripControlSequences } from "../../platform/text.ts";
import type { RecordOf } from "../../session/records.ts";
import { countTests } from "./test_count.ts";

/** Exit code that is recorded for a command that was stopped because its time was over, as of timeout(1). */
export const TIMEOUT_EXIT_CODE = 124;

/** What a record keeps of a check's output, in bytes. */
const RECORDED_BYTES = 32 * 1024;

/** What checks need of the world. */
export interface CheckWorld {
  sandbox: Sandbox;
  commands: { maxSeconds: number; outputBytes: number };
  clock: Clock;
  /** Texts that must not reach the log. */
  secrets: readonly string[];
  signal: AbortSignal;
  /** Output as it comes. */
  onOutput(text: string): void;
}

/** A command that proves something. */
export interface Check {
  name: string;
  command: string;
}

/** How it ended, as a record has it. */
export type CheckEnd = Pick<
  RecordOf<"check">,
  "name" | "command" | "passed" | "exitCode" | "output" | "durationMs" | "tests"
>;

/**
 * Runs a check to its end, or until its time is over.
 *
 * @param proof the checkout that it is run on; without one, the tree as it stands
 * @throws {WorkFailed} when a sandbox is required and there is none
 * @throws the signal's reason when it is aborted
 */
export async function runCheck(
  { sandbox, commands, clock, secrets, signal, onOutput }: CheckWorld,
  { name, command }: Check,
  proof?: Proof,
): Promise<CheckEnd> {
  const result = await runCommandLine(sandbox, {
    commandLine: command,
    ...(proof === undefined ? {} : { proof }),
    timeoutMs: commands.maxSeconds * 1000,
    outputBytes: commands.outputBytes,
    signal,
    clock,
    onOutput,
  });
  const output = cleanText(stripControlSequences(result.output), secrets);
  return {
    name,
    command,
    passed: result.exitCode === 0 && !result.timedOut,
    exitCode: result.timedOut ? TIMEOUT_EXIT_CODE : result.exitCode,
    output: capText(output, RECORDED_BYTES).text,
    durationMs: result.durationMs,
    tests: countTests(output) ?? null,
  };
}

/**
 * Running a command of the project's: a model's or a check.
 * Rule: in the sandbox, without secrets in its environment, bounded in time and output, and nothing of it outlives it.
 */
import type { Clock } from "../platform/clock.ts";
import { runProcess } from "../platform/processes.ts";
import { ControlSequenceStripper, decodeLossy } from "../platform/text.ts";
import type { Launch, Sandbox } from "./sandbox.ts";
import type { Proof } from "./sandbox_proof.ts";
import type { SandboxKind } from "./sandbox_trial.ts";

/** Of a command's output no more than this is handed on as it comes, in bytes: nobody reads a flood. */
const MAX_SHOWN_BYTES = 1024 * 1024;
const NOT_SHOWN =
  `\n[What this prints behind its first ${MAX_SHOWN_BYTES} bytes is not shown here]\n`;

/** What to run and within which bounds. */
export interface CommandRequest {
  /** Text for `sh`, run in the project's root. */
  commandLine: string;
  /** A checkout that stands in the project's place; without one it is the project itself. */
  proof?: Proof;
  timeoutMs: number;
  /** Of the output, how many bytes to keep, head and tail. */
  outputBytes: number;
  signal: AbortSignal;
  clock: Clock;
  /** Output as it comes, without control sequences; of a flood only the beginning. */
  onOutput(text: string): void;
}

/** How a command ended. */
export interface CommandResult {
  exitCode: number;
  timedOut: boolean;
  durationMs: number;
  /** Both streams as they came, head and tail; what is not UTF-8 is U+FFFD. */
  output: string;
  sandbox: SandboxKind;
  /** Something of it may still run: it was seen to, and nothing here could end it. */
  leftRunning: boolean;
}

/**
 * Runs a command to its end, or kills all of it when its time is over.
 *
 * @throws {WorkFailed} when a sandbox is required and there is none
 * @throws the signal's reason when it is aborted
 */
export async function runCommandLine(
  sandbox: Sandbox,
  request: CommandRequest,
): Promise<CommandResult> {
  const launch = await sandbox.launch(request.commandLine, request.proof);
  try {
    request.signal.throwIfAborted();
    return await runLaunched(launch, request);
  } finally {
    await launch.ended();
  }
}

async function runLaunched(
  { script, args, cwd, sandbox }: Launch,
  request: CommandRequest,
): Promise<CommandResult> {
  const decoder = new TextDecoder();
  const stripper = new ControlSequenceStripper();
  let shownBytes = 0;
  const result = await runProcess({
    script,
    args,
    cwd,
    timeoutMs: request.timeoutMs,
    signal: request.signal,
    maxOutputBytes: request.outputBytes,
    onOutput: (bytes) => {
      if (shownBytes === MAX_SHOWN_BYTES) return;
      const piece = bytes.subarray(0, MAX_SHOWN_BYTES - shownBytes);
      shownBytes += piece.byteLength;
      const shown = stripper.push(decoder.decode(piece, { stream: true }));
      if (shown !== "") request.onOutput(shown);
      if (shownBytes === MAX_SHOWN_BYTES) request.onOutput(NOT_SHOWN);
    },
    leavesNothing: true,
    clock: request.clock,
  });
  if (result.aborted) throw request.signal.reason;
  return {
    exitCode: result.code,
    timedOut: result.timedOut,
    durationMs: Math.round(result.durationMs),
    output: decodeLossy(result.stdout) + decodeLossy(result.stderr),
    sandbox,
    leftRunning: result.leftRunning,
  };
}

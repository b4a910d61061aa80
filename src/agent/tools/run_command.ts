/**
 * run_command: a command line in the project's root.
 * Rule: asks first unless the configuration allows the command; how it ended is always said.
 */
import { z } from "zod";
import { stripControlSequences } from "../../platform/text.ts";
import { isAllowedCommand, refusalOf } from "../approval.ts";
import { type CommandResult, runCommandLine } from "../command.ts";
import { failed, orFailed } from "../outcome.ts";
import type { Sandbox } from "../sandbox.ts";
import { sessionTree } from "../session_tree.ts";
import type { Tool } from "../tool.ts";
import { TreeWatch } from "../tree_watch.ts";

/** As a shell says that a command was interrupted. */
const INTERRUPTED_EXIT_CODE = 130;

/** What the configuration says about commands. */
export interface CommandSettings {
  /** Commands that need no question, by their first words. */
  allowed: readonly string[];
  /** How long a command may take. */
  maxSeconds: number;
  /** How much of its output is kept. */
  outputBytes: number;
  /** Of files up to this size the contents are kept. */
  keepBytes: number;
}

const input = z.object({
  command: z.string().min(1).max(32_768),
  timeout_seconds: z.int().min(1).optional().describe(
    "The configured limit by default, and at most.",
  ),
});

/** Makes the tool that runs commands in `sandbox`. */
export function runCommand(
  settings: CommandSettings,
  sandbox: Sandbox,
): Tool<z.infer<typeof input>> {
  return {
    name: "run_command",
    description:
      "Run a command line (sh) in the project's root: a build, tests, a linter; not to read or change " +
      "files. It gets no input, and nothing keeps running after it. In the sandbox it can write to the " +
      "project (not to .git) and to /tmp only, usually without a network.",
    input,
    effect: "run",
    async afterCutOff(context) {
      const settled = await TreeWatch.settle(sessionTree(context, settings.keepBytes));
      return settled && { kind: "cut_off", ...settled };
    },
    run: ({ command, timeout_seconds }, context) =>
      orFailed(async () => {
        if (command.includes("\0")) return failed("a command cannot hold NUL");
        if (!isAllowedCommand(command, settings.allowed)) {
          const where = await sandbox.kind() === "none" ? " without a sandbox" : "";
          const answer = await context.approve({
            tool: "run_command",
            summary: `run${where}: ${firstLine(command)}`,
            detail: command,
            scope: { keys: [`run ${command}`], words: "this command line" },
          });
          if (!answer.isAllowed) return failed(refusalOf("The command was not run.", answer));
        }
        const { signal } = context;
        const watch = await TreeWatch.begin(sessionTree(context, settings.keepBytes), signal);
        context.intend({ done: "", changes: [] });
        const seconds = Math.min(timeout_seconds ?? settings.maxSeconds, settings.maxSeconds);
        const startedMs = context.clock.monotonicMs();
        let result: CommandResult;
        try {
          result = await runCommandLine(sandbox, {
            commandLine: command,
            timeoutMs: seconds * 1000,
            outputBytes: settings.outputBytes,
            signal,
            clock: context.clock,
            onOutput: context.onOutput,
          });
        } catch (error) {
          // What it has changed until it was interrupted is its work all the same.
          const watched = await watch.end();
          if (signal.aborted) {
            const durationMs = Math.round(context.clock.monotonicMs() - startedMs);
            const ended = { exitCode: INTERRUPTED_EXIT_CODE, timedOut: false, durationMs };
            const kind = { kind: "command", command, sandbox: await sandbox.kind() } as const;
            context.cutOff({ ...kind, ...ended, ...watched });
          }
          throw error;
        }
        const { exitCode, timedOut, durationMs } = result;
        return {
          output: `${result.output.trimEnd()}\n[${endOf(result, seconds)}]`.trimStart(),
          isError: timedOut || exitCode !== 0,
          outcome: {
            kind: "command",
            command,
            exitCode,
            timedOut,
            durationMs,
            sandbox: result.sandbox,
            ...await watch.end(),
          },
        };
      }),
  };
}

function firstLine(command: string): string {
  const lines = command.split("\n");
  const line = stripControlSequences(lines[0] ?? "");
  if (line.length === command.length && line.length <= 100) return line;
  const more = lines.length > 1 ? ` (${lines.length} lines)` : "";
  return `${line.slice(0, 100)}…${more}`;
}

function endOf(
  { exitCode, timedOut, durationMs, leftRunning }: CommandResult,
  seconds: number,
): string {
  const left = leftRunning ? "; something that it has started still runs" : "";
  if (timedOut) return `stopped after ${seconds} s${left}`;
  return `exit code ${exitCode}, ${(durationMs / 1000).toFixed(1)} s${left}`;
}

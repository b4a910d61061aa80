/**
 * From flags, environment and configuration to what a conversation is opened with.
 * Rule: every command that talks to a model opens it here, so that the same settings mean the same everywhere.
 */
import type { Opening } from "../agent/open.ts";
import { register, Registry } from "../agent/registry.ts";
import { readFile } from "../agent/tools/read_file.ts";
import { listFiles } from "../agent/tools/list_files.ts";
import { searchFiles } from "../agent/tools/search_files.ts";
import type { CommandContext } from "./program.ts";

/** The flags that change settings, on every command that talks to a model. */
export interface SettingFlags {
  model?: string | undefined;
}

/** The settings of a conversation. */
export function openingOf(
  flags: SettingFlags,
  context: CommandContext,
  ui: Pick<Opening, "clock" | "onEvent">,
): Opening {
  return {
    root: Deno.cwd(),
    environment: context.environment,
    ...(flags.model !== undefined && { modelFlag: flags.model }),
    model: {},
    limits: {
      requestsPerTurn: 50,
      tokensPerSession: 0,
      costPerSession: 0,
      secondsPerTurn: 0,
      repeatedCalls: 5,
    },
    tools: new Registry([register(readFile), register(listFiles), register(searchFiles)]),
    approve: () => Promise.resolve(false),
    ask: ({ options }) => Promise.resolve(options[0] ?? ""),
    ...ui,
  };
}

/**
 * A call of the model's as the protocol's tool call: its kind, its title, its files, what it came to.
 * Rule: pure; texts are stripped of control sequences here, and paths made absolute.
 */
import type {
  ToolCall,
  ToolCallContent,
  ToolCallLocation,
  ToolCallUpdate,
  ToolKind,
} from "@agentclientprotocol/sdk";
import { isAbsolute, join } from "@std/path";
import type { AgentEvent } from "../../agent/events.ts";
import { summarizeCall } from "../../app/telling/call_summary.ts";
import type { JsonValue } from "../../platform/canonical_json.ts";
import { stripControlSequences } from "../../platform/text.ts";
import { type CallOutcome, touchedBy } from "../../session/outcome.ts";
import { shownPatch } from "./diffs.ts";

/** What each tool does, in the protocol's words. One that is not here is "other". */
const KINDS: Readonly<Record<string, ToolKind>> = {
  read_file: "read",
  list_files: "search",
  search_files: "search",
  git_diff: "read",
  edit_file: "edit",
  write_file: "edit",
  delete_file: "delete",
  move_file: "move",
  run_command: "execute",
  find_tool: "search",
  submit_plan: "think",
  finish_task: "think",
};

/** The inputs that name a file. */
const PATHS = ["path", "from", "to"] as const;

/** The kind of a tool. */
export function kindOf(tool: string): ToolKind {
  return Object.hasOwn(KINDS, tool) ? KINDS[tool] ?? "other" : "other";
}

/** The id of a call, the same in every client and after a restart: calls are counted within a session. */
export function callId(call: number): string {
  return `call-${call}`;
}

/** A call that begins. */
export function beginningOf(
  root: string,
  { call, tool, input }: Pick<
    Extract<AgentEvent, { type: "tool_started" }>,
    "call" | "tool" | "input"
  >,
): ToolCall {
  return {
    toolCallId: callId(call),
    title: summarizeCall(tool, input),
    name: stripControlSequences(tool),
    kind: kindOf(tool),
    locations: locationsIn(root, input),
    rawInput: input,
  };
}

/** What a call has come to. */
export function endOf(
  root: string,
  { call, output, isError, outcome }: {
    call: number;
    output: string;
    isError: boolean;
    outcome?: CallOutcome | undefined;
  },
): ToolCallUpdate {
  const patch = outcome?.kind === "change" ? shownPatch(root, outcome.patch) : undefined;
  const touched = touchedBy(outcome).map(({ path }): ToolCallLocation => ({
    path: join(root, path),
  }));
  const locations = patch?.locations ?? touched;
  return {
    toolCallId: callId(call),
    status: isError ? "failed" : "completed",
    content: [...(patch?.content ?? []), textContent(output)],
    ...(locations.length > 0 && { locations }),
    ...(outcome?.kind === "command" && { rawOutput: commandFacts(outcome) }),
  };
}

/** Words of a call's as content. */
export function textContent(text: string): ToolCallContent {
  return { type: "content", content: { type: "text", text: stripControlSequences(text) } };
}

function commandFacts(
  { exitCode, timedOut, durationMs, sandbox }: Extract<CallOutcome, { kind: "command" }>,
): JsonValue {
  return { exitCode, timedOut, durationMs, sandbox };
}

function locationsIn(root: string, input: JsonValue): ToolCallLocation[] {
  if (input === null || typeof input !== "object" || Array.isArray(input)) return [];
  const line = typeof input.start_line === "number" ? { line: input.start_line } : {};
  return PATHS.flatMap((name) => {
    const path = input[name];
    if (typeof path !== "string") return [];
    return [{ path: isAbsolute(path) ? path : join(root, path), ...line }];
  });
}

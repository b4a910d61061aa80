/**
 * The tools of a conversation, in the order in which every model is told of them.
 * Rule: new tools go to the end of their group; the order is part of the frozen baseline.
 */
import { readOwnVariable } from "../platform/environment.ts";
import type { Environment } from "../platform/environment.ts";
import type { Configuration } from "./configuration.ts";
import type { ServerConfiguration } from "./configuration_schema.ts";
import { McpServers } from "./mcp.ts";
import { controlTools, type WorkflowControl } from "./control.ts";
import { register, Registry } from "./registry.ts";
import { Sandbox } from "./sandbox.ts";
import { askUser } from "./tools/ask_user.ts";
import { callTool } from "./tools/call_tool.ts";
import { deleteFile } from "./tools/delete_file.ts";
import { editFile } from "./tools/edit_file.ts";
import { findTool } from "./tools/find_tool.ts";
import { gitDiff } from "./tools/git_diff.ts";
import { listFiles } from "./tools/list_files.ts";
import { moveFile } from "./tools/move_file.ts";
import { readFile } from "./tools/read_file.ts";
import { runCommand } from "./tools/run_command.ts";
import { searchFiles } from "./tools/search_files.ts";
import { writeFile } from "./tools/write_file.ts";

/** What the tools are made from. */
export interface ToolListRequest {
  /** The project's root, a real path. */
  root: string;
  environment: Environment;
  configuration: Pick<Configuration, "commands" | "sandbox" | "mcp">;
  /** The workflow, where there can be one. */
  control?: WorkflowControl;
  /** MCP servers that a client brings, by name. */
  brought?: Readonly<Record<string, ServerConfiguration>>;
}

/**
 * Makes the registry with all tools, and the sandbox that commands run in (the workflow's checks use it too). Closing the
 * registry closes the sandbox and stops the servers.
 *
 * @throws {WorkFailed} when a sandbox is required and there is none
 * @throws {UsageError} when `[tools.mcp]` refers to a variable that is not set
 */
export async function createTools(
  { root, environment, configuration, control, brought }: ToolListRequest,
): Promise<{ registry: Registry; sandbox: Sandbox }> {
  const servers = new McpServers(configuration.mcp, root, readOwnVariable, brought);
  const sandbox = new Sandbox(root, configuration.sandbox, environment);
  await sandbox.refuseIfMissing();
  // Without servers there is nothing to find.
  const outside = [register(findTool(servers)), register(callTool(servers))];
  const registry = new Registry([
    register(readFile),
    register(listFiles),
    register(searchFiles),
    register(editFile),
    register(writeFile),
    register(deleteFile),
    register(moveFile),
    register(runCommand(configuration.commands, sandbox)),
    register(gitDiff),
    register(askUser),
    ...controlTools(control),
    ...(servers.sources.length > 0 ? outside : []),
  ], async () => {
    await Promise.all([servers.close(), sandbox.close()]);
  }, outside);
  return { registry, sandbox };
}

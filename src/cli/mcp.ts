/**
 * `m31a mcp`: memory and ledger for other agents, on stdin and stdout.
 * Rule: stdout belongs to the protocol; the server ends when its client has gone.
 */
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import process from "node:process";
import { createMcpServer } from "../faces/mcp/server.ts";
import type { ExitCode } from "../platform/errors.ts";
import type { CommandContext } from "./command_context.ts";

/** Serves until stdin ends. */
export async function run({ environment, version }: CommandContext): Promise<ExitCode> {
  const server = createMcpServer({ root: Deno.realPathSync("."), environment, version });
  const { promise: isOver, resolve } = Promise.withResolvers<void>();
  process.stdin.on("end", resolve).on("close", resolve);
  await server.connect(new StdioServerTransport());
  await isOver;
  await server.close();
  return 0;
}

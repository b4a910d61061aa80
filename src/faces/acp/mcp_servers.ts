/**
 * The MCP servers that a client brings, as m31a's configuration has servers.
 * Rule: nothing of them is allowed beforehand; each is asked about before it is started or reached.
 */
import type { McpServer } from "@agentclientprotocol/sdk";
import type { ServerConfiguration } from "../../agent/configuration_schema.ts";
import { UsageError } from "../../platform/errors.ts";

/** How long a call of such a server may take: what the configuration has by default. */
const CALL_SECONDS = 60;

/**
 * By their names, in which all but letters, digits, `-` and `_` is replaced.
 *
 * @throws {UsageError} for a server that is reached by the transport SSE, and where two have the same name
 */
export function broughtServers(servers: readonly McpServer[]): Record<string, ServerConfiguration> {
  const brought: Record<string, ServerConfiguration> = {};
  for (const server of servers) {
    const name = server.name.replace(/[^A-Za-z0-9_-]+/g, "-");
    if (Object.hasOwn(brought, name)) {
      throw new UsageError(`two MCP servers are called ${JSON.stringify(name)}; rename one`);
    }
    brought[name] = configurationOf(server);
  }
  return brought;
}

function configurationOf(server: McpServer): ServerConfiguration {
  const preset = { args: [], env: {}, headers: {}, allow: [], seconds: CALL_SECONDS };
  if (!("type" in server)) {
    return { ...preset, command: server.command, args: server.args, env: byName(server.env) };
  }
  if (server.type === "http") {
    return { ...preset, url: server.url, headers: byName(server.headers) };
  }
  throw new UsageError(
    `the MCP server ${
      JSON.stringify(server.name)
    }: m31a reaches servers by stdio and by streamable HTTP, not by SSE`,
  );
}

function byName(pairs: readonly { name: string; value: string }[]): Record<string, string> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}

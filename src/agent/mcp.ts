/**
 * The MCP servers of the configuration, as one source of tools.
 * Rule: nothing is started before it is needed and allowed; a server that fails is a sentence, not an end.
 */
import type { JsonValue } from "../platform/canonical_json.ts";
import { messageOf, UsageError } from "../platform/errors.ts";
import { looksSecret } from "./command_environment.ts";
import type { ServerConfiguration } from "./configuration_schema.ts";
import { outcomeOf } from "./mcp_result.ts";
import { McpServer } from "./mcp_server.ts";
import { failed } from "./outcome.ts";
import type { OutsideTool, OutsideTools } from "./outside_tools.ts";
import type { ToolContext, ToolOutcome } from "./tool.ts";

/** The configured servers. */
export class McpServers implements OutsideTools {
  readonly sources: readonly string[];
  readonly #servers: readonly McpServer[];
  readonly #refused = new Set<string>();

  /**
   * @param configuration `[tools.mcp]`
   * @param root the project's root, where programs start
   * @param lookUp gives the value of an `M31A_*` variable
   * @throws {UsageError} when the configuration refers to a variable that is not set
   */
  constructor(
    configuration: Readonly<Record<string, ServerConfiguration>>,
    root: string,
    lookUp: (name: string) => string | undefined,
  ) {
    this.#servers = Object.entries(configuration).map(([name, server]) => {
      const secrets: string[] = [];
      const fill = (text: string) =>
        text.replace(/\$\{(\w+)\}/g, (_, variable: string) => {
          const value = lookUp(variable);
          if (value === undefined) {
            throw new UsageError(
              `planning/config.toml: tools.mcp.${name} refers to ${variable}, which is not set ` +
                "(only M31A_* variables can be referred to)",
            );
          }
          secrets.push(value);
          return value;
        });
      const filled = { env: mapValues(server.env, fill), headers: mapValues(server.headers, fill) };
      secrets.push(...secretsIn(filled.headers), ...secretsIn(filled.env));
      return new McpServer(name, { ...server, ...filled }, root, secrets);
    });
    this.sources = Object.keys(configuration);
  }

  async list(context: ToolContext): Promise<{ tools: OutsideTool[]; problems: string[] }> {
    const allowed: McpServer[] = [];
    const problems: string[] = [];
    for (const server of this.#servers) {
      if (await this.#mayStart(server, context)) allowed.push(server);
      else problems.push(`The server ${server.name} was not started: the user did not allow it.`);
    }
    const lists = await Promise.all(allowed.map((server) => this.#toolsOf(server, context)));
    context.signal.throwIfAborted();
    return {
      tools: lists.flatMap(({ tools }) => tools),
      problems: [...problems, ...lists.flatMap(({ problem }) => problem ?? [])],
    };
  }

  async call(
    name: string,
    input: { [name: string]: JsonValue },
    context: ToolContext,
  ): Promise<ToolOutcome> {
    const [source, ...rest] = name.split("/");
    const server = this.#servers.find((candidate) => candidate.name === source);
    if (server === undefined) return failed(`There is no server ${JSON.stringify(source)}.`);
    return outcomeOf(await server.call(rest.join("/"), input, context.signal));
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()));
  }

  /** A server with tools that need no question is vouched for; any other program is asked about, once. */
  async #mayStart(server: McpServer, context: ToolContext): Promise<boolean> {
    const program = server.programToStart;
    if (program === undefined || server.configuration.allow.length > 0) return true;
    if (this.#refused.has(server.name)) return false;
    const { isAllowed } = await context.approve({
      tool: "find_tool",
      summary: `start the server ${server.name}, outside the sandbox`,
      detail: program,
      scope: {
        keys: [`start ${server.name} ${program}`],
        words: `starting the server ${server.name} by this command line`,
      },
    });
    if (!isAllowed) this.#refused.add(server.name);
    return isAllowed;
  }

  async #toolsOf(
    server: McpServer,
    context: ToolContext,
  ): Promise<{ tools: OutsideTool[]; problem?: string }> {
    try {
      const tools = await server.tools(context.signal);
      return {
        tools: tools.map((tool) => ({
          ...tool,
          name: `${server.name}/${tool.name}`,
          isAllowed: server.configuration.allow.includes(tool.name),
        })),
      };
    } catch (error) {
      return { tools: [], problem: messageOf(error) };
    }
  }
}

/** Values that are given to a server under a name that speaks of a secret: all of it, and the word behind "Bearer". */
function secretsIn(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    looksSecret(name) ? [value, ...value.split(/\s+/)] : []
  );
}

function mapValues(
  record: Readonly<Record<string, string>>,
  change: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

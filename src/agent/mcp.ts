/**
 * The MCP servers of the configuration, as one source of tools.
 * Rule: nothing is started before it is needed and allowed; a server that fails is a sentence, not an end.
 */
import type { JsonValue } from "../platform/canonical_json.ts";
import { changedSince, startedByLines } from "../git/started_files.ts";
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
  readonly #brought: ReadonlySet<McpServer>;
  readonly #refused = new Set<string>();
  readonly #root: string;

  /**
   * @param configuration `[tools.mcp]`
   * @param root the project's root, where programs start
   * @param lookUp gives the value of an `M31A_*` variable
   * @param brought by an editor or another client: none of m31a's variables is filled in, and each is asked about
   *   before it is started or reached. One whose name is taken gets a number.
   * @throws {UsageError} when the configuration refers to a variable that is not set
   */
  constructor(
    configuration: Readonly<Record<string, ServerConfiguration>>,
    root: string,
    lookUp: (name: string) => string | undefined,
    brought: Readonly<Record<string, ServerConfiguration>> = {},
  ) {
    this.#root = root;
    const configured = Object.entries(configuration).map(([name, server]) => {
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
    const names = Object.keys(configuration);
    const others = Object.entries(brought).map(([given, server]) => {
      const name = freeName(given, names);
      names.push(name);
      const secrets = [...secretsIn(server.headers), ...secretsIn(server.env)];
      return new McpServer(name, server, root, secrets);
    });
    this.#servers = [...configured, ...others];
    this.#brought = new Set(others);
    this.sources = names;
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
      problems: [...problems, ...lists.flatMap(({ problems }) => problems)],
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
    return outcomeOf(
      await server.call(rest.join("/"), input, context.signal),
      await context.takesImages(),
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()));
  }

  /**
   * A configured server that has tools which need no question is vouched for, and so is one that is only reached: its
   * address was trusted. Anything else is asked about, once.
   */
  async #mayStart(server: McpServer, context: ToolContext): Promise<boolean> {
    const { toOpen } = server;
    if (toOpen === undefined) return true;
    const changed = changedSince(server.started, startedByLines(this.#root, [toOpen.what]));
    const isVouchedFor = toOpen.how === "reach" ||
      server.configuration.allow.length > 0 && changed.length === 0;
    if (isVouchedFor && !this.#brought.has(server)) return true;
    if (this.#refused.has(server.name)) return false;
    const words = WORDS[toOpen.how];
    const { isAllowed } = await context.approve({
      tool: "find_tool",
      summary: words.summary(server.name),
      detail: [toOpen.what, ...changed.map((path) => `changed since m31a began: ${path}`)].join(
        "\n",
      ),
      scope: {
        keys: changed.length > 0 ? [] : [`${toOpen.how} ${server.name} ${toOpen.what}`],
        words: words.scope(server.name),
      },
    });
    if (!isAllowed) this.#refused.add(server.name);
    return isAllowed;
  }

  async #toolsOf(
    server: McpServer,
    context: ToolContext,
  ): Promise<{ tools: OutsideTool[]; problems: string[] }> {
    try {
      const { tools, problems } = await server.tools(context.signal);
      return {
        tools: tools.map((tool) => ({
          ...tool,
          name: `${server.name}/${tool.name}`,
          isAllowed: server.configuration.allow.includes(tool.name),
        })),
        problems: problems.map((problem) => `The server ${server.name} ${problem}.`),
      };
    } catch (error) {
      return { tools: [], problems: [messageOf(error)] };
    }
  }
}

/** What is asked before a server is opened. */
const WORDS = {
  start: {
    summary: (name: string) => `start the server ${name}, outside the sandbox`,
    scope: (name: string) => `starting the server ${name} by this command line`,
  },
  reach: {
    summary: (name: string) => `reach the server ${name}`,
    scope: (name: string) => `reaching the server ${name} at this address`,
  },
} as const;

function freeName(name: string, taken: readonly string[]): string {
  if (!taken.includes(name)) return name;
  let number = 2;
  while (taken.includes(`${name}-${number}`)) number++;
  return `${name}-${number}`;
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

/**
 * One MCP server: connected when it is first needed, again after it has ended.
 * Rule: whatever the server does, each question to it ends in an answer or an error within its time.
 */
import { Client } from "@modelcontextprotocol/sdk/client";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport";
// @ts-types="@modelcontextprotocol/sdk/types"
import {
  ResultSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { startedByLines, type StartedFiles } from "../git/started_files.ts";
import type { JsonValue } from "../platform/canonical_json.ts";
import { messageOf, WorkFailed } from "../platform/errors.ts";
import { capText, maskSecrets, stripControlSequences } from "../platform/text.ts";
import { cleanJson } from "./clean.ts";
import type { ServerConfiguration } from "./configuration_schema.ts";
import { readTools, type ServerTools, toolPage } from "./mcp_list.ts";
import { httpTransport } from "./mcp_http.ts";
import { StdioTransport } from "./mcp_stdio.ts";

const MAX_ERROR_BYTES = 2_000;

/** A configured server. */
export class McpServer {
  readonly name: string;
  readonly configuration: ServerConfiguration;
  /** The project's files that its command line starts, as they are when this is made. */
  readonly started: StartedFiles;
  readonly #root: string;
  readonly #secrets: readonly string[];
  #connection: Promise<Connection> | undefined;

  /**
   * @param configuration with the variables in `env` and `headers` filled in
   * @param root the folder that a program starts in
   * @param secrets what the server is given and must not say: it is masked before anything is cut
   */
  constructor(
    name: string,
    configuration: ServerConfiguration,
    root: string,
    secrets: readonly string[],
  ) {
    this.#secrets = secrets;
    this.name = name;
    this.configuration = configuration;
    this.#root = root;
    this.started = startedByLines(root, [lineOf(configuration)]);
  }

  /** The program that would have to be started now, or the address to be reached; `undefined` while it is connected. */
  get toOpen(): { how: "start" | "reach"; what: string } | undefined {
    const { command, url = "" } = this.configuration;
    if (this.#connection !== undefined) return undefined;
    if (command === undefined) return { how: "reach", what: url };
    return { how: "start", what: lineOf(this.configuration) };
  }

  /**
   * The server's tools.
   *
   * @throws {WorkFailed} when it cannot be reached, does not answer in time or answers nonsense
   */
  async tools(signal: AbortSignal): Promise<ServerTools> {
    const connection = await this.#connected(signal);
    const { client, transport } = connection;
    if (connection.hasChanged) {
      connection.hasChanged = false;
      try {
        connection.tools = await this.#listTools(client, signal);
      } catch (error) {
        connection.hasChanged = true;
        throw this.#failure(error, transport);
      }
    }
    return connection.tools;
  }

  /**
   * Calls a tool; resolves to the server's raw answer.
   *
   * @throws {WorkFailed} as {@linkcode tools} does
   */
  async call(
    name: string,
    input: { [name: string]: JsonValue },
    signal: AbortSignal,
  ): Promise<unknown> {
    const { client, transport } = await this.#connected(signal);
    try {
      // Not callTool(): it compiles the schemas that the server sends.
      const params = { name, arguments: input };
      const request = { method: "tools/call", params } as const;
      return this.#masked(await client.request(request, ResultSchema, this.#bounds(signal)));
    } catch (error) {
      throw this.#failure(error, transport);
    }
  }

  async close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.then(({ client }) => client.close(), () => {});
  }

  #connected(signal: AbortSignal): Promise<Connection> {
    if (this.#connection !== undefined) return this.#connection;
    const connection = this.#connect(signal);
    this.#connection = connection;
    const forget = () => {
      if (this.#connection === connection) this.#connection = undefined;
    };
    connection.then(({ client }) => client.onclose = forget, forget);
    return connection;
  }

  async #connect(signal: AbortSignal): Promise<Connection> {
    const client = new Client({ name: "m31a", version: "1" });
    const transport = this.#transport();
    try {
      await client.connect(transport, this.#bounds(signal));
      const tools = await this.#listTools(client, signal);
      const connection: Connection = { client, transport, tools, hasChanged: false };
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
        connection.hasChanged = true;
      });
      return connection;
    } catch (error) {
      await client.close().catch(() => {});
      await transport.close().catch(() => {});
      throw this.#failure(error, transport);
    }
  }

  async #listTools(client: Client, signal: AbortSignal): Promise<ServerTools> {
    return await readTools((cursor) => {
      const params = cursor === undefined ? {} : { cursor };
      const request = { method: "tools/list", params } as const;
      return client.request(request, toolPage, this.#bounds(signal));
    }, this.#secrets);
  }

  #transport(): Transport {
    const { command, args, env, url, headers } = this.configuration;
    if (command !== undefined) {
      return new StdioTransport({ command, args, env, cwd: this.#root }, this.#secrets);
    }
    return httpTransport(url ?? "", headers);
  }

  /** What the server sent, as JSON without the secrets. */
  #masked(value: unknown): JsonValue {
    const json: JsonValue = JSON.parse(JSON.stringify(value));
    return cleanJson(json, this.#secrets);
  }

  #bounds(signal: AbortSignal): { timeout: number; maxTotalTimeout: number; signal: AbortSignal } {
    const limitMs = this.configuration.seconds * 1000;
    return { timeout: limitMs, maxTotalTimeout: limitMs, signal };
  }

  #failure(error: unknown, transport: Transport): WorkFailed {
    const complaint = transport instanceof StdioTransport ? transport.complaint : "";
    const said = maskSecrets(messageOf(error), this.#secrets);
    const why = isUnauthorized(error)
      ? UNAUTHORIZED
      : stripControlSequences(said).replace(/^MCP error -?\d+: /, "");
    const text = `The server ${this.name}: ${why}${
      complaint === "" ? "" : ` (it says: ${complaint})`
    }`;
    return new WorkFailed(capText(text, MAX_ERROR_BYTES).text, { cause: error });
  }
}

/** What helps where a server wants to know who asks. */
const UNAUTHORIZED = "it asks for authorization (401). Give it a token: " +
  'headers = { Authorization = "Bearer ${M31A_TOKEN}" } in its table of planning/config.toml, and M31A_TOKEN set.';

function isUnauthorized(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === 401;
}

interface Connection {
  client: Client;
  transport: Transport;
  tools: ServerTools;
  /** The server has said that its list is another now. */
  hasChanged: boolean;
}

function lineOf({ command = "", args }: ServerConfiguration): string {
  return [command, ...args].join(" ");
}

/**
 * m31a's memory and ledger for other agents, over the Model Context Protocol.
 * Rule: three tools, two of which only read; what is recorded goes through the ledger's own append.
 */
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { readTrustedConfiguration } from "../../agent/configuration.ts";
import { memoryDigest } from "../../agent/memory.ts";
import { projectName } from "../../git/project.ts";
import { Git } from "../../git/run.ts";
import { appendEntry } from "../../ledger/ledger.ts";
import { foldOwnLedger } from "../../ledger/ledger_sources.ts";
import { blockOf } from "../../ledger/memory_block.ts";
import { appendMemory } from "../../ledger/memory_file.ts";
import { foreignEntry } from "../../ledger/other_agents/foreign_session.ts";
import { statsOf } from "../../ledger/stats.ts";
import type { Environment } from "../../platform/environment.ts";
import { M31aError } from "../../platform/errors.ts";
import { entryAuthor } from "../../ship/author.ts";

/** What the server stands in. */
export interface McpPlace {
  /** The project's folder. */
  root: string;
  environment: Environment;
  /** m31a's own version. */
  version: string;
}

const count = z.int().nonnegative().default(0);

/** What a digest is asked with. */
const digestInput = {
  goal: z.string().min(1).describe("what you are about to do"),
  budget_tokens: z.int().min(100).max(20_000).default(2_000).describe("how long it may be"),
};

/** What another agent may tell of a session of its own. */
const recordInput = {
  agent: z.string().min(1).describe("the program that worked, such as claude-code"),
  session: z.string().min(1).describe("its own id of the session: told twice, it counts once"),
  goal: z.string().min(1).describe("what the session was about"),
  outcome: z.enum(["shipped", "failed", "abandoned", "unknown"]).default("unknown"),
  model: z.string().default("").describe("provider:name"),
  started: z.iso.datetime().describe("UTC, such as 2026-11-29T23:12:05Z"),
  ended: z.iso.datetime(),
  working_seconds: z.number().nonnegative().optional().describe(
    "time without waiting for the user",
  ),
  requests: count,
  input_tokens: count.describe("all of the prompts, cached ones among them"),
  output_tokens: count,
  cache_read_tokens: count,
  cache_write_tokens: count,
  cost: z.number().nonnegative().optional().describe("US dollars, if you know"),
  files: z.array(z.string()).default([]).describe("changed paths, relative to the project"),
  commit: z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/).optional().describe("its full id"),
};

/** Makes the server; whoever calls connects it. */
export function createMcpServer(place: McpPlace): McpServer {
  const server = new McpServer({ name: "m31a", version: place.version }, {
    instructions:
      "What was done in this project before. Ask memory_digest with your goal before you plan; record_session when you are done.",
  });
  server.registerTool("memory_digest", {
    description:
      "Earlier sessions and commits that bear on a goal, causes of failure that keep coming back, and the files that such work touched.",
    inputSchema: digestInput,
    annotations: { readOnlyHint: true },
  }, (asked: unknown) =>
    answer(async () => {
      const { goal, budget_tokens } = z.object(digestInput).parse(asked);
      const memory = await memoryDigest(place.root, place.environment, goal, budget_tokens);
      const { text, notices } = memory;
      return [text === "" ? "Nothing is remembered yet." : text, ...notices].join("\n");
    }));
  server.registerTool("ledger_stats", {
    description:
      "Statistics of the finished sessions of this project as JSON: ship rate, time, tokens, cost, by model, week, cause and so on.",
    inputSchema: {},
    annotations: { readOnlyHint: true },
  }, () => answer(async () => JSON.stringify(statsOf(await foldOwnLedger(place.root)))));
  server.registerTool("record_session", {
    description: "Adds a session that you have done to the project's ledger and memory.",
    inputSchema: recordInput,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  }, (told: unknown) => answer(() => recordSession(place, z.object(recordInput).parse(told))));
  return server;
}

async function recordSession(
  { root, environment }: McpPlace,
  told: z.infer<z.ZodObject<typeof recordInput>>,
): Promise<string> {
  const { ledger } = await readTrustedConfiguration(root, environment);
  const author = await entryAuthor(new Git(root, environment), ledger.author);
  const [startedMs, endedMs] = [Date.parse(told.started), Date.parse(told.ended)];
  const entry = foreignEntry(
    {
      agent: told.agent,
      id: told.session,
      goal: told.goal,
      model: told.model,
      startedMs,
      endedMs,
      workingMs: told.working_seconds === undefined
        ? Math.max(0, endedMs - startedMs)
        : told.working_seconds * 1000,
      requests: told.requests,
      input: told.input_tokens,
      output: told.output_tokens,
      cacheRead: told.cache_read_tokens,
      cacheWrite: told.cache_write_tokens,
      cost: told.cost,
      outcome: told.outcome,
      files: told.files,
      commit: told.commit ?? null,
    },
    await projectName(root, environment),
    author,
  );
  const isNew = await appendEntry(root, entry);
  if (isNew) await appendMemory(root, blockOf(entry));
  return isNew
    ? `Recorded as session ${entry.session}.`
    : `Session ${entry.session} was recorded before; nothing was changed.`;
}

/** What a tool says, or why it could not: the other agent is told, and the server goes on. */
async function answer(work: () => Promise<string>) {
  try {
    return { content: [{ type: "text" as const, text: await work() }] };
  } catch (error) {
    if (!(error instanceof M31aError)) throw error;
    return { content: [{ type: "text" as const, text: error.message }], isError: true };
  }
}

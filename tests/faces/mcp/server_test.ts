/** m31a as an MCP server, asked by the client of the protocol's own SDK, with the executable's permissions. */
import assert from "node:assert/strict";
import { join, resolve } from "@std/path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { applicationFlags } from "../../../scripts/permissions.ts";
import { RUNTIME_FLAGS } from "../../../scripts/runtime.ts";
import { readLedger } from "../../../src/ledger/ledger.ts";
import { type Project, withProject } from "../../support/project.ts";

const MAIN = resolve("main.ts");

const SESSION = {
  agent: "some-agent",
  session: "abc",
  goal: "Let the cart round",
  outcome: "shipped",
  model: "anthropic:sonnet",
  started: "2026-11-29T23:00:00Z",
  ended: "2026-11-29T23:10:00Z",
  working_seconds: 90,
  requests: 7,
  input_tokens: 1_000,
  output_tokens: 50,
  cache_read_tokens: 800,
  cost: 0.25,
  files: ["src/cart.ts"],
};

async function withClient(
  project: Project,
  test: (
    call: (name: string, input?: object) => Promise<{ text: string; isError: boolean }>,
  ) => Promise<void>,
): Promise<void> {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StdioClientTransport({
      command: Deno.execPath(),
      args: ["run", "--quiet", "--no-check", ...RUNTIME_FLAGS, ...applicationFlags(), MAIN, "mcp"],
      cwd: project.root,
      env: {
        ...project.variables,
        DENO_DIR: Deno.env.get("DENO_DIR") ?? join(Deno.env.get("HOME") ?? "", ".cache/deno"),
      },
    }),
  );
  try {
    await test(async (name, input = {}) => {
      const result = await client.callTool({ name, arguments: { ...input } });
      const content = Array.isArray(result.content) ? result.content : [];
      return {
        text: content.map((part: { text?: string }) => part.text ?? "").join("\n"),
        isError: result.isError === true,
      };
    });
  } finally {
    await client.close();
  }
}

Deno.test({
  name: "m31a mcp gives the digest for a goal and the statistics, and records a session once",
  // The SDK's client gives its server two seconds to end, by a timer that it does not take back.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: () =>
    withProject(async (project) => {
      await project.git("add", "--all");
      await project.git("commit", "--quiet", "-m", "Greet whoever comes");
      await withClient(project, async (call) => {
        const digest = await call("memory_digest", { goal: "greet in two languages" });
        assert.match(digest.text, /"Greet whoever comes"/);
        assert.match(
          (await call("record_session", SESSION)).text,
          /^Recorded as session 20261129-/,
        );
        assert.match((await call("record_session", SESSION)).text, /recorded before/);
        const stats = JSON.parse((await call("ledger_stats")).text);
        assert.deepEqual(
          [stats.all.attempts, stats.all.shipped, stats.all.tokens, stats.all.cost],
          [1, 1, 1_050, 0.25],
        );
        const again = await call("memory_digest", { goal: "the cart rounds wrongly" });
        assert.match(again.text, /Let the cart round/);
        assert.ok((await call("record_session", { ...SESSION, cost: -1 })).isError);
        assert.ok((await call("memory_digest", { goal: "" })).isError);
      });
      const [only, ...others] = await readLedger(join(project.root, "planning/ledger.jsonl"));
      assert.equal(others.length, 0);
      assert.deepEqual(
        [only?.entry.agent, only?.entry.workingMs, only?.entry.usage.cacheRead, only?.entry.files],
        ["some-agent", 90_000, 800, ["src/cart.ts"]],
      );
    }),
});

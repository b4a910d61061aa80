/** All tools together: order, names, schemas, and that closing leaves nothing. */
import assert from "node:assert/strict";
import { resolveConfiguration } from "../../src/agent/configuration.ts";
import { parseConfiguration } from "../../src/agent/configuration_file.ts";
import { SYSTEM_PROMPT } from "../../src/agent/system_prompt.ts";
import { createTools } from "../../src/agent/tool_list.ts";
import type { Prompt } from "../../src/model/port.ts";
import { callWith, openAt } from "../model/calls.ts";
import { withGitFolder } from "../support/git_folder.ts";
import { toolContext } from "../support/tool_context.ts";

Deno.test("createTools() gives every tool in a fixed order, each with a schema of type object", async () => {
  await withGitFolder(async (folder) => {
    const { root, environment } = folder;
    const configuration = resolveConfiguration(parseConfiguration(""), {}, {});
    const { registry } = await createTools({ root, environment, configuration });
    try {
      assert.deepEqual(registry.definitions.map(({ name }) => name), [
        "read_file",
        "list_files",
        "search_files",
        "edit_file",
        "write_file",
        "delete_file",
        "move_file",
        "run_command",
        "git_diff",
        "ask_user",
        "submit_plan",
        "finish_task",
      ]);
      for (const { inputSchema, description } of registry.definitions) {
        assert.equal(inputSchema.type, "object");
        assert(description.length > 20);
      }
      const command = { tool: "run_command", input: { command: "echo x > /tmp/y && echo made" } };
      const outcome = await registry.callTool(command, toolContext(folder));
      assert.match(outcome.output, /^made\n\[exit code 0/);
      const untold = { tool: "find_tool", input: { query: "" } };
      const found = await registry.callTool(untold, toolContext(folder));
      assert.match(found.output, /No servers with more tools are configured/);
    } finally {
      await registry.close();
    }
  });
});

Deno.test("createTools() tells of find_tool and call_tool where there are servers", async () => {
  await withGitFolder(async ({ root, environment }) => {
    const text = '[tools.mcp.one]\nurl = "http://127.0.0.1:9/mcp"\n';
    const configuration = resolveConfiguration(parseConfiguration(text), {}, {});
    const { registry } = await createTools({ root, environment, configuration });
    const names = registry.definitions.map(({ name }) => name);
    await registry.close();
    assert.deepEqual(names.slice(-2), ["find_tool", "call_tool"]);
  });
});

/** The most that a first request may have in bytes, with the tools and without what a project adds. */
const LARGEST_FIRST_REQUEST = 8_000;

Deno.test("the first request is small", async () => {
  await withGitFolder(async ({ root, environment }) => {
    const configuration = resolveConfiguration(parseConfiguration(""), {}, {});
    const { registry } = await createTools({ root, environment, configuration });
    const { definitions: tools } = registry;
    await registry.close();
    const system = { role: "system", content: SYSTEM_PROMPT } as const;
    const text = "What is in this project?";
    const prompt: Prompt = [system, { role: "user", content: [{ type: "text", text }] }];
    for (const [provider, name] of [["openai-compatible", "m"], ["anthropic", "m"]] as const) {
      const model = await openAt("http://127.0.0.1:9/v1", { provider, name });
      const { byteLength } = await model.encode(callWith("", { prompt, tools }));
      assert.ok(byteLength <= LARGEST_FIRST_REQUEST, `${provider}: ${byteLength} bytes`);
    }
  });
});

/** All tools together: order, names, schemas, and that closing leaves nothing. */
import assert from "node:assert/strict";
import { resolveConfiguration } from "../../src/agent/configuration.ts";
import { parseConfiguration } from "../../src/agent/configuration_file.ts";
import { createTools } from "../../src/agent/tool_list.ts";
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
        "find_tool",
        "call_tool",
      ]);
      for (const { inputSchema, description } of registry.definitions) {
        assert.equal(inputSchema.type, "object");
        assert(description.length > 20);
      }
      const command = { tool: "run_command", input: { command: "echo x > /tmp/y && echo made" } };
      const outcome = await registry.callTool(command, toolContext(folder));
      assert.match(outcome.output, /^made\n\[exit code 0/);
    } finally {
      await registry.close();
    }
  });
});

/** Calls that go wrong end in outcomes; calls that go right keep their order. */
import assert from "node:assert/strict";
import { z } from "zod";
import { register, type RegisteredTool, Registry } from "../../src/agent/registry.ts";
import { done } from "../../src/agent/outcome.ts";
import type { ToolEffect } from "../../src/agent/tool.ts";
import { WorkFailed } from "../../src/platform/errors.ts";
import { withPlainFolder } from "../support/git_folder.ts";
import { toolContext } from "../support/tool_context.ts";

function tool(name: string, effect: ToolEffect, run: () => Promise<string>): RegisteredTool {
  const input = z.object({ size: z.int().min(1).optional().describe("How much.") });
  return register({
    name,
    description: `Does ${name}.`,
    input,
    effect,
    run: async () => done(await run()),
  });
}

Deno.test("Registry.definitions has the tools in order, with JSON schemas", () => {
  const registry = new Registry([
    tool("b", "read", () => Promise.resolve("")),
    tool("a", "read", () => Promise.resolve("")),
  ]);
  assert.deepEqual(registry.definitions.map(({ name }) => name), ["b", "a"]);
  assert.deepEqual(registry.definitions[0]?.inputSchema, {
    type: "object",
    properties: {
      size: { type: "integer", description: "How much." },
    },
  });
});

Deno.test("Registry.callTool() hands every mistake back to the model", async () => {
  await withPlainFolder(async (folder) => {
    const registry = new Registry([
      tool("good", "read", () => Promise.resolve("fine")),
      tool("bad", "read", () => Promise.reject(new TypeError("a defect"))),
      tool("sorry", "read", () => Promise.reject(new WorkFailed("no room"))),
    ]);
    const context = toolContext(folder);
    const call = async (name: string, input = {}, malformed?: string) => {
      const extra = malformed === undefined ? {} : { malformed };
      const outcome = await registry.callTool({ tool: name, input, ...extra }, context);
      return `${outcome.isError ? "error: " : ""}${outcome.output}`;
    };
    assert.equal(await call("good"), "fine");
    assert.equal(
      await call("gone"),
      'error: There is no tool "gone". The tools are: good, bad, sorry.',
    );
    assert.match(
      await call("good", { size: "x" }),
      /^error: The input of good is not right:\n- size: Invalid input: expected/,
    );
    assert.match(
      await call("good", {}, '{"size":'),
      /^error: The input of good is not JSON: {"size":/,
    );
    assert.equal(await call("bad"), "error: bad failed: a defect");
    assert.equal(await call("sorry"), "error: no room");
  });
});

Deno.test("Registry.runCalls() runs neighbouring reads side by side and gives results in call order", async () => {
  await withPlainFolder(async (folder) => {
    const log: string[] = [];
    const gate = Promise.withResolvers<void>();
    const registry = new Registry([
      tool("slow", "read", async () => {
        await gate.promise;
        return "slow";
      }),
      tool("fast", "read", () => {
        // The first call cannot end before this one has begun.
        gate.resolve();
        return Promise.resolve("fast");
      }),
      tool("change", "change", () => Promise.resolve("change")),
    ]);
    const calls = ["slow", "fast", "change", "change", "fast"].map((name, index) => ({
      call: index + 1,
      tool: name,
      input: {},
    }));
    await registry.runCalls(calls, toolContext(folder), {
      onStart: ({ call }) => log.push(`start ${call}`),
      onResult: ({ call }, { output }) => log.push(`${output} ${call}`),
    });
    assert.deepEqual(log, [
      "start 1",
      "start 2",
      "slow 1",
      "fast 2",
      "start 3",
      "change 3",
      "start 4",
      "change 4",
      "start 5",
      "fast 5",
    ]);
  });
});

Deno.test("Registry.runCalls() runs few of thousands of reads at a time", async () => {
  await withPlainFolder(async (folder) => {
    let running = 0;
    let most = 0;
    const read = tool("read", "read", async () => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running -= 1;
      return "";
    });
    const calls = Array.from({ length: 2000 }, (_, index) => ({
      call: index + 1,
      tool: "read",
      input: {},
    }));
    const results: number[] = [];
    await new Registry([read]).runCalls(calls, toolContext(folder), {
      onStart: () => {},
      onResult: ({ call }) => results.push(call),
    });
    assert.deepEqual(results, calls.map(({ call }) => call));
    assert.ok(most > 1 && most <= 16, `${most} at a time`);
  });
});

Deno.test("Registry.runCalls() ends with the signal's reason when it is aborted", async () => {
  await withPlainFolder(async (folder) => {
    const controller = new AbortController();
    const registry = new Registry([
      tool("stop", "run", () => {
        controller.abort(new Error("enough"));
        return Promise.reject(new Error("killed"));
      }),
    ]);
    const results: string[] = [];
    const context = { ...toolContext(folder), signal: controller.signal };
    await assert.rejects(
      registry.runCalls([{ call: 1, tool: "stop", input: {} }], context, {
        onStart() {},
        onResult: (_, { output }) => results.push(output),
      }),
      /enough/,
    );
    assert.deepEqual(results, []);
  });
});

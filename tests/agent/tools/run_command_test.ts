/** run_command: leave, bounds, and what the model and the user get to see. */
import assert from "node:assert/strict";
import { Sandbox } from "../../../src/agent/sandbox.ts";
import { runCommand } from "../../../src/agent/tools/run_command.ts";
import type { Tool } from "../../../src/agent/tool.ts";
import { Interrupted } from "../../../src/platform/errors.ts";
import { touchedBy } from "../../../src/session/outcome.ts";
import { withGitFolder, withPlainFolder } from "../../support/git_folder.ts";
import { type TestToolContext, toolContext } from "../../support/tool_context.ts";

type Command = { command: string; timeout_seconds?: number | undefined };

async function withTool(
  test: (tool: Tool<Command>, context: TestToolContext) => Promise<void>,
): Promise<void> {
  await withPlainFolder(async (folder) => {
    const off = { mode: "off", network: false, writable: [] } as const;
    const sandbox = new Sandbox(folder.root, off, {});
    const settings = {
      allowed: ["echo allowed"],
      maxSeconds: 20,
      outputBytes: 2_000,
      keepBytes: 1_000_000,
    };
    await test(runCommand(settings, sandbox), toolContext(folder));
  });
}

Deno.test("run_command asks unless the command is allowed", async () => {
  await withTool(async (tool, context) => {
    context.allows = false;
    const allowed = await tool.run({ command: "echo allowed indeed" }, context);
    assert.match(allowed.output, /^allowed indeed\n\[exit code 0, \d+\.\d s\]$/);
    const refused = await tool.run({ command: "echo allowed; touch made" }, context);
    assert.equal(refused.isError, true);
    assert.deepEqual(context.requests, [{
      tool: "run_command",
      summary: "run without a sandbox: echo allowed; touch made",
      detail: "echo allowed; touch made",
      scope: { keys: ["run echo allowed; touch made"], words: "this command line" },
    }]);
    assert.throws(() => Deno.statSync(`${context.root}/made`), Deno.errors.NotFound);
  });
});

Deno.test("run_command gives both streams in order, the exit code and the outcome", async () => {
  await withTool(async (tool, context) => {
    const outcome = await tool.run({ command: "echo a; echo b >&2; echo c; exit 3" }, context);
    assert.match(outcome.output, /^a\nb\nc\n\[exit code 3, \d/);
    assert.equal(outcome.isError, true);
    assert.ok(outcome.outcome?.kind === "command");
    assert.deepEqual({ ...outcome.outcome, durationMs: 0 }, {
      kind: "command",
      command: "echo a; echo b >&2; echo c; exit 3",
      exitCode: 3,
      timedOut: false,
      durationMs: 0,
      sandbox: "none",
      tree: {
        unknown: `${context.root} is not in a git repository. Run "git init" there to make it one.`,
      },
      touched: [],
      unknown: [],
    });
  });
});

Deno.test("run_command stops a command when its time is over", async () => {
  await withTool(async (tool, context) => {
    const outcome = await tool.run(
      { command: "echo begun; sleep 60", timeout_seconds: 1 },
      context,
    );
    assert.equal(outcome.output, "begun\n[stopped after 1 s]");
    assert.equal(outcome.isError, true);
  });
});

Deno.test("run_command streams output without control sequences and caps what it keeps", async () => {
  await withTool(async (tool, context) => {
    let shown = "";
    context.onOutput = (text) => shown += text;
    const command =
      "printf '\\033]0;title\\007\\033[31mred\\n'; head -c 5000 /dev/zero | tr '\\0' x";
    const outcome = await tool.run({ command }, context);
    assert.equal(shown, `red\n${"x".repeat(5000)}`);
    assert.match(outcome.output, /\n\[… 3\d\d\d bytes left out …\]\n/);
  });
});

Deno.test("run_command ends with the turn", async () => {
  await withTool(async (tool, context) => {
    const controller = new AbortController();
    const ending = { ...context, signal: controller.signal };
    ending.onOutput = () => controller.abort(new Error("enough"));
    await assert.rejects(tool.run({ command: "echo begun; sleep 60" }, ending), /enough/);
  });
});

Deno.test("run_command records what it had changed when it is interrupted", async () => {
  await withGitFolder(async (folder) => {
    const interrupt = new AbortController();
    const context = toolContext(folder);
    context.signal = interrupt.signal;
    context.onOutput = () => interrupt.abort(new Interrupted());
    const sandbox = new Sandbox(folder.root, { mode: "off", network: false, writable: [] }, {});
    const settings = { allowed: [], maxSeconds: 60, outputBytes: 2_000, keepBytes: 1_000 };
    const command = "echo 1 > made; echo made; sleep 60";
    const running = runCommand(settings, sandbox).run({ command }, context);
    await assert.rejects(running, Interrupted);
    const [outcome] = context.cutOffs;
    assert.deepEqual(touchedBy(outcome).map(({ path }) => path), ["made"]);
  });
});

Deno.test("run_command says where it stops to show a flood as it comes", async () => {
  await withTool(async (tool, context) => {
    context.allows = true;
    await tool.run({ command: "head -c 2000000 /dev/zero | tr '\\0' x" }, context);
    const shown = context.shown.join("");
    assert.match(shown.slice(-100), /x\n\[What this prints behind its first 1048576 bytes is not/);
    assert.equal(shown.split("not shown here").length, 2);
  });
});

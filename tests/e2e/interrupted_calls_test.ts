/** Killed with -9 between three calls and their results. */
import assert from "node:assert/strict";
import { assertBeginsWith } from "../support/prefixes.ts";
import { withProject } from "../support/project.ts";
import { ModelServer, type Reply, strictly } from "../support/servers/mod.ts";
import { PROTOCOLS } from "./protocols.ts";
import { assertSound } from "./soundness.ts";

const KILLED_CALLS: Reply = {
  text: "Three things at once.",
  calls: [
    { tool: "read_file", input: { path: "README.md" } },
    { tool: "run_command", input: { command: "echo begun; cat pipe" } },
    { tool: "read_file", input: { path: "src/greet.ts" } },
  ],
};

for (const [name, variables] of Object.entries(PROTOCOLS)) {
  Deno.test(`chat killed between three calls and their results goes on with results that say so (${name})`, async () => {
    await using server = ModelServer.start(strictly([
      KILLED_CALLS,
      { text: "I see that it was interrupted." },
    ]));
    await withProject(async (project) => {
      project.use({ ...variables(server), M31A_APPROVAL: "all" });
      await project.runProgram(["mkfifo", "pipe"]);
      await using chat = project.chat();
      await chat.type("go");
      // The first call has its result, the second runs, the third has not begun.
      await chat.until("tool_output");
      await chat.kill();
      const [sent] = server.requests;

      await using resumed = project.chat(["--continue"]);
      assert.equal((await resumed.turn("What happened?")).outcome, "replied");
      const last = server.requests.at(-1);
      assert.ok(sent !== undefined && last !== undefined);
      assertBeginsWith(last, sent);
      const results = project.records().filter((record) => record.type === "tool_result");
      assert.deepEqual(results.map((record) => record.call), [1, 2, 3]);
      assert.deepEqual(results.map((record) => record.interrupted), [undefined, true, true]);
      assert.equal(server.bodies.at(-1)?.match(/Interrupted: the process ended/g)?.length, 2);
      assert.deepEqual(resumed.all("notice"), []);
      await assertSound(project);
    });
  });
}

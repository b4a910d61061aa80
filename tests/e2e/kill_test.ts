/** Killed with -9 while an answer streams. */
import assert from "node:assert/strict";
import { assertBeginsWith } from "../support/prefixes.ts";
import { withProject } from "../support/project.ts";
import { ModelServer, type Reply, strictly } from "../support/servers/mod.ts";
import { PROTOCOLS } from "./protocols.ts";
import { assertSound } from "./soundness.ts";

/** What a stream has sent when it stalls: enough for some of the text, less than all of it. */
const HALF: Reply = { text: "This half must never be seen again.", isStalled: true };

for (const [name, variables] of Object.entries(PROTOCOLS)) {
  Deno.test(`chat killed in the middle of an answer goes on as if it had not been asked (${name})`, async () => {
    await using server = ModelServer.start(strictly([
      { text: "First answer." },
      { ...HALF, endBeforeEvent: 4 },
      { text: "Second answer." },
    ]));
    await withProject(async (project) => {
      project.use(variables(server));
      await using chat = project.chat();
      await chat.turn("one");
      await chat.type("lost");
      await chat.until("text");
      const before = project.sessionBytes();
      await chat.kill();
      assert.deepEqual(project.sessionBytes(), before);

      await using resumed = project.chat(["--continue"]);
      assert.equal((await resumed.turn("two")).outcome, "replied");
      const [first, , last] = server.requests;
      assert.ok(first !== undefined && last !== undefined);
      assertBeginsWith(last, first);
      assert.ok(!server.bodies.at(-1)?.includes("This half"));
      assert.deepEqual(resumed.all("notice"), []);
      await assertSound(project);
    });
  });
}

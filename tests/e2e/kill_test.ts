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
  Deno.test(`chat killed in the middle of an answer keeps the message, says that it had none, and goes on behind it (${name})`, async () => {
    await using server = ModelServer.start(strictly([
      { text: "First answer." },
      { ...HALF, endBeforeEvent: 4 },
      { text: "Second answer." },
    ]));
    await withProject(async (project) => {
      project.use(variables(server));
      await using chat = project.chat();
      await chat.turn("one");
      await chat.type("not lost");
      await chat.until("request_started");
      // Acknowledged before it is sent: from here on it may be killed at any time.
      const before = project.sessionBytes();
      assert.match(Deno.readTextFileSync(project.sessionFile("0.jsonl")), /"text":"not lost"/);
      await chat.until("text");
      await chat.kill();
      assert.deepEqual(project.sessionBytes(), before);

      await using resumed = project.chat(["--continue"]);
      assert.equal((await resumed.turn("two")).outcome, "replied");
      const [first, killed, last] = server.requests;
      assert.ok(first !== undefined && killed !== undefined && last !== undefined);
      assertBeginsWith(killed, first);
      assertBeginsWith(last, killed);
      assert.ok(!server.bodies.at(-1)?.includes("This half"));
      const [notice, ...others] = resumed.all("notice");
      assert.match(notice?.text ?? "", /The last message has had no answer.*"not lost"/);
      assert.deepEqual(others, []);
      await assertSound(project);
    });
  });
}

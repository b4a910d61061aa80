/** Resumed when everything around the session has changed. */
import assert from "node:assert/strict";
import { assertBeginsWith, assertEachBeginsWithTheOneBefore } from "../support/prefixes.ts";
import { withProject } from "../support/project.ts";
import { ModelServer, strictly } from "../support/servers/mod.ts";
import { openAi, PROTOCOLS } from "./protocols.ts";
import { rewriteLog } from "./rewritten_log.ts";

const ANSWERS = [
  { calls: [{ tool: "read_file", input: { path: "README.md" } }] },
  { text: "A greeting." },
  { text: "Still a greeting." },
];

for (const [name, variables] of Object.entries(PROTOCOLS)) {
  Deno.test(`chat resumed with another AGENTS.md, repository, environment and configuration sends the same first bytes (${name})`, async () => {
    await using server = ModelServer.start(strictly(ANSWERS));
    await withProject(async (project) => {
      project.use(variables(server));
      Deno.removeSync(`${project.root}/.git`, { recursive: true });
      project.write({ "AGENTS.md": "Be brief.\n" });
      await using chat = project.chat();
      await chat.turn("What is here?");
      await chat.kill();
      assert.ok(server.bodies[0]?.includes("Be brief."));

      project.write({
        "AGENTS.md": "Be long.\n",
        "README.md": "changed\n",
        "planning/config.toml": '[limits]\nrequests_per_turn = 7\n\n[tools]\nallow = ["ls"]\n\n' +
          '[tools.mcp.other]\ncommand = "false"\n',
      });
      assert.equal((await project.run(["config", "--trust"])).code, 0);
      await project.git("init", "--quiet");
      await project.git("add", "--all");
      await project.git("commit", "--quiet", "--message=all");
      project.use({ LANG: "de_DE.UTF-8", TZ: "Pacific/Kiritimati", TERM: "dumb", USER: "other" });
      project.use({ EDITOR: "ed", M31A_SANDBOX: "off", M31A_APPROVAL: "allowlist" });

      await using resumed = project.chat(["--continue"]);
      assert.equal((await resumed.turn("And now?")).outcome, "replied");
      assertEachBeginsWithTheOneBefore(server.requests);
      const lost = resumed.all("notice").filter(({ text }) => /cache/.test(text));
      assert.deepEqual(lost, []);
      assert.ok(!server.bodies.at(-1)?.includes("Be long."));
    });
  });
}

Deno.test("chat says that the cache is lost when the request cannot be built as it was", async () => {
  await using server = ModelServer.start(strictly([{ text: "one" }, { text: "two" }]));
  await withProject(async (project) => {
    project.use(openAi(server));
    await using chat = project.chat();
    await chat.turn("first");
    await chat.leave();

    // A log that another version may have written: sound, but its request hashes differently.
    rewriteLog(
      project,
      (record) =>
        record.type === "assistant"
          ? { ...record, request: { sizeBytes: 1, sha256: "0".repeat(64) } }
          : record,
    );
    await using resumed = project.chat(["--continue"]);
    assert.equal((await resumed.turn("second")).outcome, "replied");
    const [notice] = resumed.all("notice");
    assert.match(notice?.text ?? "", /prompt cache is lost/);
    const [first, second] = server.requests;
    assert.ok(first !== undefined && second !== undefined);
    assertBeginsWith(second, first);
  });
});

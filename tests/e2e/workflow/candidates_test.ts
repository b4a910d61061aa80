/** A run with a small model on a server of one's own: candidates, judged by the check, proved and committed as ever. */
import assert from "node:assert/strict";
import { ModelServer } from "../../support/servers/mod.ts";
import { NUMBERS, withCheckedProject } from "./checked_project.ts";

Deno.test("run asks a model that its server calls small for candidates, and commits the one that passes", async () => {
  const proposal = (content: string) => ({ text: `\`\`\`\n${content}\`\`\`` });
  await using server = ModelServer.start([proposal("1\nzwei\n"), proposal("1\n2\n")]);
  server.pages.set("/v1/models", { data: [{ id: "tiny", meta: { n_params: 494_000_000 } }] });
  server.pages.set("/props", { default_generation_settings: { n_ctx: 4096 }, total_slots: 1 });
  await withCheckedProject([], async (project) => {
    project.write({ [NUMBERS]: "1\ntwo\n" });
    await project.git("commit", "--quiet", "--all", "--message=red");
    project.use({ M31A_BASE_URL: server.baseUrl, M31A_MODEL: "llamacpp:tiny" });
    const { code, stdout, stderr } = await project.run([
      "run",
      `Make every line of ${NUMBERS} a number.`,
      "--approval",
      "all",
    ]);
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout + stderr, /llamacpp:tiny has 494 million parameters/);
    assert.match(stdout + stderr, /proposal 2 of 8 for numbers.txt: passed/);
    assert.equal(await project.git("show", `HEAD:${NUMBERS}`), "1\n2\n");
    assert.match(await project.git("log", "-1", "--format=%B"), /^Proved: /m);
    // No other request was sent: the model is told the goal and the file, and nothing else.
    const bodies = server.bodies.map((body) => JSON.parse(body));
    assert.deepEqual(bodies.map(({ messages }) => messages.length), [1, 1]);
    assert.deepEqual(bodies.map(({ temperature }) => temperature), [0, 0.8]);
    assert.ok(bodies.every(({ tools }) => tools === undefined));
    assert.equal((await project.run(["session", "verify"])).code, 0);
  });
});

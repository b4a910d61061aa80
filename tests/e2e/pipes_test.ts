/** m31a between other programs: what stands on stdout, and what becomes of it when nobody reads. */
import assert from "node:assert/strict";
import { withProject } from "../support/project.ts";
import { ModelServer, strictly } from "../support/servers/mod.ts";
import { executablePath } from "./executable.ts";
import { openAi } from "./protocols.ts";
import { assertGoesOn, assertSound } from "./soundness.ts";

const WORDS = Array(200).fill("word").join(" ");

Deno.test("chat --json prints JSON lines on stdout and nothing else, slash commands and failures included", async () => {
  const answers = [
    { calls: [{ tool: "list_files", input: {} }] },
    { text: WORDS },
    { text: "The summary." },
    { text: "After it." },
    { status: 400, body: { error: { message: "enough" } } },
  ];
  await using server = ModelServer.start(strictly(answers));
  await withProject(async (project) => {
    project.use(openAi(server));
    const { code, stdout, stderr } = await project.run(["chat", "--json"], {
      input: `/help\n/session\n/tools\none ${
        "x".repeat(2_000)
      }\n/session\n/compact\ntwo\n\r\n  \nthree`,
    });
    assert.equal(code, 1, stderr);
    assert.ok(stdout.endsWith("}\n"));
    const events = stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
    const types = new Set(events.map((event) => event.type));
    for (const type of ["session", "turn_started", "text", "tool_finished", "reply", "usage"]) {
      assert.ok(types.has(type), `no ${type} among ${[...types].join()}`);
    }
    assert.ok(types.has("compacted") && types.has("turn_ended"));
    assert.equal(events.filter(({ type }) => type === "turn_ended").length, 3);
    assert.match(stderr, /\/help/);
    assert.ok(stderr.includes(`m31a chat --resume ${project.sessionId}`), stderr);
  });
});

Deno.test("chat prints the model's words on stdout and nothing else", async () => {
  await using server = ModelServer.start(strictly([
    { text: "I look.", calls: [{ tool: "list_files", input: {} }] },
    { reasoning: "Hm.", text: "Two files.\n" },
    { text: "Bye." },
  ]));
  await withProject(async (project) => {
    project.use(openAi(server));
    const { code, stdout, stderr } = await project.run(["chat"], { input: "one\n/help\r\ntwo" });
    assert.equal(code, 0);
    assert.equal(stdout, "I look.\nTwo files.\nBye.\n");
    assert.match(stderr, /list_files/);
  });
});

for (const args of ["chat --json", "chat"]) {
  Deno.test(`${args} ends quietly when its reader has gone, and the session goes on`, async () => {
    await using server = ModelServer.start(strictly(() => ({ text: WORDS })));
    await withProject(async (project) => {
      project.use(openAi(server));
      const line = `{ "$0" ${args} 2>stderr.txt; echo "exit $?" >>stderr.txt; } | head -c 1`;
      const input = Array(20).fill("again").join("\n");
      const shell = ["sh", "-c", line, executablePath()];
      assert.equal((await project.runProgram(shell, { input })).stdoutBytes.length, 1);
      const stderr = Deno.readTextFileSync(`${project.root}/stderr.txt`);
      assert.match(stderr, /^exit 0\n$/m);
      assert.ok(!/EPIPE|[Bb]roken pipe|defect|panicked/.test(stderr), stderr);
      await assertSound(project);
      await assertGoesOn(project);
    });
  });
}

Deno.test("session list and show end quietly when their reader has gone", async () => {
  await using server = ModelServer.start(strictly(() => ({ text: WORDS.repeat(50) })));
  await withProject(async (project) => {
    project.use(openAi(server));
    await project.run(["chat"], { input: "one\ntwo\nthree\nfour\n" });
    for (
      const command of ["list", "list --json", `show ${project.sessionId}`, "export $(ls sessions)"]
    ) {
      const line = `{ "$0" session ${command}; echo "exit $?" >&2; } | head -c 1`;
      const { stderr } = await project.runProgram(["sh", "-c", line, executablePath()]);
      assert.equal(stderr, "exit 0\n", command);
    }
  });
});

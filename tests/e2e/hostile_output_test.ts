/** What models and tools print: no control sequence reaches the terminal, no key reaches anything. */
import assert from "node:assert/strict";
import { withProject } from "../support/project.ts";
import { ModelServer, type Reply, strictly } from "../support/servers/mod.ts";
import { KEY, openAi } from "./protocols.ts";
import { assertSound } from "./soundness.ts";

/** Sets the clipboard, the title and the colour, moves the cursor, rings; as 8-bit controls too. */
const HOSTILE = "a\x1b]52;c;aGFjaw==\x07b\x1b]0;title\x1b\\c\x1b[2Jd\x1b[31me\x07\b\r" +
  "f\x9d0;x\x9cg\x9b2Jh\x7fi\x00j\x1bPq\x1b\\k\u202e";

const HOSTILE_ANSWERS: Reply[] = [
  {
    reasoning: HOSTILE,
    text: HOSTILE,
    deltaLength: 1,
    calls: [
      { tool: `read_file${HOSTILE}`, input: { path: HOSTILE } },
      { tool: "read_file", input: { path: "hostile.txt" } },
      { tool: "read_file", input: { path: `no such ${HOSTILE}` } },
      { tool: "run_command", input: { command: "cat hostile.txt; exit 3" } },
    ],
  },
  { status: 500, body: { error: { message: HOSTILE } }, headers: { "retry-after": "0" } },
  { text: `Done. ${HOSTILE}` },
  { status: 400, body: { error: { message: HOSTILE } } },
];

/** The bytes that a terminal would obey: C0 but newline and tab, DEL, and C1 as UTF-8 has them. */
function obeyedBytes(bytes: Uint8Array): string[] {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  // deno-lint-ignore no-control-regex -- control characters are what this test is about
  return text.match(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g) ?? [];
}

for (const args of [[], ["--json"]]) {
  Deno.test(`chat ${args.join()} prints no control character of the model's, a tool's or the provider's`, async () => {
    await using server = ModelServer.start(strictly(HOSTILE_ANSWERS));
    await withProject(async (project) => {
      project.use({ ...openAi(server), M31A_APPROVAL: "all" });
      project.write({ "hostile.txt": HOSTILE });
      const ended = await project.run(["chat", ...args], { input: "go\nagain\n" });
      assert.equal(ended.code, 1, ended.stderr);
      assert.deepEqual(obeyedBytes(ended.stdoutBytes), []);
      assert.deepEqual(obeyedBytes(ended.stderrBytes), []);
      assert.equal(server.requests.length, 4);
      assert.ok(ended.stdout.includes("Done."));
      // In the records and for the model it is data, and stays as it was.
      const [reply] = project.records().filter(({ type }) => type === "assistant");
      assert.ok(JSON.stringify(reply).includes(JSON.stringify(HOSTILE).slice(1, -1)));
      for (const command of ["show", "export", "search"]) {
        const what = command === "search" ? "Done" : project.sessionId;
        const printed = await project.run(["session", command, what]);
        assert.equal(printed.code, 0, printed.stderr);
        assert.deepEqual(obeyedBytes(printed.stdoutBytes), [], command);
      }
      await assertSound(project);
    });
  });
}

Deno.test("chat --json gives the model's control characters to a program as they were", async () => {
  await using server = ModelServer.start(strictly([{ text: HOSTILE, deltaLength: 3 }]));
  await withProject(async (project) => {
    project.use(openAi(server));
    await using chat = project.chat();
    await chat.turn("go");
    assert.equal(chat.all("text").map(({ text }) => text).join(""), HOSTILE);
    assert.equal(chat.all("reply")[0]?.text, HOSTILE);
  });
});

Deno.test("chat keeps the keys in use out of the log, of what it prints, and of a command's environment", async () => {
  const answers: Reply[] = [
    {
      reasoning: `It must be ${KEY}.`,
      text: `I know ${KEY}`,
      deltaLength: 5,
      calls: [
        { tool: "read_file", input: { path: ".env" } },
        { tool: "run_command", input: { command: `cat .env; env; printf ${KEY.slice(0, 9)}` } },
        { tool: "run_command", input: { command: `printf ${KEY}` } },
        { tool: `tool ${KEY}`, raw: `{"${KEY}` },
      ],
    },
    { status: 500, body: { error: { message: `bad ${KEY}` } }, headers: { "retry-after": "0" } },
    { text: `Your key is ${KEY}.`, deltaLength: 7 },
    { status: 400, body: { error: { message: `bad key ${KEY}` } } },
  ];
  await using server = ModelServer.start(answers);
  await withProject(async (project) => {
    project.use({
      OPENAI_BASE_URL: server.baseUrl,
      OPENAI_API_KEY: KEY,
      ANTHROPIC_API_KEY: `${KEY}-other`,
      M31A_MODEL: "openai:test",
      M31A_APPROVAL: "all",
    });
    project.write({ ".env": `OPENAI_API_KEY=${KEY}\n` });
    const ended = await project.run(["chat", "--json"], { input: `my key is ${KEY}\nagain\n` });
    assert.equal(ended.code, 1);
    assert.equal(server.requests.length, 4);
    assert.equal(server.requests[0]?.headers.get("authorization"), `Bearer ${KEY}`);
    for (const [index, body] of server.bodies.entries()) {
      assert.ok(!body.includes(KEY), `request ${index} holds the key`);
    }
    const log = Deno.readTextFileSync(project.sessionFile("0.jsonl"));
    assert.ok(!log.includes(KEY), "the log holds the key");
    assert.ok(!ended.stderr.includes(KEY), "stderr holds the key");
    const holding = ended.stdout.split("\n").filter((line) => line.includes(KEY));
    assert.deepEqual(holding, []);
    const texts = ended.stdout.split("\n").filter((line) => line !== "")
      .map((line) => JSON.parse(line)).filter(({ type }) => type === "text");
    assert.ok(!texts.map(({ text }) => text).join("").includes(KEY), "the pieces make up the key");
    // The command saw neither variable, only what stands in the file.
    const environment = project.records().find(({ type, call }) =>
      type === "tool_result" && call === 2
    );
    assert.equal(JSON.stringify(environment).match(/API_KEY/g)?.length, 1);
    await assertSound(project);
  });
});

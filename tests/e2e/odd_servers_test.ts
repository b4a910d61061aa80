/** The executable with servers that say odd things, and with keys that came with a line end. */
import assert from "node:assert/strict";
import { withProject } from "../support/project.ts";
import { ModelServer, strictly } from "../support/servers/mod.ts";
import { KEY, openAi } from "./protocols.ts";

Deno.test("chat sends a key without its line end, and masks it wherever the model says it", async () => {
  await using server = ModelServer.start(strictly([{ text: `Your key is ${KEY}.` }]));
  await withProject(async (project) => {
    project.use({ OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: ` ${KEY}\n` });
    const { code, stdout, stderr } = await project.run(["chat", "--model", "openai:test"], {
      input: "what is it?\n",
    });
    assert.equal(code, 0, stderr);
    assert.equal(server.requests[0]?.headers.get("authorization"), `Bearer ${KEY}`);
    assert.equal(stdout, "Your key is [masked].\n");
    assert.doesNotMatch(JSON.stringify(project.records()), new RegExp(KEY));
  });
});

for (const tokens of [-100, 10.5, 1e308]) {
  Deno.test(`chat keeps an answer of ${tokens} tokens, and says what it made of the number`, async () => {
    const rawUsage = { prompt_tokens: 10, completion_tokens: tokens };
    await using server = ModelServer.start(strictly([{ text: "Paid for.", rawUsage }]));
    await withProject(async (project) => {
      project.use(openAi(server));
      const { code, stdout, stderr } = await project.run(["chat"], { input: "go\n" });
      assert.equal(code, 0, stderr);
      assert.equal(stdout, "Paid for.\n");
      assert.match(stderr, /reports a usage that cannot be: completion_tokens/);
      assert.equal(project.records().at(-1)?.type, "usage");
      assert.equal((await project.run(["session", "verify"])).code, 0);
    });
  });
}

/** Replies that are no answer; the model is asked once more after those that stand twice. */
const NO_ANSWERS = {
  "an empty reply": [{ text: "" }, { text: " " }],
  "thoughts alone": [{ reasoning: "Hm." }, { reasoning: "Hm." }],
  "a call as text that cannot be read": Array(2).fill({
    text: '<tool_call>{"name": "read_file", "arguments": {</tool_call>',
  }),
  "an answer that was cut off": [{ text: "Half", finish: "length" }],
  "a filtered answer": [{ text: "I", finish: "content_filter" }],
  "an answer that ends with an error": [{ text: "I", finish: "error" }],
};

for (const [what, answers] of Object.entries(NO_ANSWERS)) {
  Deno.test(`chat ends with exit code 1 after ${what}, says so, and the session goes on`, async () => {
    await using server = ModelServer.start(strictly([...answers, { text: "Here I am." }]));
    await withProject(async (project) => {
      project.use(openAi(server));
      const { code, stderr } = await project.run(["chat"], { input: "go\n" });
      assert.equal(code, 1, stderr);
      assert.match(stderr, /no words|cut off|filter|with an error|as text/);
      assert.equal(server.requests.length, answers.length);
      const again = await project.run(["chat", "--continue"], { input: "still there?\n" });
      assert.deepEqual([again.code, again.stdout], [0, "Here I am.\n"], again.stderr);
    });
  });
}

Deno.test("chat goes on, and in another process too, with a server that refuses stream_options", async () => {
  await using server = ModelServer.start(
    strictly(({ body }) =>
      new TextDecoder().decode(body).includes("stream_options")
        ? {
          status: 400,
          body: { error: { message: "Unrecognized request argument: stream_options" } },
        }
        : { text: "Fine." }
    ),
  );
  await withProject(async (project) => {
    project.use(openAi(server));
    const first = await project.run(["chat"], { input: "one\ntwo\n" });
    assert.deepEqual([first.code, first.stdout], [0, "Fine.\nFine.\n"], first.stderr);
    assert.equal(first.stderr.match(/refuses the field stream_options/g)?.length, 1);
    const second = await project.run(["chat", "--continue"], { input: "three\n" });
    assert.deepEqual([second.code, second.stdout], [0, "Fine.\n"], second.stderr);
    assert.doesNotMatch(second.stderr, /cache is lost|refuses the field/);
    assert.equal(server.requests.length, 4);
  });
});

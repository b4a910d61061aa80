/** A model server that nobody here wrote, over both protocols. */
import assert from "node:assert/strict";
import { withProject } from "../support/project.ts";
import { startAimock } from "../support/servers/mod.ts";
import { KEY } from "./protocols.ts";
import { assertSound } from "./soundness.ts";

// aimock leaves an interval of its own running when it is stopped.
const leaky = { sanitizeOps: false, sanitizeResources: false };

const VARIABLES = {
  "chat completions": (url: string) => ({
    M31A_BASE_URL: `${url}/v1`,
    M31A_MODEL: "openai-compatible:test",
  }),
  "Anthropic messages": (url: string) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: KEY }),
};

for (const [name, variables] of Object.entries(VARIABLES)) {
  Deno.test(
    `chat with aimock calls tools in parallel, survives a 429 and a kill -9 (${name})`,
    leaky,
    async () => {
      await using aimock = await startAimock((mock) => {
        mock.on({ userMessage: "What is here?", hasToolResult: false }, {
          toolCalls: [
            { name: "list_files", arguments: "{}" },
            { name: "read_file", arguments: '{"path":"README.md"}' },
          ],
        });
        mock.on({ userMessage: "What is here?", hasToolResult: true }, { content: "A greeting." });
        mock.on({ userMessage: "Thanks." }, { content: "You are welcome." });
      });
      await withProject(async (project) => {
        project.use(variables(aimock.url));
        aimock.mock.nextRequestError(429, { message: "slow down" });
        await using chat = project.chat();
        assert.deepEqual(await chat.turn("What is here?"), { outcome: "replied", finish: "stop" });
        assert.deepEqual(chat.all("retry").map(({ waitMs }) => waitMs), [1000]);
        assert.deepEqual(chat.all("tool_finished").map(({ isError }) => isError), [false, false]);
        await chat.kill();

        await using resumed = project.chat(["--continue"]);
        assert.equal((await resumed.turn("Thanks.")).outcome, "replied");
        assert.deepEqual(resumed.all("reply").map(({ text }) => text), ["You are welcome."]);
        assert.deepEqual(resumed.all("notice"), []);
        await assertSound(project);
      });
    },
  );
}

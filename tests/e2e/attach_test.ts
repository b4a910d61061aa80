/** `m31a attach`, the executable: two terminals on one conversation. */
import assert from "node:assert/strict";
import { testWhere } from "../support/machine.ts";
import { withProject } from "../support/project.ts";
import { hasTmux, withPty } from "../support/pty.ts";
import { ModelServer, strictly } from "../support/servers/mod.ts";
import { executablePath } from "./executable.ts";
import { openAi } from "./protocols.ts";

testWhere(
  hasTmux,
  "needs tmux",
  "attach: one terminal asks, both see, the first answer counts, drafts stay, and leaving ends nothing",
  async () => {
    await using server = ModelServer.start(strictly([
      { text: "Hello." },
      { calls: [{ tool: "run_command", input: { command: "touch made" } }] },
      { text: "Made." },
      { text: "Still here." },
    ]));
    await withProject(async (project) => {
      project.use(openAi(server));
      const options = { columns: 120, folder: project.root, environment: { ...project.variables } };
      await withPty([executablePath(), "chat"], async (first) => {
        await first.waitFor(/^>$/m);
        await first.type("Hi.");
        await first.press("Enter");
        await first.waitFor(/Hello\.[^]*\n>$/);
        // Resuming what is live elsewhere offers the same.
        await withPty([executablePath(), "chat", "--continue"], async (second) => {
          await second.waitFor(/Attach to it\?/);
          await second.type("y");
          assert.match(await second.waitFor(/Attached to session/), /> Hi\.\nHello\./);
          await first.type("half a draft");
          await second.type("Make it.");
          await second.press("Enter");
          await first.waitFor(/> Make it\.[^]*Allow\?/);
          await second.waitFor(/Allow\?/);
          await second.type("y");
          await first.waitFor(/Answered by a second terminal\.[^]*Made\.[^]*> half a draft$/);
          await second.waitFor(/Made\.[^]*\n>$/);
          await second.press("C-d");
          await second.waitFor(/\[exit 0\]/);
        }, options);
        assert.ok(Deno.statSync(`${project.root}/made`).isFile);
        await first.press("Enter");
        await first.waitFor("Still here.");
      }, options);
    });
  },
);

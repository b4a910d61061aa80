/** The first start at a terminal: no key, no name of a model, and what is said then. */
import assert from "node:assert/strict";
import { testWhere } from "../support/machine.ts";
import { withProject } from "../support/project.ts";
import { hasTmux, withPty } from "../support/pty.ts";
import { ModelServer } from "../support/servers/mod.ts";
import { executablePath } from "./executable.ts";

testWhere(
  hasTmux,
  "needs tmux",
  "m31a alone opens a chat, and asks which of this machine's models is meant where nothing says it",
  async () => {
    await using server = ModelServer.start(({ path }) =>
      path.endsWith("/chat/completions") ? { text: "Hello from the large one." } : { status: 404 }
    );
    server.pages.set("/v1/models", { data: [{ id: "small:1" }, { id: "large:2" }] });
    await withProject(async (project) => {
      project.use({ OLLAMA_HOST: server.url });
      const options = { columns: 100, folder: project.root, environment: { ...project.variables } };
      await withPty([executablePath()], async (pty) => {
        await pty.waitFor(/Which model\?[^]*1\. small:1, Ollama at 127\.0\.0\.1:\d+\n/);
        await pty.type("2");
        await pty.waitFor("M31A_MODEL=ollama:large:2");
        await pty.waitFor(/^>$/m);
        await pty.type("Hi");
        await pty.press("Enter");
        await pty.waitFor(/Hello from the large one\.[^]*\n>$/);
      }, options);
    });
    assert.match(server.bodies.at(-1) ?? "", /"model":"large:2".*"messages"/);
  },
);

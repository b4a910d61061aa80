/** `m31a serve`, the executable: one conversation seen from several places, and its end. */
import assert from "node:assert/strict";
import { methods } from "@agentclientprotocol/sdk";
import { connectionStream } from "../../src/faces/live/connection_stream.ts";
import { connectLive } from "../../src/faces/live/live_socket.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { AcpClient, type ClientAnswers } from "../support/acp_client.ts";
import { type BrowserPage, findChromium, withPage } from "../support/chromium.ts";
import { testWhere } from "../support/machine.ts";
import { type Project, withProject } from "../support/project.ts";
import { ServeProcess } from "../support/serve_process.ts";
import { ModelServer, strictly } from "../support/servers/mod.ts";
import { openAi } from "./protocols.ts";
import { assertSound } from "./soundness.ts";

/** A client on the live socket of a session. */
async function attached(
  project: Project,
  session: string,
  answers?: ClientAnswers,
): Promise<AcpClient> {
  const connection = await connectLive({ root: project.root, session });
  assert.ok(connection !== undefined, "nobody holds the conversation");
  const client = new AcpClient(connectionStream(connection, systemClock), answers);
  await client.initialize();
  const known = { sessionId: session, cwd: project.root, mcpServers: [] };
  await client.agent.request(methods.agent.session.load, known);
  return client;
}

Deno.test("serve holds a conversation for several: all see it, the first answer counts, and SIGTERM leaves it sound", async () => {
  await using server = ModelServer.start(strictly([
    { text: "Hello, all." },
    { calls: [{ tool: "run_command", input: { command: "touch made" } }] },
    { text: "Made." },
    { text: "This half must never be seen again.", isStalled: true, endBeforeEvent: 4 },
  ]));
  await withProject(async (project) => {
    project.use(openAi(server));
    await using serve = await ServeProcess.start(project);
    // The first is never asked in time: its answer comes when the other has answered.
    let isTakenBack = false;
    const first = new AcpClient(await serve.connect(), {
      permission: (_request, signal) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            isTakenBack = true;
            resolve({ outcome: { outcome: "cancelled" } });
          });
        }),
    });
    await first.initialize();
    const session = await first.begin(project.root);
    assert.equal(await first.prompt(session, "Hi."), "end_turn");
    const second = await attached(project, session);
    assert.equal(second.words("user_message_chunk"), "Hi.");
    assert.equal(second.words("agent_message_chunk"), "Hello, all.");
    assert.equal(await first.prompt(session, "Make it."), "end_turn");
    assert.ok(Deno.statSync(`${project.root}/made`).isFile);
    assert.ok(isTakenBack, "the first client's question was taken back");
    await second.until(() => second.words("agent_message_chunk").endsWith("Made.") || undefined);
    // The end of the server ends it.
    const cut = second.prompt(session, "And now?").catch(() => {});
    await first.until(() => first.words("agent_message_chunk").includes("This half") || undefined);
    const { code, stderr } = await serve.end();
    assert.equal(code, 0, stderr);
    assert.match(stderr, new RegExp(`session ${session}, message under way: ended`));
    await cut;
    await first.close();
    await second.close();
    await assertSound(project);
    assert.equal(await connectLive({ root: project.root, session }), undefined);
    const { stdout } = await project.run(["session", "show", session]);
    assert.match(stdout, /And now\?/);
  });
});

Deno.test("serve answers no question of an unsandboxed conversation from its socket", async () => {
  await using server = ModelServer.start(strictly([
    { text: "Hello." },
    { calls: [{ tool: "run_command", input: { command: "touch made" } }] },
    { text: "Not made." },
  ]));
  await withProject(async (project) => {
    project.use(openAi(server));
    await using serve = await ServeProcess.start(project, ["--sandbox", "off"]);
    const reject = { outcome: { outcome: "selected", optionId: "reject" } } as const;
    const holder = new AcpClient(await serve.connect(), { permission: () => reject });
    await holder.initialize();
    const session = await holder.begin(project.root);
    await holder.prompt(session, "Hi.");
    const other = await attached(project, session);
    await holder.prompt(session, "Make it.");
    assert.deepEqual(other.permissions, []);
    const params = {
      sessionId: session,
      question: "any",
      answer: { kind: "approval", decision: "yes" },
    };
    await assert.rejects(other.agent.request("_m31a/answer", params), /without a sandbox/);
    assert.throws(() => Deno.statSync(`${project.root}/made`), Deno.errors.NotFound);
    await other.close();
    await holder.close();
  });
});

const chromium = findChromium();

const HOSTILE = "<img src=x onerror=document.title='hit'> [go](javascript:document.title='hit') " +
  "<script>document.title = 'hit'</script> **bold**";

/** Runs `expression` in the page until it is true. */
async function until(page: BrowserPage, expression: string): Promise<void> {
  const waiting = `new Promise((resolve) => {
    const look = () => (${expression}) && resolve(true);
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
    look();
  })`;
  await page.send("Runtime.evaluate", { expression: waiting, awaitPromise: true });
}

/** Types into the field that `selector` finds. */
async function type(page: BrowserPage, selector: string, text: string): Promise<void> {
  await page.evaluate(`document.querySelector(${JSON.stringify(selector)}).focus()`);
  await page.send("Input.insertText", { text });
}

async function press(page: BrowserPage, name: string): Promise<void> {
  await page.evaluate(`[...document.querySelectorAll("button")]
    .find(({ textContent }) => textContent.startsWith(${JSON.stringify(name)})).click()`);
}

const says = (text: string) => `document.body.innerText.includes(${JSON.stringify(text)})`;

const withChromium = (name: string, fn: () => Promise<void>) =>
  testWhere(chromium !== undefined, "needs Chromium", name, fn);

withChromium(
  "the page reaches a goal: the plan is reviewed, the checks are seen, the commit is made",
  async () => {
    const task = { id: "1", title: "Greet", files: ["a.txt"], acceptance: "The test passes." };
    const edit = { path: "a.txt", old_text: "hello", new_text: "good day" };
    await using server = ModelServer.start(strictly([
      { text: "It says hello." },
      { calls: [{ tool: "submit_plan", input: { summary: "Greet.", tasks: [task] } }] },
      {
        calls: [{ tool: "edit_file", input: edit }, {
          tool: "finish_task",
          input: { summary: "Done." },
        }],
      },
      { text: "No demonstration." },
    ]));
    await withProject(async (project) => {
      project.use(openAi(server));
      project.write({ "a.txt": "hello\n", "Makefile": "test:\n\tgrep -q day a.txt\n" });
      await project.git("init", "-q");
      await project.git("config", "user.name", "a");
      await project.git("config", "user.email", "a@example.org");
      await project.git("add", "a.txt", "Makefile");
      await project.git("commit", "-qm", "one");
      await using serve = await ServeProcess.start(project);
      await withPage(chromium ?? "", serve.address, async (page) => {
        await until(page, says("ready"));
        await type(page, "#message", "/goal Greet");
        await press(page, "Send");
        await until(
          page,
          `document.querySelector(".question")?.innerText.includes("planning/plan.md")`,
        );
        await press(page, "carry it out");
        await until(page, `document.querySelector(".question .diff") !== null`);
        await press(page, "Allow");
        await until(
          page,
          `document.querySelector(".question")?.innerText.includes("Commit this now?")`,
        );
        assert.match(String(await page.evaluate("document.body.innerText")), /test: make test/);
        await press(page, "Yes");
        await until(page, says("Shipped: commit"));
        assert.deepEqual(page.complaints, []);
      });
      assert.match(await project.git("log", "-1", "--format=%B"), /Proved: /);
    });
  },
);

withChromium(
  "the page converses, approves and denies with a reason; a hostile answer does nothing",
  async () => {
    await using server = ModelServer.start(strictly([
      { text: HOSTILE },
      { calls: [{ tool: "run_command", input: { command: "touch made" } }] },
      { text: "It is there." },
      { calls: [{ tool: "run_command", input: { command: "touch other" } }] },
      { text: "Then not." },
    ]));
    await withProject(async (project) => {
      project.use(openAi(server));
      await using serve = await ServeProcess.start(project);
      await withPage(chromium ?? "", serve.address, async (page) => {
        assert.equal(await page.evaluate("location.hash"), "", "the token leaves the address");
        await type(page, "#message", "Hi.");
        await until(page, says("ready"));
        await press(page, "Send");
        await until(page, `document.querySelector("strong")?.textContent === "bold"`);
        assert.equal(
          await page.evaluate("document.querySelectorAll('main img, main a').length"),
          0,
        );
        assert.notEqual(await page.evaluate("document.title"), "hit");
        await type(page, "#message", "Make it.");
        await until(page, says("ready"));
        await press(page, "Send");
        await until(page, `document.querySelector(".question")?.innerText.includes("touch made")`);
        await press(page, "Allow");
        await until(page, says("It is there."));
        assert.ok(Deno.statSync(`${project.root}/made`).isFile);
        await type(page, "#message", "And the other.");
        await until(page, says("ready"));
        await press(page, "Send");
        await until(page, `document.querySelector(".question") !== null`);
        await type(page, ".question input", "not that one");
        await press(page, "Reject");
        await until(page, says("Then not."));
        assert.throws(() => Deno.statSync(`${project.root}/other`), Deno.errors.NotFound);
        assert.deepEqual(page.complaints, []);
      });
      assert.match(new TextDecoder().decode(server.requests.at(-1)?.body), /not that one/);
    });
  },
);

/** Models that need no network, and what is said when there is no model at all. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import { withProject } from "../support/project.ts";
import { assertSound } from "./soundness.ts";

const SCRIPT = [
  "# The model looks, then answers.",
  '{"reasoning": "I need the file.", "calls": [{"tool": "read_file", "input": {"path": "README.md"}}]}',
  '{"expect": "greet", "text": "A greeting."}',
  "You are welcome.",
  "",
].join("\n");

Deno.test("chat --model script: plays a file, and goes on in it after a kill -9", async () => {
  await withProject(async (project) => {
    project.write({ "demo.script": SCRIPT });
    await using chat = project.chat(["--model", "script:demo.script"]);
    await chat.turn("What is here?");
    assert.deepEqual(chat.all("reply").map(({ text }) => text), ["", "A greeting."]);
    await chat.kill();

    await using resumed = project.chat(["--continue"]);
    await resumed.turn("Thanks.");
    assert.deepEqual(resumed.all("reply").map(({ text }) => text), ["You are welcome."]);
    assert.deepEqual(resumed.all("notice"), []);
    await resumed.type("more");
    const { end } = await resumed.until("turn_ended");
    assert.ok(end.outcome === "aborted" && /demo\.script holds 3 answers/.test(end.detail));
    assert.equal((await resumed.leave()).code, 1);
    await assertSound(project);
  });
});

Deno.test("chat --model replay: plays the model's side of a recorded session", async () => {
  await withProject(async (project) => {
    project.write({ "demo.script": SCRIPT });
    const messages = { input: "What is here?\nThanks.\n" };
    const recorded = await project.run(["chat", "--model", "script:demo.script"], messages);
    const model = `replay:${project.sessionId}`;
    const replayed = await project.run(["chat", "--model", model], messages);
    assert.equal(replayed.code, 0, replayed.stderr);
    assert.equal(replayed.stdout, recorded.stdout);
    assert.match(replayed.stderr, /read_file README\.md/);
    assert.equal(project.sessionIds.length, 2);
  });
});

Deno.test("chat --model script: names the line that cannot be read, with exit code 1 and no session", async () => {
  await withProject(async (project) => {
    project.write({ "bad.script": 'fine\n{"txt": "typo"}\n' });
    const { code, stderr } = await project.run(["chat", "--model", "script:bad.script"], {
      input: "go\n",
    });
    assert.equal(code, 1);
    assert.match(stderr, /bad\.script:2: /);
    assert.deepEqual(project.sessionIds, []);
  });
});

Deno.test("chat without any model lists the ways to one, with exit code 2", async () => {
  await withProject(async (project) => {
    // Ollama may run here; nothing does at this address.
    const env = { OLLAMA_HOST: "127.0.0.1:9" };
    const { code, stdout, stderr } = await project.run(["chat"], { input: "go\n", env });
    assert.equal(code, 2);
    assert.equal(stdout, "");
    const ways = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENROUTER_API_KEY", "Ollama"];
    for (const way of [...ways, "llama.cpp", "M31A_BASE_URL", "--model", "script:", "replay:"]) {
      assert.ok(stderr.includes(way), `${way} is not named: ${stderr}`);
    }
    assert.deepEqual(project.sessionIds, []);
  });
});

Deno.test("chat refuses wrong use with exit code 2: no session, an unknown one, two flags, an unknown provider", async () => {
  await withProject(async (project) => {
    project.write({ "demo.script": SCRIPT });
    const wrong: [string[], RegExp][] = [
      [["--continue"], /there is no session to continue/],
      [["--resume", "20200101-000000-aaaa"], /20200101-000000-aaaa/],
      [["--resume", "x", "--continue"], /give one/],
      [["--model", "nobody:test"], /no provider "nobody"/],
      [["--model", "anthropic:test"], /ANTHROPIC_API_KEY/],
      [["--nonsense"], /--nonsense/],
    ];
    for (const [args, message] of wrong) {
      const { code, stderr } = await project.run(["chat", ...args], { input: "go\n" });
      assert.equal(code, 2, `${args.join(" ")}: ${stderr}`);
      assert.match(stderr, message);
    }
    await project.run(["chat", "--model", "script:demo.script"], { input: "What?\n" });
    await project.run(["chat", "--model", "script:demo.script"], { input: "What?\n" });
    const other = ["chat", "--continue", "--model", "anthropic:claude-sonnet-5"];
    const refused = await project.run(other, { input: "to the cloud\n" });
    assert.equal(refused.code, 2, refused.stderr);
    assert.match(refused.stderr, /--model: Anthropic needs a key; set ANTHROPIC_API_KEY/);
    const { code, stderr } = await project.run(["chat", "--resume", "2"], { input: "go\n" });
    assert.equal(code, 2);
    for (const id of project.sessionIds) assert.ok(stderr.includes(id), stderr);
  });
});

Deno.test("chat started in a subfolder or a linked worktree works at that tree's root", async () => {
  await withProject(async (project) => {
    project.write({ "demo.script": SCRIPT, "a b/c/d.txt": "deep\n" });
    await project.git("add", "--all");
    await project.git("commit", "--quiet", "--message=all");
    const linked = join(project.outside, "linked");
    await project.git("worktree", "add", "--quiet", linked);
    const args = ["chat", "--json", "--model", "script:demo.script"];
    const below = join(project.root, "a b", "c");
    const first = await project.run(args, { cwd: below, input: "What?\n" });
    assert.equal(first.code, 0, first.stderr);
    const id = project.sessionId;

    const again = ["chat", "--continue"];
    const resumed = await project.run(again, {
      cwd: join(project.root, "src"),
      input: "Thanks.\n",
    });
    assert.equal(resumed.stdout, "You are welcome.\n", resumed.stderr);
    assert.equal(project.sessionId, id);

    const other = await project.run(args, { cwd: join(linked, "a b"), input: "What?\n" });
    assert.equal(other.code, 0, other.stderr);
    assert.equal(project.sessionId, id);
    const there = [...Deno.readDirSync(join(linked, "sessions"))].filter((it) => it.isDirectory);
    assert.equal(there.length, 1);
    for (const folder of [below, join(linked, "a b"), join(linked, "src")]) {
      assert.ok(![...Deno.readDirSync(folder)].some(({ name }) => name === "sessions"));
    }
  });
});

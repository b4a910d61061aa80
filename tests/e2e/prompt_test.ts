/** One message and its answer, without a terminal: `-p`, words in place of a command, the formats of the output. */
import assert from "node:assert/strict";
import { eventSchema } from "../../scripts/docs/event_schema.ts";
import { withProject } from "../support/project.ts";

const MODEL = ["--model", "script:model.script"];

Deno.test("m31a -p says one message, all of stdin where it is -, and prints the answer alone", () =>
  withProject(async (project) => {
    project.write({
      "model.script": [
        { expect: "/^What is this\\?$/", text: "A project." },
        { expect: "/^Review:\\n\\n\\/help\\nline two$/", text: "Reviewed." },
        { expect: "two words", text: "Heard." },
      ].map((line) => JSON.stringify(line)).join("\n"),
    });
    const first = await project.run(["-p", "What is this?", ...MODEL]);
    assert.deepEqual([first.code, first.stdout], [0, "A project.\n"], first.stderr);
    const goOn = ["chat", "--continue", "-p", "Review:", "-p", "-"];
    const second = await project.run(goOn, { input: "/help\nline two\n" });
    assert.deepEqual([second.code, second.stdout], [0, "Reviewed.\n"], second.stderr);
    const third = await project.run(["--continue", "two words"]);
    assert.deepEqual([third.code, third.stdout], [0, "Heard.\n"], third.stderr);
    const fourth = await project.run(["-p", "one too many", "--continue"]);
    assert.equal(fourth.code, 1);
  }));

Deno.test("chat --output-format json prints what came of each turn, and stderr says what nobody allowed", () =>
  withProject(async (project) => {
    const call = { tool: "run_command", input: { command: "touch made" } };
    const usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0, cost: 0.25 };
    project.write({
      "model.script": [
        { text: "I try.", calls: [call], usage },
        { text: "It was refused.", usage },
        { error: "the server is gone" },
      ].map((line) => JSON.stringify(line)).join("\n"),
    });
    const args = ["chat", "--output-format", "json", ...MODEL];
    const { code, stdout, stderr } = await project.run(args, { input: "make it\nonce more\n" });
    assert.equal(code, 1);
    const [first, second, ...others] = stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
    assert.deepEqual(others, []);
    for (const result of [first, second]) eventSchema.parse(result);
    assert.deepEqual(first, {
      type: "result",
      session: project.sessionId,
      model: "script:model.script",
      turn: 1,
      end: { outcome: "replied", finish: "stop" },
      text: "It was refused.",
      calls: 1,
      failedCalls: 1,
      usage: { input: 200, output: 20, cacheRead: 0, cacheWrite: 0, cost: 0.5 },
    });
    assert.equal(second.turn, 2);
    assert.equal(second.end.outcome, "aborted");
    assert.match(
      stderr,
      /1\. failed: Not allowed, because nobody was asked\. The command was not run/,
    );
    const wrong = await project.run(["-p", "x", "--json", "--output-format", "json"]);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /--json means --output-format stream-json/);
    const empty = await project.run(["-p", "-"], { input: "\n" });
    assert.equal(empty.code, 2);
    assert.match(empty.stderr, /the message is empty/);
  }));

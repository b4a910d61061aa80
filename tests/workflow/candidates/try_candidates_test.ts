import assert from "node:assert/strict";
import { ContextOverflow } from "../../../src/model/errors.ts";
import { type Answer, fails, NO_LIMITS, recordsOf, says } from "../../support/conversations.ts";
import type { GitFolder } from "../../support/git_folder.ts";
import { run, storyOf, withProject } from "../runs.ts";

const GOAL = "Make every line of numbers.txt a number.";

/** A project whose check fails. */
async function withRedProject(test: (folder: GitFolder) => Promise<void>): Promise<void> {
  await withProject(async (folder) => {
    folder.write("numbers.txt", "1\ntwo\n");
    folder.commitAll();
    await test(folder);
  });
}

function proposes(content: string): Answer {
  return says(`The edited code:\n\n\`\`\`txt\n${content}\`\`\`\n`);
}

const WAY = { actions: "candidates", goal: GOAL } as const;

Deno.test("runWorkflow() by candidates keeps the first proposal that passes, by the ordinary phases", async () => {
  await withRedProject(async (folder) => {
    const answers = [proposes("1\nzwei\n"), proposes("1\n2\n")];
    const { end, model } = await run(folder, { ...WAY, answers });
    assert.deepEqual(end, { outcome: "verified" });
    assert.equal(folder.read("numbers.txt"), "1\n2\n");
    const records = await recordsOf(folder.root);
    assert.deepEqual(storyOf(records), [
      "initialize entered",
      "initialize done",
      "discuss entered",
      "discuss done",
      "plan entered",
      "baseline test false",
      "plan v1 true",
      "plan done",
      "execute entered",
      "task T1 running 0",
      "candidate 1 begun numbers.txt",
      "candidate test false",
      "candidate 1 undone numbers.txt",
      "candidate 2 begun numbers.txt",
      "check T1 true",
      "candidate 2 kept numbers.txt",
      "checkpoint 1 of T1: numbers.txt",
      "task T1 done 0",
      "execute done",
      "verify entered",
      "verify done",
    ]);
    // What was asked is on record and counted, and no message of the conversation.
    const asked = records.filter((record) => record.type === "side_request");
    assert.deepEqual(asked.map(({ parameters }) => parameters.temperature), [0, 0.8]);
    assert.equal(
      asked[0]?.text,
      "Edit this file.\n\nnumbers.txt:\n```txt\n1\ntwo\n```\n\n" +
        `${GOAL}\n\nAnswer with the edited code.`,
    );
    assert.equal(records.filter(({ type }) => type === "usage").length, 2);
    assert.ok(!records.some(({ type }) => type === "user" || type === "assistant"));
    assert.equal(model.bodies.length, 2);
  });
});

Deno.test("runWorkflow() by candidates leaves the file as it was when no proposal passes, and says so", async () => {
  await withRedProject(async (folder) => {
    const answers = Array.from({ length: 8 }, (_, index) => proposes(`x${index}\n`));
    const { end, events, model } = await run(folder, { ...WAY, answers });
    assert.equal(end.outcome, "failed");
    assert.equal(folder.read("numbers.txt"), "1\ntwo\n");
    assert.equal(model.bodies.length, 8);
    const failed = events.find((event) => event.type === "task" && event.status === "failed");
    assert.ok(failed?.type === "task");
    assert.match(failed.detail ?? "", /^none of 8 proposals passed; the last: check test failed/);
    const records = await recordsOf(folder.root);
    const checkpoint = records.find((record) => record.type === "checkpoint");
    assert.deepEqual(checkpoint?.type === "checkpoint" && checkpoint.files, []);
  });
});

Deno.test("runWorkflow() by candidates tries no answer without a content, nor one that it has seen", async () => {
  await withRedProject(async (folder) => {
    const answers = [
      says("```\n1\n2\n"),
      proposes("1\ntwo\n"),
      proposes("x\n"),
      proposes("x\n"),
      says("````md\r\n1\r\n2\r\n````"),
    ];
    const { end, events } = await run(folder, { ...WAY, answers });
    assert.deepEqual(end, { outcome: "verified" });
    const said = events.flatMap((event) =>
      event.type === "notice" && event.text.startsWith("proposal") ? event.text.split(": ")[1] : []
    );
    assert.deepEqual(said, [
      "the answer holds no whole content",
      "it changes nothing",
      "check test failed",
      "it was proposed before",
      "passed",
    ]);
    const tried = (await recordsOf(folder.root)).filter((record) => record.type === "candidate");
    assert.equal(tried.length, 4);
  });
});

Deno.test("runWorkflow() takes a candidate away that the end of a process left without a verdict", async () => {
  await withRedProject(async (folder) => {
    const answers = [proposes("x\n"), proposes("1\n2\n")];
    await assert.rejects(run(folder, {
      ...WAY,
      answers,
      killAfter: (record) => record.type === "candidate" && record.status === "begun",
    }));
    folder.write("numbers.txt", "x\n");
    const { end } = await run(folder, { answers: answers.slice(1) });
    assert.deepEqual(end, { outcome: "verified" });
    assert.equal(folder.read("numbers.txt"), "1\n2\n");
    const story = storyOf(await recordsOf(folder.root)).filter((line) => line.startsWith("cand"));
    assert.deepEqual(story, [
      "candidate 1 begun numbers.txt",
      "candidate 1 undone numbers.txt",
      "candidate 2 begun numbers.txt",
      "candidate 2 kept numbers.txt",
    ]);
  });
});

Deno.test("runWorkflow() by candidates proposes nothing for a test", async () => {
  await withRedProject(async (folder) => {
    folder.write("tests/numbers.txt", "1\n");
    folder.commitAll();
    const { end, model } = await run(folder, {
      actions: "candidates",
      goal: "Empty tests/numbers.txt.",
      answers: [],
    });
    assert.equal(end.outcome, "failed");
    assert.match(end.outcome === "failed" ? end.reason : "", /name the file in the goal/);
    assert.equal(model.bodies.length, 0);
  });
});

Deno.test("runWorkflow() by candidates asks for less of a file when the window is full, and never passes it", async () => {
  await withRedProject(async (folder) => {
    const lines = Array.from({ length: 300 }, (_, index) => String(index));
    folder.write("numbers.txt", `${lines.join("\n")}\ntwo\n`);
    folder.commitAll();
    const answers = [
      fails(new ContextOverflow("too long", 1000)),
      proposes("1\n"),
    ];
    const { end } = await run(folder, { ...WAY, answers, contextWindowTokens: 1200 });
    assert.deepEqual(end, { outcome: "verified" });
    const [asked] = (await recordsOf(folder.root)).filter(({ type }) => type === "side_request");
    assert.ok(asked?.type === "side_request");
    const { maxOutputTokens } = asked.parameters;
    assert.ok(Number(maxOutputTokens) + asked.text.length / 3 < 1200);
    assert.match(asked.text, /numbers.txt \(a part of it\):[\s\S]*299\ntwo\n```/);
    assert.ok(folder.read("numbers.txt").startsWith("0\n1\n2\n"));
  });
});

Deno.test("runWorkflow() by candidates asks for a part of a large file, and says which files it did not look at", async () => {
  await withRedProject(async (folder) => {
    const lines = Array.from({ length: 1000 }, (_, index) => String(index));
    folder.write("numbers.txt", `${lines.join("\n")}\ntwo\n`);
    folder.write("data.csv", "1,2,3\n".repeat(50_000));
    folder.commitAll();
    const { end, events } = await run(folder, { ...WAY, answers: [proposes("1\n2\n")] });
    assert.deepEqual(end, { outcome: "verified" });
    assert.ok(folder.read("numbers.txt").startsWith("0\n1\n2\n"));
    const [asked] = (await recordsOf(folder.root)).filter(({ type }) => type === "side_request");
    assert.ok(asked?.type === "side_request" && asked.text.length < 2_200);
    assert.match(asked.text, /numbers.txt \(a part of it\):/);
    assert.ok(events.some((event) =>
      event.type === "notice" &&
      event.text === "Not looked at, being larger than 262144 bytes: data.csv"
    ));
  });
});

Deno.test("runWorkflow() by candidates ends at a limit of the session", async () => {
  await withRedProject(async (folder) => {
    const { end } = await run(folder, {
      ...WAY,
      answers: [proposes("x\n"), proposes("y\n")],
      world: { limits: { ...NO_LIMITS, requestsPerTurn: 1 } },
    });
    assert.match(end.outcome === "failed" ? end.reason : "", /1 of 1 tasks failed/);
    const task = (await recordsOf(folder.root)).findLast((record) => record.type === "task");
    assert.equal(task?.type === "task" && task.cause, "limit_reached");
  });
});

import assert from "node:assert/strict";
import { eventSchema } from "../../../scripts/docs/event_schema.ts";
import { isSessionId } from "../../../src/session/session_id.ts";
import { readLedger } from "../../../src/ledger/ledger.ts";
import { readMemory } from "../../../src/ledger/memory_file.ts";
import { readBaseline } from "../../../src/session/epoch_files.ts";
import type { GitFolder } from "../../support/git_folder.ts";
import { type Ended, runM31a } from "../../support/source.ts";
import { edits, PLAN, script, withNumbers } from "./numbers_project.ts";

const PROSE = "## What changed\n\nThe numbers.\n\n## How to run it\n\n`make test`\n\n" +
  "## Decisions\n\nNone.\n\n## Limits\n\nNone.";

async function m31a(
  folder: GitFolder,
  args: string[],
  lines: readonly string[] = [],
): Promise<Ended> {
  script(folder, lines);
  const model = args[0] === "run" ? ["--model", "script:model.jsonl"] : [];
  return await runM31a([...args, ...model], { cwd: folder.root });
}

function sessionsOf(folder: GitFolder): string[] {
  return [...Deno.readDirSync(`${folder.root}/sessions`)].filter(({ name }) => isSessionId(name))
    .map(({ name }) => name).sort();
}

Deno.test("m31a run ends in a ship; the next goal's baseline has what the first one taught", () =>
  withNumbers(async (folder) => {
    const wrong = edits("2", "two");
    const first = await m31a(folder, ["run", "Make the second number 3"], [
      "Looked.",
      PLAN,
      wrong,
      edits("two", "3"),
      JSON.stringify({ text: PROSE }),
    ]);
    assert.equal(first.code, 0, first.stdout + first.stderr);
    assert.match(first.stdout, /Shipped: commit [0-9a-f]{12}/);
    assert.equal(
      folder.run("show", "--format=%s", "--name-only", "HEAD"),
      "chore: make the second number 3\n\nnumbers.txt\n",
    );
    const [id = ""] = sessionsOf(folder);
    const archive = `planning/archive/${id}`;
    assert.match(
      folder.read(`${archive}/DEMONSTRATION.md`),
      /The numbers\.[^]*_Written by script:/,
    );
    assert.match(folder.read(`${archive}/TASKS.md`), /Mend the second/);
    assert.deepEqual(
      [...Deno.readDirSync(`${folder.root}/planning`)].map(({ name }) => name).sort(),
      [".cache", "MEMORY.md", "archive", "ledger.jsonl"],
    );
    const second = await m31a(folder, ["run", "Make the second number 4"], [
      "Looked.",
      PLAN,
      edits("3", "4"),
      JSON.stringify({ text: "no sections" }),
    ]);
    assert.equal(second.code, 0, second.stdout + second.stderr);
    const [, other = ""] = sessionsOf(folder);
    const { memory } = readBaseline(folder.root, other, 0).baseline;
    assert.equal(memory?.blocks[0], id);
    assert.match(memory?.text ?? "", /test_failure/);
    assert.match(
      folder.read(`planning/archive/${other}/DEMONSTRATION.md`),
      /From the facts alone: the model's text has no section/,
    );
    const entries = (await readLedger(`${folder.root}/planning/ledger.jsonl`))
      .map(({ entry }) => entry);
    assert.deepEqual(entries.map(({ outcome, heals, tasks }) => [outcome, heals, tasks.done]), [
      ["shipped", 1, 1],
      ["shipped", 0, 1],
    ]);
    assert.deepEqual(entries[0]?.failures.map(({ cause, healed }) => [cause, healed]), [
      ["test_failure", true],
    ]);
    assert.equal(entries[0]?.phases.ship?.requests, 1);
    assert.deepEqual(entries[1]?.memory.blocks, [id]);
    assert.equal(readMemory(folder.root).blocks.length, 2);
    const again = await m31a(folder, ["ship", id]);
    assert.deepEqual([again.code, /is shipped already/.test(again.stdout)], [0, true]);
    const status = await m31a(folder, ["status"]);
    assert.match(status.stdout, /Phase +ship done/);
  }));

Deno.test("m31a run tells the ledger of a workflow that failed, and spends nothing on a detached HEAD", () =>
  withNumbers(async (folder) => {
    const lines = ["Looked.", PLAN, edits("2", "x"), edits("x", "y"), edits("y", "z")];
    const { code } = await m31a(folder, ["run", "Break it"], lines);
    assert.equal(code, 1);
    const entries = await readLedger(`${folder.root}/planning/ledger.jsonl`);
    assert.deepEqual(
      entries.map(({ entry }) => [entry.outcome, entry.heals, entry.tasks.failed, entry.files]),
      [["failed", 2, 1, ["numbers.txt"]]],
    );
    folder.run("stash", "-q");
    folder.run("switch", "-q", "--detach");
    const sessions = sessionsOf(folder).length;
    const refused = await m31a(folder, ["run", "Mend it"], lines);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /HEAD is detached/);
    assert.equal(sessionsOf(folder).length, sessions);
  }));

Deno.test("m31a ship --dry-run prints the checklist and stops; what a check blocks is shipped once it is put right", () =>
  withNumbers(async (folder) => {
    const lines = ["Looked.", PLAN, edits("2", "3")];
    folder.hook("pre-commit", "echo 'not today' >&2; exit 1");
    const failed = await m31a(folder, ["run", "Make it 3"], lines);
    assert.equal(failed.code, 1);
    assert.match(failed.stderr, /not today\nNot shipped\. When that is put right: m31a ship \d/);
    assert.match(folder.read("planning/STATE.md"), /ship \(failed\)/);
    const [id = ""] = sessionsOf(folder);
    folder.write("numbers.txt", "1\n33\n");
    const blocked = await m31a(folder, ["ship", "--dry-run", "--json"]);
    assert.equal(blocked.code, 1);
    const { session, isReady, checks } = JSON.parse(blocked.stdout);
    assert.deepEqual([session, isReady, checks.length], [id, false, 18]);
    folder.write("numbers.txt", "1\n3\n");
    const ready = await m31a(folder, ["ship", "--dry-run"]);
    assert.deepEqual([ready.code, /It can be shipped\.\n$/.test(ready.stdout)], [0, true]);
    Deno.removeSync(`${folder.root}/.git/hooks/pre-commit`);
    const shipped = await m31a(folder, ["ship", "--json"]);
    assert.equal(shipped.code, 0, shipped.stderr);
    const events = shipped.stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
    for (const event of events) eventSchema.parse(event);
    assert.deepEqual(
      events.flatMap((event) => event.type === "ship_step" ? [event.step] : []),
      ["commit", "metrics", "demonstration", "ledger", "memory", "archive", "done"],
    );
    assert.equal(events.at(-1).outcome, "shipped");
  }));

Deno.test("m31a session close ends a workflow as abandoned, and a run ends those whose process has died", () =>
  withNumbers(async (folder) => {
    // The script ends in the middle of the plan, which leaves the workflow as a kill would: without an end.
    await m31a(folder, ["run", "First", "--no-ship"], ["Looked.", PLAN, edits("2", "3")]);
    const [id = ""] = sessionsOf(folder);
    const log = `${folder.root}/sessions/${id}/0.jsonl`;
    const text = Deno.readTextFileSync(log);
    const cut = text.indexOf('"type":"plan"');
    Deno.writeTextFileSync(log, text.slice(0, text.lastIndexOf("\n", cut) + 1));
    folder.run("checkout", "-q", "numbers.txt");
    const { stderr, code } = await m31a(folder, ["run", "Second", "--no-ship"], [
      "Looked.",
      PLAN,
      edits("2", "4"),
    ]);
    assert.equal(code, 0, stderr);
    assert.match(stderr, new RegExp(`Session ${id} had not ended`));
    const entries = await readLedger(`${folder.root}/planning/ledger.jsonl`);
    assert.deepEqual(entries.map(({ entry }) => [entry.session, entry.outcome, entry.goal]), [
      [id, "abandoned", "First"],
    ]);
    const closed = await m31a(folder, ["session", "close"]);
    assert.match(closed.stdout, /is ended/);
    const again = await m31a(folder, ["session", "close"]);
    assert.match(again.stdout, /nothing was changed/);
    assert.equal((await readLedger(`${folder.root}/planning/ledger.jsonl`)).length, 2);
  }));

/** The loop closes: what a session taught is in the next one's plan request, and the ledger's numbers are those of git and of the server. */
import assert from "node:assert/strict";
import type { LedgerEntry } from "../../../src/ledger/entry.ts";
import {
  DEMONSTRATION,
  type NumbersProject,
  type Spent,
  withNumbers,
  work,
} from "./numbers_project.ts";

Deno.test("run learns: the second goal's plan request has what the first one's failure taught", () =>
  withNumbers(async (numbers) => {
    const { model } = numbers;
    const first = await numbers.run("Make the second number 5", [
      ...work("numbers.txt", "2", "five", "5"),
      DEMONSTRATION,
    ]);
    assert.equal(first.code, 0, first.stdout + first.stderr);
    const sent = model.server.requests.length;
    const second = await numbers.run("Make the second number 6", [
      ...work("numbers.txt", "5", "6"),
      DEMONSTRATION,
    ]);
    assert.equal(second.code, 0, second.stdout + second.stderr);

    const lesson =
      "Failed: test_failure, healed after 1 tries: check test failed: make test (exit code 2): 1 failed: not a number";
    const planRequest = model.server.bodies[sent + 1] ?? "";
    assert.match(planRequest, /Now make the plan and submit it/);
    assert.ok(systemOf(planRequest).includes(lesson), planRequest);
    assert.ok(!systemOf(model.server.bodies[1] ?? "").includes("Failed:"));
    const shown = await numbers.project.run(["memory", "show", "--goal", "Make the second number"]);
    assert.ok(shown.stdout.includes(lesson));

    const [one, two] = numbers.entries;
    assert.ok(one !== undefined && two !== undefined);
    assert.deepEqual([one.outcome, one.heals, two.outcome, two.heals], [
      "shipped",
      1,
      "shipped",
      0,
    ]);
    assertSpent(one, model.spentSince(0), model.spentSince(sent));
    assertSpent(two, model.spentSince(sent), model.spentSince(Infinity));
    for (const entry of [one, two]) await assertDiff(numbers, entry);
    assert.deepEqual([one.memory.blocks, two.memory.blocks], [[], [one.session]]);
    assert.ok(two.memory.tokens > 0);
    assert.deepEqual([...numbers.memory.matchAll(/^## Session (\S+)/gm)].map((match) => match[1]), [
      one.session,
      two.session,
    ]);
    const baseline = JSON.parse(numbers.read(`sessions/${two.session}/0.baseline.json`));
    assert.equal(baseline.memory.blocks[0], one.session);
    assert.ok(planRequest.includes(JSON.stringify(baseline.memory.text).slice(1, -1)));
  }));

Deno.test("ledger stats agree with a hand count over goals that shipped, healed and failed", () =>
  withNumbers(async (numbers) => {
    const { model, project } = numbers;
    await numbers.run("Make the second number 5", [
      ...work("numbers.txt", "2", "five", "5"),
      DEMONSTRATION,
    ]);
    const failed = await numbers.run(
      "Make the first number wrong",
      work("more.txt", "10", "ten", "x", "y"),
    );
    assert.equal(failed.code, 1, failed.stdout);
    await project.git("checkout", "--quiet", "more.txt");
    await numbers.run("Make the third number 6", [...work("numbers.txt", "3", "6"), DEMONSTRATION]);
    const { stdout, code } = await project.run(["ledger", "stats", "--json"]);
    assert.equal(code, 0);
    const stats = JSON.parse(stdout);
    const { all, byCause, byModel, byExtension, withMemory, withoutMemory } = stats;
    const spent = model.spentSince(0);
    const { entries } = numbers;
    assert.deepEqual(
      [all.attempts, all.shipped, all.failed, all.abandoned, all.shipRate],
      [3, 2, 1, 0, 2 / 3],
    );
    assert.deepEqual(
      [all.requests, all.input, all.output, all.cacheRead, all.tokens, all.cost],
      [
        spent.requests,
        spent.input,
        spent.output,
        spent.cacheRead,
        spent.input + spent.output,
        spent.cost,
      ],
    );
    assert.equal(all.workingMs, entries.reduce((sum, { workingMs }) => sum + workingMs, 0));
    assert.deepEqual([all.tasks, all.tasksDone, all.heals, all.files], [3, 2, 3, 3]);
    assert.deepEqual(byModel.map(({ name, attempts }: Named) => [name, attempts]), [
      ["openai-compatible:test", 3],
    ]);
    assert.deepEqual(byExtension.map(({ name, files }: Named) => [name, files]), [[".txt", 3]]);
    assert.deepEqual(byCause, [{
      name: "test_failure",
      failures: 2,
      attempts: 2,
      heals: 3,
      healed: 1,
      healRate: 1 / 2,
    }]);
    // The first one had the repository's first commit to remember.
    assert.deepEqual(
      [withMemory.attempts, withMemory.shipRate, withoutMemory.attempts, withoutMemory.shipRate],
      [3, 2 / 3, 0, null],
    );
    const { stdout: compared } = await project.run(["ledger", "stats", "--by", "memory"]);
    assert.match(compared, /^with memory +3 +67 %/m);
    assert.match(compared, /^Too few attempts to compare: 3 with memory/m);
  }));

Deno.test("a cause that came up three times stands first in the next plan request, and stats name it", () =>
  withNumbers(async (numbers) => {
    let second = "2";
    for (const to of ["5", "6", "7"]) {
      const words = work("numbers.txt", second, "wrong", to);
      const { code, stderr } = await numbers.run(`Make the second number ${to}`, [
        ...words,
        DEMONSTRATION,
      ]);
      assert.equal(code, 0, stderr);
      second = to;
    }
    const sent = numbers.model.server.requests.length;
    await numbers.run("Greet in French", [...work("numbers.txt", "3", "4"), DEMONSTRATION]);
    const system = systemOf(numbers.model.server.bodies[sent + 1] ?? "");
    const recurring = "Failures that keep coming back here:\n\n" +
      "- test_failure: 3 times, 3 of them healed. The last one: check test failed: make test (exit code 2): 1 failed";
    const [entry] = numbers.entries.slice(-1);
    assert.ok(system.includes(recurring), system);
    assert.ok(system.indexOf(recurring) < (system.indexOf("Earlier sessions") >>> 0));
    assert.ok((entry?.memory.tokens ?? 0) > 0);
    const { stdout } = await numbers.project.run(["ledger", "stats", "--by", "cause"]);
    assert.match(stdout, /^test_failure +3 +█+ +3 +3 +100 %/m);
    const csv = await numbers.project.run(["ledger", "stats", "--by", "cause", "--csv"]);
    assert.match(csv.stdout, /^name,failures,[^\n]*\r?\ntest_failure,3,3,3,3,1\b/);
  }));

interface Named {
  name: string;
  attempts: number;
  files: number;
}

/** What stands before the conversation in a request of chat completions. */
function systemOf(body: string): string {
  return JSON.parse(body).messages[0].content;
}

/** The entry has what the server has counted between two points. */
function assertSpent({ usage, phases }: LedgerEntry, from: Spent, to: Spent): void {
  assert.deepEqual({ ...usage }, {
    requests: from.requests - to.requests,
    input: from.input - to.input,
    output: from.output - to.output,
    cacheRead: from.cacheRead - to.cacheRead,
    cacheWrite: 0,
    cost: from.cost - to.cost,
    source: "reported",
  });
  const sum = Object.values(phases).reduce((total, { tokens }) => total + tokens, 0);
  assert.equal(sum, usage.input + usage.output);
}

/** The entry has what git says of its commit. */
async function assertDiff({ project }: NumbersProject, entry: LedgerEntry): Promise<void> {
  const { commit, base, diff, files } = entry;
  assert.ok(commit !== null && base !== null);
  const rows = (await project.git("diff", "--numstat", base, commit)).trimEnd().split("\n")
    .map((line) => line.split("\t"));
  const sum = (column: number) => rows.reduce((total, row) => total + Number(row[column]), 0);
  assert.deepEqual([diff.insertions, diff.deletions], [sum(0), sum(1)]);
  assert.deepEqual(files, rows.map(([, , path]) => path));
  const stat = await project.git("diff", "--shortstat", base, commit);
  assert.equal(
    stat.trim(),
    `${diff.modified} file changed, ${diff.insertions} insertion(+), ${diff.deletions} deletion(-)`,
  );
}

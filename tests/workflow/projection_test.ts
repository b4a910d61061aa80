import assert from "node:assert/strict";
import { PlanningError } from "../../src/planning/planning_error.ts";
import { UsageError } from "../../src/platform/errors.ts";
import { Session } from "../../src/session/session.ts";
import { archiveForeignDocuments } from "../../src/workflow/foreign_documents.ts";
import { WorkflowFold } from "../../src/workflow/fold.ts";
import { Projection } from "../../src/workflow/projection.ts";
import { documentHistory } from "../../src/workflow/projection_history.ts";
import type { RecordDraft } from "../../src/session/records.ts";
import { ID, sampleBaseline, stoppedClock } from "../session/samples.ts";
import { withTemporaryFolder } from "../support/temporary.ts";
import { approvedPlanOf, entered, GOAL, running } from "./records.ts";

interface Place {
  root: string;
  fold: () => WorkflowFold;
  append(...drafts: RecordDraft[]): void;
  projection(): Projection;
  read(name: string): string;
  edit(name: string, change: (text: string) => string): void;
}

/** A session on disk with a goal and an approved plan of two tasks, and its projection. */
function withPlace(test: (place: Place) => Promise<void>): Promise<void> {
  return withTemporaryFolder(async (root) => {
    let fold: WorkflowFold | undefined;
    using session = await Session.create(root, sampleBaseline(), null, {
      clock: stoppedClock,
      folds: (baseline) => [fold = new WorkflowFold(baseline)],
    });
    session.append([GOAL, entered("plan"), approvedPlanOf("1", "2"), entered("execute")]);
    const path = (name: string) => `${root}/planning/${name}`;
    await test({
      root,
      fold: () => {
        assert(fold !== undefined);
        return fold;
      },
      append: (...drafts) => void session.append(drafts),
      projection: () => new Projection(root, ID, (document) => documentHistory(root, ID, document)),
      read: (name) => Deno.readTextFileSync(path(name)),
      edit: (name, change) => {
        const before = Deno.readTextFileSync(path(name));
        const after = change(before);
        assert.notEqual(after, before);
        Deno.writeTextFileSync(path(name), after);
      },
    });
  });
}

Deno.test("Projection.write() writes every document and each version of the plan", () =>
  withPlace(async ({ projection, fold, read }) => {
    await projection().write(fold().state);
    assert.match(read("PROJECT.md"), /Mend the parser/);
    assert.match(read("TASKS.md"), /\| 2 +\| pending/);
    assert.match(read("STATE.md"), /execute \(entered\)/);
    assert.match(read("plan.md"), /### 1\. Task 1/);
    assert.equal(read("plan.v1.md"), read("plan.md"));
  }));

Deno.test("Projection.findEdit() finds nothing in documents that a kill left behind the log", () =>
  withPlace(async ({ projection, fold, append, read }) => {
    await projection().write(fold().state);
    append(running("1"), { type: "task", task: "1", status: "done", heals: 0 });
    const later = projection();
    assert.equal(await later.findEdit(fold().state), undefined);
    await later.write(fold().state);
    assert.match(read("TASKS.md"), /\| 1 +\| done/);
  }));

Deno.test("Projection.findEdit() shows an edit, which once recorded is merged and its own text kept", () =>
  withPlace(async ({ projection, fold, append, read, edit }) => {
    const documents = projection();
    await documents.write(fold().state);
    edit(
      "TASKS.md",
      (text) => text.replace(/\| 1 ( *)\| pending/, "| 1 $1| done   ") + "\nMy own words.\n",
    );
    const found = await documents.findEdit(fold().state);
    assert.deepEqual(found?.differences, [
      "task 1: status pending → done",
      "text of your own changed",
    ]);
    assert(found !== undefined);
    append({ type: "edited", document: found.document, sha256: found.sha256, text: found.text });
    documents.takenOver(found);
    assert.equal(await documents.findEdit(fold().state), undefined);
    assert.equal(fold().state.tasks[0]?.status, "done");
    await documents.write(fold().state);
    append({ type: "task", task: "2", status: "done", heals: 0 });
    await documents.write(fold().state);
    assert.match(read("TASKS.md"), /\| 2 +\| done[^]*My own words\./);
    assert.equal(await projection().findEdit(fold().state), undefined);
  }));

Deno.test("Projection.findEdit() takes an edited plan for its next version", () =>
  withPlace(async ({ projection, fold, append, read, edit }) => {
    const documents = projection();
    await documents.write(fold().state);
    edit("plan.md", (text) => text.replace("Task 2", "Another task"));
    const found = await documents.findEdit(fold().state);
    assert(found !== undefined);
    append({ type: "edited", document: found.document, sha256: found.sha256, text: found.text });
    documents.takenOver(found);
    await documents.write(fold().state);
    assert.equal(fold().state.plans.at(-1)?.version, 2);
    assert.match(read("plan.v2.md"), /Another task/);
    assert.match(read("plan.v1.md"), /Task 2/);
    assert.match(read("TASKS.md"), /Another task/);
  }));

Deno.test("Projection.findEdit() takes a plan that says the same in another form for no new version", () =>
  withPlace(async ({ projection, fold, append, edit }) => {
    const documents = projection();
    await documents.write(fold().state);
    edit("plan.md", (text) => `${text}\n## Mine\n\nWords of my own.\n`);
    const found = await documents.findEdit(fold().state);
    assert(found !== undefined);
    append({ type: "edited", document: found.document, sha256: found.sha256, text: found.text });
    assert.deepEqual(fold().state.plans.map(({ version }) => version), [1]);
    assert.match(fold().state.looks["plan.md"] ?? "", /Words of my own/);
  }));

Deno.test("Projection writes nothing of a workflow that was shipped, and finds no edit in what lies there", () =>
  withPlace(async ({ root, projection, fold, append }) => {
    append({ type: "shipped", step: "done", facts: {} });
    await projection().write(fold().state);
    assert.throws(() => Deno.readDirSync(`${root}/planning`).toArray(), Deno.errors.NotFound);
    Deno.mkdirSync(`${root}/planning`);
    Deno.writeTextFileSync(`${root}/planning/TASKS.md`, "another session's\n");
    assert.equal(await projection().findEdit(fold().state), undefined);
  }));

Deno.test("Projection.write() leaves a document that was edited meanwhile", () =>
  withPlace(async ({ projection, fold, append, read, edit }) => {
    const documents = projection();
    await documents.write(fold().state);
    edit("STATE.md", (text) => `${text}\nDo not lose this.\n`);
    append(running("1"));
    await documents.write(fold().state);
    assert.match(read("STATE.md"), /Do not lose this/);
    assert.match(read("TASKS.md"), /\| 1 +\| running/);
  }));

Deno.test("Projection.findEdit() refuses what means nothing with file and line, and what makes no sense", () =>
  withPlace(async ({ projection, fold, edit, read }) => {
    await projection().write(fold().state);
    const before = read("TASKS.md");
    edit("TASKS.md", (text) => text.replace("pending", "finished"));
    await assert.rejects(projection().findEdit(fold().state), (error) => {
      assert(error instanceof PlanningError);
      assert.match(error.message, /planning\/TASKS\.md:5: status "finished"/);
      return true;
    });
    edit("TASKS.md", () => before.replace(/(Task 1 +\|) +\|/, "$1 7 |"));
    await assert.rejects(projection().findEdit(fold().state), (error) => {
      assert(error instanceof UsageError);
      assert.match(error.message, /TASKS\.md: .*\n- task 1 depends on "7"/);
      return true;
    });
  }));

Deno.test("Projection.findEdit() refuses a check without a command, which would always pass", () =>
  withPlace(async ({ projection, fold, edit }) => {
    const documents = projection();
    await documents.write(fold().state);
    const table = "## Checks\n\n| Check | Command |\n| --- | --- |\n| test |\n";
    edit("PROJECT.md", (text) => `${text}\n${table}`);
    await assert.rejects(
      documents.findEdit(fold().state),
      (error) =>
        error instanceof UsageError &&
        /PROJECT\.md.*\n- the check "test" has no command/.test(error.message),
    );
  }));

Deno.test("archiveForeignDocuments() puts another session's documents away and leaves our own", () =>
  withPlace(async ({ root, projection, fold }) => {
    await projection().write(fold().state);
    assert.equal(archiveForeignDocuments(root, ID), undefined);
    Deno.writeTextFileSync(`${root}/planning/config.toml`, "");
    assert.equal(archiveForeignDocuments(root, "20260102-030405-ffff"), ID);
    const names = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    assert.deepEqual(names(`${root}/planning`), ["archive", "config.toml"]);
    assert.deepEqual(names(`${root}/planning/archive/${ID}`), [
      "PROJECT.md",
      "STATE.md",
      "TASKS.md",
      "plan.md",
      "plan.v1.md",
    ]);
  }));

for (const isSameProcess of [true, false]) {
  Deno.test(`Projection.findEdit() takes only what the person changed from an edit that the log overtook (same process: ${isSameProcess})`, () =>
    withPlace(async ({ projection, fold, append, edit }) => {
      append(running("1"));
      const first = projection();
      await first.write(fold().state);
      edit("TASKS.md", (text) => text.replace(/\| 2 ( *)\| pending/, "| 2 $1| done   "));
      append({ type: "task", task: "1", status: "done", heals: 0 });
      const documents = isSameProcess ? first : projection();
      await documents.write(fold().state);
      const found = await documents.findEdit(fold().state);
      assert.deepEqual(found?.differences, ["task 2: status pending → done"]);
      assert(found !== undefined);
      append({ type: "edited", document: found.document, sha256: found.sha256, text: found.text });
      assert.deepEqual(fold().state.tasks.map(({ status }) => status), ["done", "done"]);
      // Killed before the document was written again, the same edit is not found a second time.
      assert.equal(await projection().findEdit(fold().state), undefined);
    }));
}

Deno.test("Projection.findEdit() refuses a document that is too large to be read by people, with its size", () =>
  withPlace(async ({ root, projection, fold }) => {
    await projection().write(fold().state);
    Deno.truncateSync(`${root}/planning/TASKS.md`, 2 * 1024 * 1024 + 1);
    await assert.rejects(
      projection().findEdit(fold().state),
      /planning\/TASKS\.md: is 2097153 bytes, too large for what it is meant to hold/,
    );
  }));

/** From a goal to a verified change in a real project, through a wrong fix; and what is left when nothing heals. */
import assert from "node:assert/strict";
import { type Project, withProject } from "../../support/project.ts";
import { testWhere } from "../../support/machine.ts";
import { ECOSYSTEMS, layOut } from "./ecosystems.ts";
import { LOOKED, replaces, SCRIPT, scriptOf, submits, task } from "./model_words.ts";
import { cells, document } from "./documents.ts";
import { assertSound } from "../soundness.ts";

const RUN = ["run", "Make sum() add", "--no-ship", "--model", `script:${SCRIPT}`];

for (const ecosystem of ECOSYSTEMS) {
  const { name, isHere, missing, source, wrong, stillWrong, right, complaint } = ecosystem;

  testWhere(
    isHere,
    missing,
    `run heals a wrong fix in a ${name} project, verifies it and ends with 0`,
    () =>
      withProject(async (project) => {
        await layOut(project, ecosystem);
        project.write({
          [SCRIPT]: scriptOf(
            LOOKED,
            submits(task("1", "Add", source)),
            replaces(source, wrong, stillWrong),
            replaces(source, stillWrong, right, complaint),
          ),
        });
        const { code, stdout, stderr } = await project.run(RUN);
        assert.equal(code, 0, stdout + stderr);
        assert.match(stdout, /check test failed[^]*heal 1 \(test_failure\)[^]*check test passed/);
        assert.match(stdout, /Verified: all checks pass\.\n$/);
        assert.equal(read(project, source), ecosystem.files[source]?.replace(wrong, right));
        assert.match(document(project, "PROJECT.md"), new RegExp(`\`${ecosystem.command}\``));
        assert.ok(document(project, "PROJECT.md").includes(`**Type:** ${ecosystem.projectType}`));
        assert.deepEqual(cells(project), [
          ["1", "done", "Add", "", `\`${source}\``, "The tests pass.", "1", "`1`"],
        ]);
        assert.match(document(project, "STATE.md"), /verify \(done\)[^]*1 of 1 tasks done/);
        assert.equal(document(project, "plan.md"), document(project, "plan.v1.md"));
        assert.match(document(project, "plan.md"), /Add/);
        await assertOnlyChanged(project, source);
        await assertSound(project);
      }),
  );

  testWhere(
    isHere,
    missing,
    `run says what it could not heal in a ${name} project, skips what depends on it and ends with 1`,
    () =>
      withProject(async (project) => {
        await layOut(project, ecosystem);
        project.write({
          [SCRIPT]: scriptOf(
            LOOKED,
            submits(
              task("1", "Add", source),
              task("2", "Break", source, "1"),
              task("3", "Go on", source, "2"),
            ),
            replaces(source, wrong, right),
            replaces(source, right, stillWrong),
            replaces(source, stillWrong, wrong, complaint),
            replaces(source, wrong, stillWrong, "2 and 3 are -1"),
          ),
        });
        const { code, stdout, stderr } = await project.run(RUN);
        assert.equal(code, 1, stdout + stderr);
        assert.match(stdout, /^Not done: execute failed: 1 of 3 tasks failed, 1 skipped$/m);
        assert.deepEqual(cells(project).map(([id, status, , , , , heals]) => [id, status, heals]), [
          ["1", "done", "0"],
          ["2", "failed", "2"],
          ["3", "skipped", "0"],
        ]);
        assert.match(document(project, "STATE.md"), /execute \(failed\)[^]*1 failed, 1 skipped/);
        const tasks = project.records().filter(({ type }) => type === "task");
        assert.deepEqual(tasks.map(({ task, status, cause }) => [task, status, cause]), [
          ["1", "running", undefined],
          ["1", "done", undefined],
          ["2", "running", undefined],
          ["2", "running", "test_failure"],
          ["2", "running", "test_failure"],
          ["2", "failed", "test_failure"],
          ["3", "skipped", undefined],
        ]);
        const status = await project.run(["status"]);
        assert.match(
          status.stdout,
          /failed +2\. Break, 2 heals\n +test_failure: check test failed/,
        );
        assert.match(status.stdout, /skipped +3\. Go on\n +task 2, which it depends on, failed/);
        await assertSound(project);
      }),
  );
}

function read(project: Project, path: string): string {
  return Deno.readTextFileSync(`${project.root}/${path}`);
}

/** Nothing but `path`, and m31a's own folders: no caches of the tools that ran the checks. */
async function assertOnlyChanged(project: Project, path: string): Promise<void> {
  const status = await project.git("status", "--porcelain", "--", ":!planning", ":!sessions");
  assert.equal(status, ` M ${path}\n`);
  assert.equal([...Deno.readDirSync(project.outside)].length, 0, "the home folder was written to");
}

/** Without a sandbox, checks that a repository has brought in its PROJECT.md are asked about before anything else. */
import assert from "node:assert/strict";
import type { OpenApproval } from "../../src/agent/tool.ts";
import { UsageError } from "../../src/platform/errors.ts";
import { recordsOf, says } from "../support/conversations.ts";
import type { GitFolder } from "../support/git_folder.ts";
import { FINISH, run, submits, task, withProject } from "./runs.ts";

const DOCUMENT = "# Project\n\n## Checks\n\n| Check | Command | Source |\n| --- | --- | --- |\n" +
  "| test | `touch ran; sh check.sh` | package.json:3 |\n";

function hasRun({ root }: GitFolder): boolean {
  return [...Deno.readDirSync(root)].some(({ name }) => name === "ran");
}

/** Runs a workflow with no checks of a configuration; gives what was asked about checks. */
async function begin(folder: GitFolder, isAllowed: boolean) {
  const asked: OpenApproval[] = [];
  const approve = (request: OpenApproval) => {
    if (request.tool === "check") asked.push(request);
    return Promise.resolve({ isAllowed });
  };
  const answers = [says("Looked."), submits(task("1")), says("", [FINISH])];
  try {
    await run(folder, { answers, goal: "Count on", checks: {}, world: { approve } });
    return { asked, error: undefined };
  } catch (error) {
    return { asked, error };
  }
}

Deno.test("runWorkflow() runs no check of a PROJECT.md that git tracks unless it is allowed", () =>
  withProject(async (folder) => {
    folder.write("planning/PROJECT.md", DOCUMENT);
    folder.commitAll();
    const { asked, error } = await begin(folder, false);
    assert.deepEqual(asked.map(({ detail }) => detail), ["test: touch ran; sh check.sh"]);
    assert(error instanceof UsageError);
    assert.match(
      error.message,
      /PROJECT\.md: git tracks the file.*\n {2}test: touch ran; sh check/,
    );
    assert.match(error.message, /\[ship\.checks\] or \[tools\] allow.*--approval all/);
    assert.equal(hasRun(folder), false);
    assert.ok(!(await recordsOf(folder.root)).some(({ type }) => type === "check"));
    await run(folder, { answers: [says("Looked.")], checks: {}, mode: "run" }).catch(() => {});
    assert.equal(hasRun(folder), true, "it goes on once that is allowed");
  }));

Deno.test("runWorkflow() asks about no check that the user wrote into PROJECT.md, or that the project is known by", () =>
  withProject(async (folder) => {
    folder.write("planning/PROJECT.md", DOCUMENT.replace("touch ran; sh check.sh", "true"));
    folder.commitAll();
    folder.write("planning/PROJECT.md", DOCUMENT);
    assert.deepEqual((await begin(folder, true)).asked, []);
    assert.equal(hasRun(folder), true);
  }).then(() =>
    withProject(async (folder) => {
      folder.write("Makefile", "test:\n\ttouch ran\n");
      folder.write("planning/PROJECT.md", DOCUMENT.replace("touch ran; sh check.sh", "make test"));
      folder.commitAll();
      assert.deepEqual((await begin(folder, true)).asked, []);
      assert.equal(hasRun(folder), true);
    })
  ));

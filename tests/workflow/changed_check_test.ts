/** Without a sandbox, a check that the session has changed is asked about. */
import assert from "node:assert/strict";
import type { OpenApproval } from "../../src/agent/tool.ts";
import { UsageError } from "../../src/platform/errors.ts";
import { recordsOf, says } from "../support/conversations.ts";
import type { GitFolder } from "../support/git_folder.ts";
import { FINISH, run, submits, task, withProject } from "./runs.ts";

const SCRIPT = "touch ran; exit 0\n";

function writes(path: string, content: string) {
  return says("", [
    { tool: "read_file", input: { path } },
    { tool: "write_file", input: { path, content } },
    FINISH,
  ]);
}

/** Runs a workflow of one task that writes a file; gives what was asked about checks. */
async function runTask(folder: GitFolder, path: string, isAllowed: boolean) {
  const asked: OpenApproval[] = [];
  const approve = (request: OpenApproval) => {
    if (request.tool !== "check") return Promise.resolve({ isAllowed: true });
    asked.push(request);
    return Promise.resolve({ isAllowed });
  };
  const content = path === "numbers.txt" ? "1\n2\n3\n" : SCRIPT;
  const answers = [says("Looked."), submits(task("1")), writes(path, content)];
  try {
    await run(folder, { answers, goal: "Count on", world: { approve } });
    return { asked, error: undefined };
  } catch (error) {
    return { asked, error };
  }
}

Deno.test("runWorkflow() runs no check whose script the session has changed unless it is allowed", () =>
  withProject(async (folder) => {
    const { asked, error } = await runTask(folder, "check.sh", false);
    assert.equal(asked.length, 1);
    assert.match(asked[0]?.detail ?? "", /^sh check\.sh\n\nChanged in this session:\ncheck\.sh$/);
    assert(error instanceof UsageError);
    assert.match(error.message, /check test was not run: .*\(check\.sh\).*no sandbox/);
    assert.match(error.message, /m31a run --resume \S+ --approval all/);
    assert.throws(() => Deno.statSync(`${folder.root}/ran`), Deno.errors.NotFound);
    assert(
      !(await recordsOf(folder.root)).some((record) =>
        record.type === "check" && record.purpose === "attempt"
      ),
    );
    // It goes on where it was once that is allowed.
    await run(folder, { answers: [], mode: "run" });
    assert(Deno.statSync(`${folder.root}/ran`).isFile);
  }));

Deno.test("runWorkflow() asks about a changed test, and not about a check of which nothing was changed", () =>
  withProject(async (folder) => {
    folder.write("tests/one.test.js", "");
    folder.commitAll();
    assert.deepEqual(await runTask(folder, "numbers.txt", false), { asked: [], error: undefined });
  }).then(() =>
    withProject(async (folder) => {
      folder.write("tests/one.test.js", "");
      folder.commitAll();
      const { asked } = await runTask(folder, "tests/one.test.js", true);
      assert(asked.length > 0);
      assert.equal(new Set(asked.flatMap(({ scope }) => scope.keys)).size, 1);
    })
  ));

import assert from "node:assert/strict";
import { metricsOfCommit, pendingDiff } from "../../src/git/diff.ts";
import { gitPath } from "../../src/git/path.ts";
import { type GitFolder, withGitFolder } from "../support/git_folder.ts";

function pending(folder: GitFolder, ...names: string[]) {
  return pendingDiff(folder.git, names.map((name) => gitPath(name)), folder.scratch);
}

Deno.test("pendingDiff() looks at the chosen files only, new and deleted ones included", async () => {
  await withGitFolder(async (folder) => {
    folder.write("a", "1\n2\n");
    folder.write("gone", "1\n");
    folder.write("old", "one\ntwo\nthree\n");
    folder.commitAll();
    folder.write("a", "1\ntwo\n");
    folder.write("new", "n\n");
    folder.write("other", "o\n");
    folder.write("staged", "s\n");
    folder.run("add", "staged");
    Deno.removeSync(`${folder.root}/gone`);
    Deno.renameSync(`${folder.root}/old`, `${folder.root}/nëw`);
    const before = folder.run("status", "--porcelain");
    const { metrics, addedLines } = await pending(folder, "a", "new", "gone", "old", "nëw");
    assert.deepEqual(
      metrics.files.map(({ path, status }) => `${status} ${path.text}`).sort(),
      ["added new", "deleted gone", "modified a", "renamed nëw"],
    );
    assert.deepEqual(
      addedLines.map(({ path, line, text }) => `${path.text}:${line}:${text}`),
      ["a:2:two", "new:1:n"],
    );
    assert.equal(folder.run("status", "--porcelain"), before);
    assert.deepEqual([...Deno.readDirSync(folder.scratch)], []);
  });
});

Deno.test("pendingDiff() compares with nothing in a repository without a commit", async () => {
  await withGitFolder(async (folder) => {
    folder.write("a", "1\n2\n");
    const { metrics, addedLines } = await pending(folder, "a");
    assert.equal(metrics.totals.insertions, 2);
    assert.equal(metrics.totals.added, 1);
    assert.equal(addedLines.length, 2);
  });
});

Deno.test("pendingDiff() does as it says whatever the user's diff settings are", async () => {
  await withGitFolder(async (folder) => {
    folder.write("a b", "1\n");
    folder.commitAll();
    folder.write("a b", "1\n2\n");
    for (
      const [key, value] of [
        ["diff.noprefix", "true"],
        ["diff.mnemonicPrefix", "true"],
        ["diff.external", "false"],
        ["color.ui", "always"],
        ["core.quotePath", "false"],
        ["diff.renames", "copies"],
        ["diff.interHunkContext", "3"],
        ["diff.wordRegex", "."],
      ] as const
    ) folder.run("config", key, value);
    const { metrics, addedLines } = await pending(folder, "a b");
    assert.equal(metrics.totals.insertions, 1);
    assert.deepEqual(addedLines.map(({ path, line }) => [path.text, line]), [["a b", 2]]);
  });
});

Deno.test("metricsOfCommit() measures a first commit and a later one", async () => {
  await withGitFolder(async (folder) => {
    folder.write("a", "1\n2\n");
    folder.commitAll();
    assert.equal((await metricsOfCommit(folder.git, "HEAD")).totals.insertions, 2);
    Deno.renameSync(`${folder.root}/a`, `${folder.root}/b`);
    folder.commitAll();
    const { totals, files } = await metricsOfCommit(folder.git, "HEAD");
    assert.equal(totals.renamed, 1);
    assert.equal(files[0]?.oldPath?.text, "a");
  });
});

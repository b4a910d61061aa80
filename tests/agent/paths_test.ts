/** Where a path leads: everything outside the project, in .git and in sessions/ is refused. */
import assert from "node:assert/strict";
import { UsageError } from "../../src/platform/errors.ts";
import { isPrivatePath, readablePath } from "../../src/agent/paths.ts";
import { withPlainFolder } from "../support/git_folder.ts";

Deno.test("readablePath() refuses what is not a file of the project", async () => {
  await withPlainFolder((folder) => {
    const { root, scratch } = folder;
    folder.write("src/a.ts", "");
    Deno.symlinkSync(scratch, `${root}/out`);
    Deno.symlinkSync(`${scratch}/missing`, `${root}/dangling`);
    Deno.symlinkSync(".git", `${root}/git`);
    Deno.mkdirSync(`${root}/.git`);
    Deno.mkdirSync(`${root}/sessions`);
    Deno.symlinkSync("sessions", `${root}/old`);
    for (
      const [path, reason] of [
        ["", /empty/],
        ["a\0b", /NUL/],
        ["..", /out of the project/],
        ["src/../../x", /out of the project/],
        ["/etc/passwd", /out of the project/],
        [`${root}x/y`, /out of the project/],
        ["out", /out of the project/],
        ["out/new/file", /out of the project/],
        [".git/config", /inside \.git/],
        [".GIT/config", /inside \.git/],
        [".git ./config", /inside \.git/],
        ["GIT~1/config", /inside \.git/],
        ["sub/.git/config", /inside \.git/],
        ["git/config", /inside \.git/],
        ["sessions", /private/],
        ["Sessions/x", /private/],
        ["old/x", /private/],
      ] as const
    ) {
      assert.throws(
        () => readablePath(root, path),
        (error) => error instanceof UsageError && reason.test(error.message),
        path,
      );
    }
  });
});

Deno.test("readablePath() gives the real place of what is inside, whether it exists or not", async () => {
  await withPlainFolder((folder) => {
    const { root } = folder;
    folder.write("src/a.ts", "");
    Deno.symlinkSync("src", `${root}/link`);
    const pathOf = (given: string) => readablePath(root, given).path;
    assert.equal(pathOf("."), ".");
    assert.equal(pathOf(root), ".");
    assert.equal(pathOf("./src//a.ts"), "src/a.ts");
    assert.equal(pathOf(`${root}/src/a.ts`), "src/a.ts");
    assert.equal(pathOf("link/a.ts"), "src/a.ts");
    assert.equal(pathOf("new/folder/b.ts"), "new/folder/b.ts");
    assert.equal(pathOf("planning/plan.md"), "planning/plan.md");
    assert.equal(pathOf("..b"), "..b");
  });
});

Deno.test("isPrivatePath() is true in a .git anywhere and in the top sessions/ only", () => {
  assert(isPrivatePath("a/.git/x"));
  assert(isPrivatePath("sessions/x"));
  assert(!isPrivatePath("src/sessions/x"));
  assert(!isPrivatePath(".github/x"));
  assert(!isPrivatePath(".gitignore"));
});

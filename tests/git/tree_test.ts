import assert from "node:assert/strict";
import { readTree } from "../../src/git/tree.ts";
import { withGitFolder } from "../support/git_folder.ts";

Deno.test("readTree() gives every file and link with its mode and blob, whatever its name, but no name that is not UTF-8", async () => {
  await withGitFolder(async (folder) => {
    folder.write("a\tb", "1\n");
    folder.write("d/n\nl", "2\n", 0o755);
    Deno.symlinkSync("a\tb", `${folder.root}/link`);
    folder.commitAll();
    const expected = { "a\tb": "100644", "d/n\nl": "100755", link: "120000" };
    const modes = async () =>
      Object.fromEntries(
        [...await readTree(folder.git, "HEAD")].map(([path, { mode }]) => [path, mode]),
      );
    assert.deepEqual(await modes(), expected);
    const file = (await readTree(folder.git, "HEAD")).get("a\tb");
    assert.equal(folder.run("cat-file", "blob", file?.blob ?? ""), "1\n");
    const latin = `printf '100644 blob ${file?.blob}\\tcaf\\351\\0' | git mktree -z`;
    const { stdout } = new Deno.Command("sh", { args: ["-c", latin], cwd: folder.root })
      .outputSync();
    const tree = new TextDecoder().decode(stdout).trim();
    assert.deepEqual([...await readTree(folder.git, tree)], []);
  });
});

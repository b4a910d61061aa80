/** Whatever the user has told git of the index, the tree is what is there. */
import assert from "node:assert/strict";
import { withPlainFolder } from "../../support/git_folder.ts";
import { LookedAt, withLookedAt } from "./support.ts";

const PREPARED: readonly (readonly [what: string, script: string])[] = [
  ["assume-unchanged", "git update-index --assume-unchanged a.txt; echo changed > a.txt"],
  ["skip-worktree", "git update-index --skip-worktree a.txt; echo changed > a.txt"],
  ["intent-to-add", "echo new > new.txt; git add -N new.txt"],
  ["a split index", "git update-index --split-index; echo changed > a.txt"],
  ["an index of version 4", "git update-index --index-version 4; echo changed > a.txt"],
  ["an untracked cache", "git update-index --untracked-cache; git status; echo x > x.txt"],
  ["staged and changed again", "echo 1 > a.txt; git add a.txt; echo 2 > a.txt"],
  ["staged deletion, file there", "git rm -q --cached a.txt; echo kept > a.txt"],
  ["an ignored file that is added", "echo x.log > .gitignore; echo 1 > x.log; git add -f x.log"],
  ["no index", "rm .git/index"],
  ["a lock on the index", "echo changed > a.txt; touch .git/index.lock"],
];

for (const [what, script] of PREPARED) {
  Deno.test(`WorkTree.take() sees through ${what}`, async () => {
    await withLookedAt(async (tree) => {
      tree.sh(script);
      const expected = treeOfAll(tree);
      assert.equal((await tree.work.take()).tree, expected);
      assert.equal((await tree.again().take()).tree, expected);
      tree.sh("echo 3 >> a.txt; echo 4 > src/b.txt");
      assert.equal((await tree.work.take()).tree, treeOfAll(tree));
    });
  });
}

/** The tree of all files that are there, but for those that only .gitignore keeps out. */
function treeOfAll(tree: LookedAt): string {
  const index = `${tree.folder.scratch}/all`;
  return tree.sh(`
    names=$(git ls-files -c -o --exclude-standard | sort -u | while read -r name; do test -e "$name" && echo "$name"; done)
    rm -f '${index}'; export GIT_INDEX_FILE='${index}'; echo "$names" | git update-index --add --stdin; git write-tree`)
    .trim();
}

Deno.test("WorkTree.take() keeps what a sparse checkout leaves out", async () => {
  for (const mode of ["--cone", "--no-cone", "--sparse-index --cone"]) {
    await withLookedAt(async (tree) => {
      tree.folder.write("lib/c.txt", "c\n");
      tree.folder.write("lib/deep/d.txt", "d\n");
      tree.folder.commitAll();
      const head = tree.folder.run("rev-parse", "HEAD^{tree}").trim();
      tree.sh(`git sparse-checkout set ${mode} src; test ! -e lib/c.txt`);
      assert.equal((await tree.work.take()).tree, head, mode);
      tree.sh("git sparse-checkout set lib; test -e lib/c.txt; test ! -e src/b.txt");
      assert.equal((await tree.work.take()).tree, head, mode);
      assert.deepEqual(tree.told(await tree.changesOf("echo x > lib/c.txt")), [
        "lib/c.txt: 100644 c\n -> 100644 x\n",
      ]);
    });
  }
});

Deno.test("WorkTree.take() takes files in conflict as they are", async () => {
  await withLookedAt(async (tree) => {
    tree.sh(`
      git checkout -q -b other; echo other > a.txt; git rm -q src/b.txt; git commit -qam other
      git checkout -q main; echo main > a.txt; echo main > src/b.txt; git commit -qam main
      git merge -q other >/dev/null || true; git ls-files -u | grep -q .`);
    const before = await tree.work.take();
    assert.equal(before.tree, tree.gitTree());
    tree.sh("echo solved > a.txt; rm src/b.txt");
    const after = await tree.work.take();
    assert.equal(after.tree, tree.gitTree());
    assert.equal((await tree.work.changesBetween(before, after)).files.length, 2);
  });
});

Deno.test("WorkTree.take() works before the first commit, in a linked worktree and with SHA-256", async () => {
  const repositories: Record<string, string> = {
    "before the first commit": "git init -q .",
    "a linked worktree":
      "git init -q ../main; git -C ../main commit -q --allow-empty -m x; git -C ../main worktree add -q $PWD",
    "SHA-256": "git init -q --object-format=sha256 .; git commit -q --allow-empty -m x",
  };
  for (const [what, script] of Object.entries(repositories)) {
    await withPlainFolder(async (folder) => {
      const tree = new LookedAt(folder, 1000);
      tree.sh(
        `export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b; ${script}`,
      );
      folder.write("sub/new.txt", "new\n");
      assert.equal((await tree.work.take()).tree, treeOfAll(tree), what);
      const { files } = await tree.changesOf("echo more >> sub/new.txt; echo other > other.txt");
      assert.deepEqual(
        files.map(({ path, before, after }) => [path.text, before?.kept, after?.kept]),
        [
          ["sub/new.txt", true, true],
          ["other.txt", undefined, true],
        ],
        what,
      );
    });
  }
});

Deno.test("WorkTree.take() begins anew where its own files are damaged", async () => {
  await withLookedAt(async (tree) => {
    tree.folder.write("new.txt", "new\n");
    const { tree: id } = await tree.work.take();
    for (const [file, bytes] of [["index", 0], ["index", 60], ["raw_ids.json", 1]] as const) {
      Deno.truncateSync(`${tree.settings.folder}/${file}`, bytes);
      assert.equal((await tree.again().take()).tree, id, `${file} of ${bytes} bytes`);
    }
  });
});

Deno.test("WorkTree.take() leaves the repository as it is: index, objects and refs", async () => {
  await withLookedAt(async (tree) => {
    const state = () => tree.sh("sha256sum .git/index; find .git -type f | sort");
    tree.folder.write("new.txt", "new\n");
    tree.folder.hook("post-index-change", "touch ran");
    const before = state();
    await tree.changesOf("echo x > a.txt; rm src/b.txt; rm new.txt");
    assert.equal(state(), before);
    assert.equal(tree.sh("ls"), "a.txt\nsrc\n");
  });
});

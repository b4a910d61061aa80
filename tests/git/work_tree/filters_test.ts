/** Filters and ignore rules: what is kept is what was in the file, and what was ignored is nobody's change. */
import assert from "node:assert/strict";
import { withLookedAt } from "./support.ts";

Deno.test("WorkTree.changesBetween() keeps what was in a file where a filter stores something else", async () => {
  await withLookedAt(async (tree) => {
    tree.sh(`
      git config filter.upper.clean 'tr a-z A-Z'; git config filter.upper.smudge 'tr A-Z a-z'
      printf '* text=auto\\n*.up filter=upper\\n*.id ident\\n' > .gitattributes
      printf 'crlf\\r\\n' > mine.txt; echo word > x.up; printf '$Id$\\n' > x.id; git add .; git commit -qm x
      rm x.id; git checkout -q x.id; printf 'new\\r\\n' > new.txt`);
    const id = tree.folder.read("x.id");
    const { tree: taken } = await tree.work.take();
    assert.equal(taken, tree.gitTree());
    const changes = await tree.changesOf(
      "rm mine.txt new.txt x.up x.id; printf '1\\r\\n' > made.txt",
    );
    assert.deepEqual(tree.told(changes), [
      "made.txt: nothing -> 100644 1\r\n",
      // The user's file has line ends that no checkout would give it, and m31a has never read it.
      "mine.txt: 100644 (not kept) -> nothing",
      "new.txt: 100644 new\r\n -> nothing",
      `x.id: 100644 ${id} -> nothing`,
      "x.up: 100644 word\n -> nothing",
    ]);
  });
});

Deno.test("WorkTree.changesBetween() sees line ends change in a file that git calls the same", async () => {
  await withLookedAt(async (tree) => {
    tree.sh("git config core.autocrlf input");
    assert.deepEqual(tree.told(await tree.changesOf("printf 'a\\r\\n' > a.txt; touch src/b.txt")), [
      "a.txt: 100644 a\n -> 100644 a\r\n",
    ]);
    assert.deepEqual(tree.told(await tree.changesOf("printf 'A\\r\\n' > a.txt")), [
      "a.txt: 100644 a\r\n -> 100644 A\r\n",
    ]);
  });
});

Deno.test("WorkTree.changesBetween() takes no file for new or gone because git ignores others now", async () => {
  await withLookedAt(async (tree) => {
    tree.sh(
      "echo '.env' > .gitignore; git add .; git commit -qm x; echo secret > .env; echo 1 > log.txt; echo 2 > b.log",
    );
    assert.deepEqual(
      tree.told(
        await tree.changesOf(
          "printf 'log.txt\\nb.log\\n' > .gitignore; echo 3 > b.log; echo n > n.txt",
        ),
      ),
      [
        ".env: was ignored by git before",
        ".gitignore: 100644 .env\n -> 100644 log.txt\nb.log\n",
        "b.log: 100644 2\n -> 100644 3\n",
        "n.txt: nothing -> 100644 n\n",
      ],
    );
    const { tree: id } = await tree.work.take();
    assert.equal(id, tree.gitTree());
  });
});

Deno.test("WorkTree.changesBetween() says of a file over the size that is kept whether the repository has it", async () => {
  await withLookedAt(async (tree) => {
    tree.sh(
      "head -c 3000 /dev/zero > in_head.bin; git add .; git commit -qm x; head -c 4000 /dev/zero > mine.csv",
    );
    const told = tree.told(
      await tree.changesOf(
        "echo 1 > in_head.bin; echo 2 > mine.csv; head -c 5000 /dev/zero > made",
      ),
    );
    assert.deepEqual(told.map((line) => line.replaceAll("\0", "")), [
      "in_head.bin: 100644  -> 100644 1\n",
      "made: nothing -> 100644 (not kept)",
      "mine.csv: 100644 (not kept) -> 100644 2\n",
    ]);
  }, 2000);
});

import assert from "node:assert/strict";
import { withLookedAt } from "./support.ts";

Deno.test("WorkTree.take() gives the tree that git would commit", async () => {
  await withLookedAt(async (tree) => {
    const { folder } = tree;
    assert.equal((await tree.work.take()).tree, folder.run("rev-parse", "HEAD^{tree}").trim());
    tree.sh(`
      echo changed > a.txt; rm src/b.txt; mkdir deep; echo new > 'deep/with space'; ln -s a.txt link
      printf 'x' > 'new
line'; printf 'y' > "$(printf 'b\\351te')"; printf 'z' > '"quoted"'; printf t > "$(printf 'tab\\there')"
      echo run > script; chmod +x script; echo '*.log' > .gitignore; echo no > x.log; mkdir planning; echo p > planning/p`);
    const { tree: id, unknown } = await tree.work.take();
    assert.equal(id, tree.gitTree());
    assert.deepEqual([...unknown], []);
    assert.equal((await tree.again().take()).tree, id, "in another process");
  });
});

Deno.test("WorkTree.changesBetween() gives both sides of what a command did, contents kept", async () => {
  await withLookedAt(async (tree) => {
    tree.folder.write("mine.txt", "mine\n");
    const changes = await tree.changesOf(`
      echo changed > a.txt; rm src/b.txt; echo new > "$(printf 'b\\351te')"; chmod +x mine.txt; ln -s a.txt link`);
    assert.deepEqual(tree.told(changes), [
      "a.txt: 100644 a\n -> 100644 changed\n",
      "b\ufffdte: nothing -> 100644 new\n",
      "link: nothing -> 120000 a.txt",
      "mine.txt: 100644 mine\n -> 100755 mine\n",
      "src/b.txt: 100644 b\n -> nothing",
    ]);
  });
});

Deno.test("WorkTree.take() follows more than 2,000 files, folders of any name and files of any size", async () => {
  await withLookedAt(async (tree) => {
    const changes = await tree.changesOf(`
      i=0; while [ $i -lt 2001 ]; do echo $i > many$i; i=$((i+1)); done
      mkdir -p src/target lib/coverage node_modules; echo t > src/target/impl.js; echo c > lib/coverage/index.js
      echo n > node_modules/x.js; head -c 6000000 /dev/zero > large.bin`);
    assert.equal(changes.files.length, 2005);
    const large = changes.files.find(({ path }) => path.text === "large.bin");
    assert.equal(large?.after?.kept, false);
    assert.equal((await tree.work.take()).tree, tree.gitTree());
  });
});

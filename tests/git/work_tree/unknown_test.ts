/** What git cannot say of a tree is named. */
import assert from "node:assert/strict";
import { withLookedAt } from "./support.ts";

Deno.test("WorkTree.take() names a repository inside the tree, and what is neither file nor link", async () => {
  await withLookedAt(async (tree) => {
    const changes = await tree.changesOf(`
      mkdir nested empty; (cd nested; git init -q; echo x > x; git add x; git -c user.name=a -c user.email=b commit -qm x)
      (cd empty; git init -q; echo x > x); rm a.txt; mkfifo a.txt; mkfifo pipe`);
    assert.deepEqual(tree.told(changes), [
      "a.txt: is neither a file nor a link",
      "empty: is a repository of its own",
      "nested: is a repository of its own",
    ]);
  });
});

/** What git calls the same and a checkout would have otherwise. */
import assert from "node:assert/strict";
import { otherNames } from "../../../src/git/work_tree/other_names.ts";
import { withLookedAt } from "./support.ts";

const CONTENT = "has other line ends or another filter";

/** What is made of the tree after a commit of `prepare`, and what is to be found. */
const CASES: readonly (readonly [what: string, prepare: string, change: string, ...string[]])[] = [
  ["nothing in an ordinary tree", "printf 'x\\r\\n' > crlf.txt", "printf 'y\\r\\n' > a.txt"],
  [
    "nothing where line ends are as a checkout has them",
    "echo '* text=auto' > .gitattributes",
    "echo b > a.txt",
  ],
  [
    "line ends that are taken away when a file is stored",
    "echo '*.txt text' > .gitattributes",
    "printf 'a\\r\\n' > a.txt",
    `a.txt ${CONTENT}`,
  ],
  [
    "line ends that the configuration converts",
    "git config core.autocrlf input",
    "printf 'a\\r\\n' > a.txt",
    `a.txt ${CONTENT}`,
  ],
  [
    "line ends that a checkout would write",
    "echo '*.txt eol=crlf' > .gitattributes; git add .; git commit -qm y; rm a.txt src/b.txt; git checkout -q a.txt src",
    "echo 2 > a.txt",
    `a.txt ${CONTENT}`,
  ],
  [
    "line ends that a new attribute makes a checkout write",
    "true",
    "echo 'a.txt eol=crlf' > .gitattributes",
    `a.txt ${CONTENT}`,
  ],
  [
    "an id that a checkout would put in",
    "echo 'id.txt ident' > .gitattributes",
    "printf '$Id$\\n' > id.txt",
    `id.txt ${CONTENT}`,
  ],
  [
    "what a filter makes",
    "git config filter.up.clean 'tr a-z A-Z'; git config filter.up.smudge 'tr A-Z a-z'; echo '*.up filter=up' > .gitattributes",
    "printf 'aB\\n' > x.up; echo ab > y.up",
    `x.up ${CONTENT}`,
  ],
  [
    "permissions that a checkout does not give",
    "true",
    "chmod 600 a.txt; chmod 755 src/b.txt; chmod 500 src",
    "a.txt has the permissions 600",
    "src has the permissions 500",
  ],
  [
    "folders without a file, and repositories",
    "echo '*.ignored' > .gitignore",
    "mkdir -p out/in kept; touch kept/x.ignored; git init -q other; touch other/file",
    "other/ is a repository of its own",
    "out/ is a folder without a file",
  ],
];

for (const [what, prepare, change, ...expected] of CASES) {
  Deno.test(`WorkTree.unlikeCheckout() finds ${what}`, () =>
    withLookedAt(async (tree) => {
      tree.sh(`umask 022; ${prepare}; git add .; git commit -qm x --allow-empty`);
      await tree.work.take();
      tree.sh(change);
      const taken = await tree.work.take();
      const found = await tree.work.unlikeCheckout(taken);
      assert.deepEqual(found.map(({ path, what }) => `${path} ${what}`).sort(), expected);
      tree.sh("chmod 755 src");
    }));
}

Deno.test("WorkTree.unlikeCheckout() takes the permissions of most files for the usual ones", () =>
  withLookedAt(async (tree) => {
    tree.sh(
      "for name in c d e f; do echo $name > $name; done; chmod 664 a.txt c d e f src/b.txt; chmod 444 f; git add .",
    );
    const found = await tree.work.unlikeCheckout(await tree.work.take());
    assert.deepEqual(found, [{ path: "f", what: "has the permissions 444" }]);
  }));

Deno.test("otherNames() finds names that stand there in another case, once a folder, and takes composed letters for the same", () =>
  withLookedAt((tree) => {
    tree.sh("mkdir Lib; touch Lib/x Lib/y; printf x > \"$(printf 'e\\314\\201')\"");
    const names = ["a.txt", "lib/x", "lib/y", "src/B.txt", "\u00c3\u00a9"];
    assert.deepEqual(otherNames(tree.folder.root, names), [
      { path: "lib/x", what: "is written in another case" },
      { path: "lib", what: "is written in another case" },
      { path: "lib/y", what: "is written in another case" },
      { path: "src/B.txt", what: "is written in another case" },
    ]);
    return Promise.resolve();
  }));

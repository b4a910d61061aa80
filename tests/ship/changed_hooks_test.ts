/** What git runs at a commit and the session has changed blocks a ship until somebody has looked. */
import assert from "node:assert/strict";
import { hookDifferences } from "../../src/ship/preflight/changed_hooks.ts";
import { checkOf, type Shippable, withShippable } from "./shippable.ts";

/** What the check "hooks" says once the session has changed files. */
async function hooksAfter(
  shippable: Shippable,
  files: Readonly<Record<string, string>>,
): Promise<readonly [string, readonly string[]]> {
  await shippable.change(files);
  await shippable.verify();
  const { verdict, places } = checkOf(await shippable.preflight(), "hooks");
  return [verdict, places];
}

Deno.test("runPreflight() blocks a hook in the tree that the session changed, and runs it only with the flag", () =>
  withShippable(async (shippable) => {
    const { folder } = shippable;
    folder.run("config", "core.hooksPath", ".husky");
    const hook = "#!/bin/sh\ntouch ran\n";
    assert.deepEqual(await hooksAfter(shippable, { ".husky/pre-commit": hook }), [
      "block",
      [".husky/pre-commit"],
    ]);
    folder.run("add", ".husky/pre-commit");
    Deno.chmodSync(`${folder.root}/.husky/pre-commit`, 0o755);
    assert.equal((await shippable.ship()).outcome, "blocked");
    assert.throws(() => Deno.statSync(`${folder.root}/ran`), Deno.errors.NotFound);
    const check = checkOf(await shippable.preflight(), "hooks");
    assert.match(check.advice, /outside of the sandbox\. To ship all the same: --changed-hooks/);
    const shown = await hookDifferences(folder.git, [".husky/pre-commit"]);
    assert.match(shown, /\+touch ran/);
    const letThrough = await shippable.preflight({ overrides: ["--changed-hooks"] });
    assert.equal(checkOf(letThrough, "hooks").verdict, "warn");
  }));

Deno.test("runPreflight() blocks what husky, pre-commit, a hook of .git and a filter name", async () => {
  await withShippable(async (shippable) => {
    shippable.folder.run("config", "core.hooksPath", ".husky/_");
    assert.deepEqual(await hooksAfter(shippable, { ".husky/pre-push": "x\n" }), [
      "block",
      [".husky/pre-push"],
    ]);
  });
  await withShippable(async (shippable) => {
    const config = "repos:\n- repo: local\n  hooks:\n  - id: a\n    entry: tools/look.sh\n";
    shippable.folder.write(".pre-commit-config.yaml", config);
    assert.deepEqual(await hooksAfter(shippable, { "tools/look.sh": "x\n", "tools/look": "x\n" }), [
      "block",
      ["tools/look.sh"],
    ]);
  });
  await withShippable(async (shippable) => {
    shippable.folder.hook("pre-commit", "npm run lint && sh scripts/before.sh");
    const files = { "package.json": "{}\n", "scripts/before.sh": "x\n", "src/a.js": "x\n" };
    assert.deepEqual(await hooksAfter(shippable, files), [
      "block",
      ["package.json", "scripts/before.sh"],
    ]);
  });
  await withShippable(async (shippable) => {
    shippable.folder.run("config", "filter.own.clean", "sh tools/clean.sh");
    const files = { ".gitattributes": "*.x filter=own\n", "tools/clean.sh": "cat\n" };
    assert.deepEqual(await hooksAfter(shippable, files), [
      "block",
      [".gitattributes", "tools/clean.sh"],
    ]);
  });
});

Deno.test("runPreflight() has nothing against files that no hook names", () =>
  withShippable(async (shippable) => {
    const hook = "sh scripts/before.sh\nsed -i s/x/y/ src/a.js && git add src/a.js > src/out.txt";
    shippable.folder.hook("pre-commit", hook);
    const files = { "src/a.js": "x\n", "package.json": "{}\n", ".gitattributes": "* text=auto\n" };
    assert.deepEqual(await hooksAfter(shippable, files), ["pass", []]);
  }));

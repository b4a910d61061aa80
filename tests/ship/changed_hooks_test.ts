/** What git starts at a commit and the session has changed blocks a ship until somebody has looked. */
import assert from "node:assert/strict";
import { startedDifferences } from "../../src/agent/git_guard.ts";
import type { GitFolder } from "../support/git_folder.ts";
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
    const shown = await startedDifferences(folder.git, [".husky/pre-commit"]);
    assert.match(shown, /\+touch ran/);
    const letThrough = await shippable.preflight({ overrides: ["--changed-hooks"] });
    assert.equal(checkOf(letThrough, "hooks").verdict, "warn");
  }, (folder) => folder.run("config", "core.hooksPath", ".husky")));

/** What git is told to start, what the session changes, and what of that blocks. */
const CASES: Record<string, {
  before(folder: GitFolder): void;
  changed: Readonly<Record<string, string>>;
  blocks: readonly string[];
}> = {
  "what husky runs": {
    before: (folder) => folder.run("config", "core.hooksPath", ".husky/_"),
    changed: { ".husky/pre-push": "x\n" },
    blocks: [".husky/pre-push"],
  },
  "what pre-commit names": {
    before: (folder) => {
      const config = "repos:\n- repo: local\n  hooks:\n  - id: a\n    entry: tools/look.sh\n";
      folder.write(".pre-commit-config.yaml", config);
    },
    changed: { "tools/look.sh": "x\n", "tools/look": "x\n" },
    blocks: ["tools/look.sh"],
  },
  "what a hook of .git names": {
    before: (folder) => folder.hook("pre-commit", "npm run lint && sh scripts/before.sh"),
    changed: { "package.json": "{}\n", "scripts/before.sh": "x\n", "src/a.js": "x\n" },
    blocks: ["package.json", "scripts/before.sh"],
  },
  "a filter's program": {
    before: (folder) => folder.run("config", "filter.own.clean", "sh tools/clean.sh"),
    changed: { ".gitattributes": "*.x filter=own\n", "tools/clean.sh": "cat\n" },
    blocks: [".gitattributes", "tools/clean.sh"],
  },
  "a program that signs, without a slash in its name": {
    before: (folder) => folder.run("config", "gpg.program", "sh sign.sh"),
    changed: { "sign.sh": "x\n" },
    blocks: ["sign.sh"],
  },
  "a configuration that is included from the tree, or would be": {
    before: (folder) => {
      folder.write("tools/gitconfig", "[alias]\n\tx = log\n");
      folder.run("config", "--add", "include.path", "../tools/gitconfig");
      folder.run("config", "--add", "includeIf.onbranch:later.path", "../tools/later");
    },
    changed: { "tools/gitconfig": "[core]\n\tsshCommand = evil\n", "tools/later": "[alias]\n" },
    blocks: ["tools/gitconfig", "tools/later"],
  },
};

for (const [what, { before, changed, blocks }] of Object.entries(CASES)) {
  Deno.test(`runPreflight() blocks ${what} where the session changed it`, () =>
    withShippable(async (shippable) => {
      assert.deepEqual(await hooksAfter(shippable, changed), ["block", blocks]);
    }, before));
}

/** What is changed where no log tells of it: in files that git ignores, or outside of the tree. */
const UNTOLD: Record<string, [before: (folder: GitFolder) => void, path: string, content: string]> =
  {
    "a hook that git ignores": [
      (folder) => {
        folder.write(".husky/_/pre-commit", "#!/bin/sh\nexit 0\n", 0o755);
        folder.write(".husky/_/.gitignore", "*\n");
        folder.run("config", "core.hooksPath", ".husky/_");
      },
      ".husky/_/pre-commit",
      "#!/bin/sh\ntouch ran\n",
    ],
    "a program of npm's that a hook starts by a script": [
      (folder) => {
        folder.hook("pre-commit", "npx lint-staged");
        folder.write("package.json", '{"lint-staged": {"*.js": "eslint --fix"}}');
        folder.write("node_modules/.gitignore", "*\n");
        folder.write("node_modules/eslint/bin.js", "");
        Deno.mkdirSync(`${folder.root}/node_modules/.bin`);
        Deno.symlinkSync("../eslint/bin.js", `${folder.root}/node_modules/.bin/eslint`);
      },
      "node_modules/eslint/bin.js",
      "touch ran\n",
    ],
    "a new hook in .git": [() => {}, ".git/hooks/commit-msg", "#!/bin/sh\ntouch ran\n"],
    "a program in a folder of PATH that a hook starts by its name": [
      (folder) => {
        folder.hook("pre-commit", "exec checker --all");
        folder.write(".venv/.gitignore", "*\n");
      },
      ".venv/bin/checker",
      "#!/bin/sh\ntouch ran\n",
    ],
    "a setting of the project's that names a program": [
      () => {},
      ".git/config",
      '[core]\n\trepositoryformatversion = 0\n[filter "x"]\n\tclean = touch ran\n',
    ],
  };

for (const [what, [before, path, content]] of Object.entries(UNTOLD)) {
  Deno.test(`ship() blocks ${what} until it is let through`, () =>
    withShippable(async (shippable) => {
      const { folder } = shippable;
      const environment = {
        ...folder.environment,
        PATH: `${folder.root}/.venv/bin:${folder.environment["PATH"]}`,
      };
      folder.write(path, content, 0o755);
      const outcome = await shippable.ship({}, environment);
      assert(outcome.outcome === "blocked");
      const shown = path.replace("eslint/bin.js", ".bin/eslint");
      assert.deepEqual(checkOf(outcome.checks, "hooks").places, [shown]);
      assert.throws(() => Deno.statSync(`${folder.root}/ran`), Deno.errors.NotFound);
    }, before));
}

Deno.test("runPreflight() has nothing against files that no hook names", () =>
  withShippable(async (shippable) => {
    const files = { "src/a.js": "x\n", "package.json": "{}\n", ".gitattributes": "* text=auto\n" };
    assert.deepEqual(await hooksAfter(shippable, files), ["pass", []]);
  }, (folder) => {
    const hook = "sh scripts/before.sh\nsed -i s/x/y/ src/a.js && git add src/a.js > src/out.txt";
    folder.hook("pre-commit", hook);
  }));

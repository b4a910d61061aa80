import assert from "node:assert/strict";
import { join } from "@std/path";
import {
  defaultConfigurationText,
  readTrustedConfiguration,
} from "../../src/agent/configuration.ts";
import { withGitFolder } from "../support/git_folder.ts";
import { runM31a } from "../support/source.ts";
import { withTemporaryFolder } from "../support/temporary.ts";

/** Every path below `folder`, with what the files hold. */
function contents(folder: string, prefix = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { name, isDirectory } of Deno.readDirSync(join(folder, prefix))) {
    const path = join(prefix, name);
    if (isDirectory) Object.assign(found, contents(folder, path));
    if (!isDirectory) found[path] = Deno.readTextFileSync(join(folder, path));
  }
  return found;
}

Deno.test("m31a init creates the configuration and the private folder of sessions", async () => {
  await withTemporaryFolder(async (folder) => {
    const { code, stdout } = await runM31a(["init"], { cwd: folder });
    assert.equal(code, 0);
    assert.match(stdout, /^planning\/config\.toml created/);
    assert.deepEqual(contents(folder), {
      "planning/config.toml": defaultConfigurationText(),
      "sessions/.gitignore": "*\n",
    });
    assert.equal((Deno.statSync(join(folder, "sessions")).mode ?? 0) & 0o777, 0o700);
  });
});

Deno.test("m31a init leaves what is there as it is", async () => {
  await withTemporaryFolder(async (folder) => {
    Deno.mkdirSync(join(folder, "planning"));
    Deno.writeTextFileSync(join(folder, "planning/config.toml"), "# mine\n");
    const { code, stdout } = await runM31a(["init"], { cwd: folder });
    assert.equal(code, 0);
    assert.match(stdout, /^planning\/config\.toml is there already/);
    assert.equal(contents(folder)["planning/config.toml"], "# mine\n");
  });
});

for (const path of ["planning", "sessions", "planning/config.toml"]) {
  Deno.test(`m31a init refuses ${path} when it is a symbolic link, and writes nothing`, async () => {
    await withTemporaryFolder(async (folder) => {
      const project = join(folder, "project");
      Deno.mkdirSync(join(project, "planning"), { recursive: true });
      if (path === "planning") Deno.removeSync(join(project, path));
      Deno.mkdirSync(join(folder, "outside"));
      Deno.symlinkSync(join(folder, "outside"), join(project, path));
      const { code, stderr } = await runM31a(["init"], { cwd: project });
      assert.equal(code, 1);
      assert.match(stderr, /^m31a: .* symbolic link/);
      assert.deepEqual(contents(join(folder, "outside")), {});
    });
  });
}

Deno.test("m31a init refuses a file where a folder must be", async () => {
  await withTemporaryFolder(async (folder) => {
    Deno.writeTextFileSync(join(folder, "sessions"), "");
    const { code, stderr } = await runM31a(["init"], { cwd: folder });
    assert.equal(code, 2);
    assert.match(stderr, /^m31a: sessions is a file/);
    assert.deepEqual(contents(folder), { sessions: "" });
  });
});

Deno.test("m31a init --planning ignore keeps planning/ out of git's sight", async () => {
  await withGitFolder(async (git) => {
    const { root } = git;
    const first = await runM31a(["init"], { cwd: root });
    assert.match(
      first.stdout,
      /What is to become of planning\/ in git: `m31a init --planning commit`/,
    );
    const { code, stdout } = await runM31a(["init", "--planning", "ignore"], { cwd: root });
    assert.equal(code, 0);
    assert.match(stdout, /planning\/\.gitignore created: git ignores planning\//);
    assert.equal(git.run("status", "--porcelain"), "");
    const again = await runM31a(["init"], { cwd: root });
    assert.doesNotMatch(again.stdout, /What is to become/);
  });
});

Deno.test("m31a init --planning commit turns planning_files on, in force at once", async () => {
  await withGitFolder(async ({ root }) => {
    for (const said of [/planning_files = true: planning\/ is committed/, /says so already/]) {
      const { code, stdout } = await runM31a(["init", "--planning", "commit"], { cwd: root });
      assert.equal(code, 0);
      assert.match(stdout, said);
    }
    const { ship, trust } = await readTrustedConfiguration(root, {}, {});
    assert.deepEqual([ship.planningFiles, trust.state], [true, "trusted"]);
  });
});

Deno.test("m31a init --planning commit trusts nothing else, and leaves a file of the user's own", async () => {
  await withGitFolder(async (git) => {
    const { root } = git;
    const loose = '[tools]\napproval = "all"\n';
    git.write("planning/config.toml", loose);
    const own = await runM31a(["init", "--planning", "commit"], { cwd: root });
    assert.match(own.stdout, /is your own: write planning_files = true below \[ship\]/);
    assert.equal(git.read("planning/config.toml"), loose);
    const text = defaultConfigurationText();
    git.write("planning/config.toml", text.replace("[tools]", loose));
    const mixed = await runM31a(["init", "--planning", "commit"], { cwd: root });
    assert.match(mixed.stdout, /It is in force after `m31a config --trust`/);
    assert.equal((await readTrustedConfiguration(root, {}, {})).trust.state, "not trusted");
  });
});

Deno.test("m31a init refuses what cannot become of planning/", async () => {
  await withTemporaryFolder(async (folder) => {
    const { code, stderr } = await runM31a(["init", "--planning", "burn"], { cwd: folder });
    assert.deepEqual([code, contents(folder)], [2, {}]);
    assert.match(stderr, /--planning burn: is none of commit, ignore, leave/);
  });
});

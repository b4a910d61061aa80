import assert from "node:assert/strict";
import { join } from "@std/path";
import { defaultConfigurationText } from "../../src/agent/configuration.ts";
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

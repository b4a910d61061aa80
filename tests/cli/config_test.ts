import assert from "node:assert/strict";
import { join } from "@std/path";
import { settingLines } from "../../src/app/telling/setting_lines.ts";
import { runM31a } from "../support/source.ts";
import { withTemporaryFolder } from "../support/temporary.ts";

Deno.test("settingLines() lines up the columns and shows a missing value as not set", () => {
  const lines = settingLines([
    { key: "model.name", value: undefined, origin: "default" },
    { key: "limits.requests_per_turn", value: 7, origin: "planning/config.toml:3" },
  ]);
  assert.deepEqual(lines, [
    "model.name                (not set)  default",
    "limits.requests_per_turn  7          planning/config.toml:3",
  ]);
});

Deno.test("m31a config says of each value where it comes from", async () => {
  await withTemporaryFolder(async (folder) => {
    Deno.mkdirSync(join(folder, "planning"));
    const text = "[limits]\nrequests_per_turn = 7\n";
    Deno.writeTextFileSync(join(folder, "planning/config.toml"), text);
    const env = { M31A_SANDBOX: "require" };
    const { code, stdout } = await runM31a(["config"], { cwd: folder, env });
    assert.equal(code, 0);
    assert.match(stdout, /^limits\.requests_per_turn +7 +planning\/config\.toml:2$/m);
    assert.match(stdout, /^tools\.sandbox +"require" +M31A_SANDBOX$/m);
    assert.match(stdout, /^tools\.approval +"ask" +default$/m);
    const json = await runM31a(["config", "--json"], { cwd: folder, env });
    const settings: unknown[] = JSON.parse(json.stdout);
    assert.equal(settings.length, stdout.trimEnd().split("\n").length);
  });
});

Deno.test("m31a config refuses an unknown key by its name and line, with exit code 2", async () => {
  await withTemporaryFolder(async (folder) => {
    Deno.mkdirSync(join(folder, "planning"));
    Deno.writeTextFileSync(join(folder, "planning/config.toml"), "[limits]\nrequest = 7\n");
    const { code, stderr } = await runM31a(["config"], { cwd: folder });
    assert.equal(code, 2);
    assert.match(stderr, /^m31a: planning\/config\.toml:2: unknown key limits\.request/);
    const doctor = await runM31a(["doctor"], { cwd: folder });
    assert.match(doctor.stdout, /^missing +configuration +planning\/config\.toml:2: unknown key/m);
  });
});

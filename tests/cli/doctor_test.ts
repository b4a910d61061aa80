import assert from "node:assert/strict";
import { join } from "@std/path";
import { modelFindings } from "../../src/cli/doctor_model.ts";
import { permissionFindings } from "../../src/cli/doctor_permissions.ts";
import { ModelServer } from "../support/servers/mod.ts";
import { runM31a, runProgram } from "../support/source.ts";
import { withTemporaryFolder } from "../support/temporary.ts";

Deno.test("permissionFindings() notes every right that m31a should not hold", () => {
  const findings = permissionFindings(() => "granted");
  assert.deepEqual(findings.map(({ state }) => state), ["note"]);
  assert.match(findings[0]?.detail ?? "", /write any file.*run any program/);
});

Deno.test("permissionFindings() misses every right that m31a needs", () => {
  const findings = permissionFindings(() => "denied");
  assert.deepEqual(findings.map(({ state }) => state), ["missing"]);
  assert.match(findings[0]?.detail ?? "", /write sessions\/, run \/bin\/sh/);
});

Deno.test("m31a doctor finds the permissions that it is started with in force", async () => {
  await withTemporaryFolder(async (folder) => {
    await runProgram("git", ["init", "--quiet"], { cwd: folder });
    const env = { M31A_MODEL: "script:answers" };
    const { code, stdout } = await runM31a(["doctor"], { cwd: folder, env });
    assert.equal(code, 0);
    assert.match(stdout, /^ok +model +script:answers, from M31A_MODEL$/m);
    assert.match(stdout, /^(ok|note) +sandbox +Commands run /m);
    assert.match(stdout, /^ok +permissions +m31a itself reads the project, writes planning/m);
    assert.match(stdout, /^ok +git +\d+\./m);
    assert.match(stdout, /^note +planning\/ .*m31a init/m);
  });
});

Deno.test("m31a doctor ends with 1 where something is missing, and says what to do", async () => {
  await withTemporaryFolder(async (folder) => {
    Deno.symlinkSync("/tmp", join(folder, "sessions"));
    const env = { M31A_MODEL: "nobody:model" };
    const { code, stdout } = await runM31a(["doctor"], { cwd: folder, env });
    assert.equal(code, 1);
    assert.match(stdout, /^missing +model .*no provider "nobody"/m);
    assert.match(stdout, /^missing +project .*git init/m);
    assert.match(stdout, /^missing +sessions\/ .*symbolic link/m);
  });
});

Deno.test("m31a doctor --json started below the root says the root", async () => {
  await withTemporaryFolder(async (folder) => {
    await runProgram("git", ["init", "--quiet"], { cwd: folder });
    const below = join(folder, "a", "b");
    Deno.mkdirSync(below, { recursive: true });
    const { stdout } = await runM31a(["doctor", "--json"], { cwd: below });
    assert.equal(JSON.parse(stdout).root, folder);
  });
});

Deno.test("modelFindings() tries the key with one short request, and offline it does not", async () => {
  await using server = ModelServer.start([
    { text: "yes" },
    { status: 401, body: { error: { message: "wrong key" } } },
  ]);
  const environment = {
    M31A_MODEL: "openai-compatible:test",
    M31A_BASE_URL: server.baseUrl,
    M31A_API_KEY: "sk-0123456789",
  };
  const answer = async (isOffline: boolean) => {
    const [model, answer] = await modelFindings({ model: {} }, environment, isOffline);
    assert.deepEqual([model?.what, model?.state], ["model", "ok"]);
    return `${answer?.state}: ${answer?.detail}`;
  };
  assert.equal(await answer(true), "note: not tried, because of --offline");
  assert.equal(server.requests.length, 0);
  assert.match(await answer(false), /^ok: a request was answered \(\d+\.\d s, \d+ tokens\)$/);
  assert.match(server.bodies[0] ?? "", /"max_tokens":16,.*"messages":/);
  const refused = await answer(false);
  assert.match(refused, /^missing: .*refused the key.*Check M31A_API_KEY\./);
  assert.doesNotMatch(refused, /sk-0123456789/);
  assert.equal(server.requests.length, 2);
});

/** A project that brings its own planning/config.toml, and what m31a does about it, with its own permissions. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { join } from "@std/path";
import { applicationFlags } from "../../scripts/permissions.ts";
import { hasTmux, type Pty, withPty } from "../support/pty.ts";
import { ModelServer } from "../support/servers/mod.ts";
import { type Ended, runM31a, runProgram } from "../support/source.ts";
import { withTemporaryFolder } from "../support/temporary.ts";

const SCRIPT = fileURLToPath(new URL("../../scripts/m31a.ts", import.meta.url));
const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));
const PLAYED = { M31A_MODEL: "script:answers" };
const CALL = '{"calls": [{"tool": "run_command", "input": {"command": "touch done"}}]}\nReady.\n';

/** A repository with a scripted model and the configuration `text`. */
async function withClone(text: string, test: (folder: string) => Promise<void>): Promise<void> {
  await withTemporaryFolder(async (folder) => {
    const { code } = await runProgram("git", ["init", "--quiet"], { cwd: folder });
    assert.equal(code, 0);
    Deno.mkdirSync(join(folder, "planning"));
    Deno.writeTextFileSync(join(folder, "planning/config.toml"), text);
    Deno.writeTextFileSync(join(folder, "answers"), CALL);
    await test(folder);
  });
}

/** Runs `m31a chat` with a line from a pipe. */
async function chat(
  cwd: string,
  args: readonly string[] = [],
  env: Record<string, string> = PLAYED,
): Promise<Ended> {
  const m31a = [Deno.execPath(), "run", "-A", "--no-check", SCRIPT, "chat", ...args];
  return await runProgram("sh", ["-c", 'echo go | "$@"', "sh", ...m31a], { cwd, env });
}

const wasRun = (folder: string) => {
  try {
    return Deno.statSync(join(folder, "done")).isFile;
  } catch {
    return false;
  }
};

const LOOSE = '[tools]\napproval = "all"\nsandbox = "off"\n';

Deno.test("m31a chat from a pipe refuses an untrusted file, by line and key, before anything happens", async () => {
  await withClone(`${LOOSE}allow = ["a\\u001b]0;x\\u0007\\u202eb"]\n`, async (folder) => {
    const { code, stdout, stderr } = await chat(folder);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.equal(
      stderr,
      "m31a: planning/config.toml:2: the file loosens protections, or starts or reaches something, " +
        "and is not trusted on this machine:\n" +
        '  planning/config.toml:2  tools.approval = "all"\n' +
        '  planning/config.toml:4  tools.allow = ["a\\u001b]0;x\\u0007<U+202E>b"]\n' +
        '  planning/config.toml:3  tools.sandbox = "off"\n' +
        "Trust the file as it is now: m31a config --trust. Or take these settings out of it.\n",
    );
    assert(!wasRun(folder));
    assert.deepEqual([...Deno.readDirSync(folder)].filter(({ name }) => name === "sessions"), []);
  });
});

Deno.test("m31a config --trust prints what it trusts; then it is in force, until the file changes", async () => {
  await withClone(LOOSE, async (folder) => {
    const before = await runM31a(["config"], { cwd: folder });
    assert.match(before.stdout, /^tools\.approval +"ask" +default$/m);
    assert.match(
      before.stdout,
      /^Not in force, .*\n {2}planning\/config\.toml:2 +tools\.approval/m,
    );
    const trust = await runM31a(["config", "--trust"], { cwd: folder });
    assert.equal(trust.code, 0);
    assert.match(trust.stdout, /^Trusted on this machine, .*\n {2}planning\/config\.toml:2 /);
    const after = await runM31a(["config"], { cwd: folder });
    assert.match(after.stdout, /^tools\.approval +"all" +planning\/config\.toml:2$/m);
    assert.match(after.stdout, /^Trusted on this machine:$/m);
    const ended = await chat(folder);
    assert.deepEqual([ended.code, wasRun(folder)], [0, true], ended.stderr);
    Deno.writeTextFileSync(join(folder, "planning/config.toml"), `${LOOSE}# pulled\n`);
    assert.equal((await chat(folder)).code, 2);
  });
});

Deno.test("m31a config --json says which settings stand without trust", async () => {
  await withClone(LOOSE, async (folder) => {
    const { stdout } = await runM31a(["config", "--json"], { cwd: folder });
    const settings: { key: string; value: unknown; trust?: string }[] = JSON.parse(stdout);
    assert.deepEqual(settings.filter(({ trust }) => trust !== undefined), [
      { key: "tools.approval", value: "ask", origin: "default", trust: "not trusted" },
      { key: "tools.sandbox", value: "auto", origin: "default", trust: "not trusted" },
    ]);
  });
});

Deno.test("m31a chat needs no trust for a file that tightens, nor for flags", async () => {
  await withClone('[limits]\nrequests_per_turn = 7\n[ship]\nprefix = "x"\n', async (folder) => {
    const ended = await chat(folder, ["--approval", "all"]);
    assert.deepEqual([ended.code, wasRun(folder)], [0, true], ended.stderr);
    const { stdout } = await runM31a(["config", "--trust"], { cwd: folder });
    assert.match(stdout, /asks for nothing that needs trust/);
  });
});

Deno.test("m31a doctor sends nothing to an address of an untrusted file", async () => {
  await using server = ModelServer.start([]);
  const text = `[model]\nprovider = "openai"\nbase_url = "${server.baseUrl}"\n`;
  await withClone(text, async (folder) => {
    const env = { OPENAI_API_KEY: "sk-secret-0123456789" };
    const { stdout } = await runM31a(["doctor"], { cwd: folder, env });
    assert.match(stdout, /^note +trust +model\.base_url: not in force/m);
    assert.match(stdout, /^ok +model +openai:/m);
    assert.equal((await chat(folder, [], env)).code, 2);
    assert.deepEqual(server.requests, []);
  });
});

Deno.test("m31a chat --continue sends no key to an address that only the session's files name", async () => {
  await using server = ModelServer.start([{ text: "one" }, { text: "two" }]);
  await withClone("", async (folder) => {
    const key = { OPENAI_API_KEY: "sk-secret-0123456789" };
    const env = { ...key, OPENAI_BASE_URL: server.baseUrl, M31A_MODEL: "openai:test" };
    const first = await chat(folder, [], env);
    assert.equal(first.code, 0, first.stderr);
    const sent = server.requests.length;
    const foreign = await chat(folder, ["--continue"], key);
    assert.equal(foreign.code, 2);
    assert.match(foreign.stderr, /your code and your key would go there/);
    assert.equal(server.requests.length, sent);
    const named = await chat(folder, ["--continue"], env);
    assert.equal(named.code, 0, named.stderr);
  });
});

function chatTest(name: string, test: (pty: Pty, folder: string) => Promise<void>): void {
  const command = [
    ...[Deno.execPath(), "run", "--quiet", "--no-check", ...applicationFlags(), MAIN, "chat"],
  ];
  Deno.test({
    name,
    ignore: !hasTmux,
    fn: () =>
      withClone(LOOSE, async (folder) => {
        const options = { folder, columns: 120, environment: { ...PLAYED, NO_COLOR: "1" } };
        await withPty(command, (pty) => test(pty, folder), options);
      }),
  });
}

chatTest(
  "m31a chat at a terminal shows the settings, asks once, and remembers",
  async (pty, folder) => {
    const screen = await pty.waitFor("Allow?");
    assert.match(
      screen,
      /Trust this file, as it is now\?\n {2}planning\/config\.toml:2 {2}tools\.approval = "all"\n/,
    );
    await pty.press("y");
    await pty.waitFor("Ctrl-D leaves.");
    await pty.type("go");
    await pty.press("Enter");
    await pty.waitFor(/Ready\.\n[^]*\n>$/);
    assert(wasRun(folder), "approval = all is in force");
    await pty.press("C-d");
    await pty.waitFor("[exit 0]");
    const { stdout } = await runM31a(["config"], { cwd: folder });
    assert.match(stdout, /^Trusted on this machine:$/m);
  },
);

chatTest("m31a chat at a terminal goes on without what was not trusted", async (pty, folder) => {
  await pty.waitFor("Allow?");
  await pty.press("n");
  await pty.waitFor(/not in force in this chat\.\n[^\n]*\n>$/);
  await pty.type("go");
  await pty.press("Enter");
  await pty.waitFor(/Allow\?[^]*touch done[^]*Allow\?/);
  await pty.press("n");
  await pty.waitFor(/Ready\.\n[^]*\n>$/);
  assert(!wasRun(folder));
  await pty.press("C-d");
  await pty.waitFor("[exit 0]");
  const { stdout } = await runM31a(["config"], { cwd: folder });
  assert.match(stdout, /^Not in force, /m);
});

chatTest("m31a chat at a terminal leaves at Ctrl-C and trusts nothing", async (pty, folder) => {
  await pty.waitFor("Allow?");
  await pty.press("C-c");
  await pty.waitFor("[exit 130]");
  assert(!wasRun(folder));
  const { stdout } = await runM31a(["config"], { cwd: folder });
  assert.match(stdout, /^Not in force, /m);
});

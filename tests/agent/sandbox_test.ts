/** Commands in a real sandbox, where the machine has one, and without. */
import assert from "node:assert/strict";
import { runCommandLine } from "../../src/agent/command.ts";
import { Sandbox } from "../../src/agent/sandbox.ts";
import { seatbeltProfile } from "../../src/agent/sandbox_seatbelt.ts";
import { withGitFolder } from "../support/git_folder.ts";
import {
  AUTO,
  binWithoutBubblewrap,
  confined,
  isConfined,
  runWith,
  withSandbox,
} from "../support/sandboxes.ts";
import { runM31a } from "../support/source.ts";
import { toolContext } from "../support/tool_context.ts";

confined("a command in the sandbox writes to the tree and to /tmp and nowhere else", async () => {
  await withSandbox({}, async (run, folder) => {
    folder.write("sessions/s/0.jsonl", "private");
    folder.write("planning/config.toml", "");
    assert.equal(await run("echo x > new && cat new"), "0 x");
    assert.equal(folder.read("new"), "x\n");
    assert.equal(await run("echo y > /tmp/kept"), "0");
    assert.equal(await run("cat /tmp/kept"), "0 y", "the temporary folder lasts");
    for (
      const target of [
        folder.scratch,
        "/usr",
        "/etc",
        "/var/tmp",
        "$HOME",
        ".git",
        ".git/hooks",
        "planning",
        "sessions",
        "/proc/sys",
      ]
    ) {
      assert.match(await run(`touch ${target}/planted 2>/dev/null; echo $?`), /^0 [^0]/, target);
    }
    assert.match(await run("mv .git moved"), /^1 .*(?:busy|Read-only)/);
    assert.match(await run("mv planning moved"), /^1 .*(?:busy|Read-only)/);
    assert.equal(await run("ls sessions"), "0");
    assert.equal(folder.read("sessions/s/0.jsonl"), "private");
  });
});

confined("a command in the sandbox cannot bring a planning/ of its own", async () => {
  await withSandbox({}, async (run) => {
    assert.match(await run("mkdir -p planning && touch planning/config.toml"), /Read-only/);
  });
});

confined("a command in the sandbox has a network only where it is allowed", async () => {
  const server = Deno.serve({ port: 0, onListen() {} }, () => new Response("reached"));
  const url = `http://127.0.0.1:${server.addr.port}/`;
  const program =
    `node -e 'fetch("${url}").then(r=>r.text()).then(console.log,()=>console.log("refused"))'`;
  try {
    await withSandbox({}, async (run) => assert.equal(await run(program), "0 refused"));
    await withSandbox(
      { network: true },
      async (run) => assert.equal(await run(program), "0 reached"),
    );
  } finally {
    await server.shutdown();
  }
});

confined("a command in the sandbox sees no other process and no log-in of the user's", async () => {
  await withSandbox({}, async (run, folder) => {
    // The project is the home directory itself: even then.
    const home = folder.root;
    folder.write(".ssh/id_rsa", "secret");
    folder.write(".netrc", "secret");
    const sandbox = new Sandbox(home, AUTO, folder.environment);
    const env = { ...folder.environment, HOME: home };
    const secrets = "cat $HOME/.netrc 2>/dev/null; ls $HOME/.ssh";
    assert.equal(await runWith(sandbox, secrets, env), "0");
    await sandbox.close();
    assert.equal(
      await run(
        `test -e /proc/${Deno.pid}/environ && ls -d /proc/${Deno.pid}/cwd; kill -0 ${Deno.pid} 2>/dev/null || echo none`,
      ),
      "0 none",
    );
  });
});

confined("a writable folder of the configuration is writable in the sandbox", async () => {
  await withSandbox({ writable: ["/nonexistent/folder"] }, async (run) => {
    assert.equal(await run("true"), "0");
  });
  await withGitFolder(async (folder) => {
    const settings = { ...AUTO, writable: ["~/cache"] };
    Deno.mkdirSync(`${folder.environment.HOME}/cache`);
    const sandbox = new Sandbox(folder.root, settings, folder.environment);
    const { clock, signal } = toolContext(folder);
    const request = { timeoutMs: 9_000, outputBytes: 999, signal, clock };
    const commandLine = `echo x > ${folder.environment.HOME}/cache/file`;
    const result = await runCommandLine(sandbox, { ...request, commandLine, onOutput() {} });
    await sandbox.close();
    assert.equal(result.exitCode, 0, result.output);
  });
});

Deno.test("runCommandLine() hands on only the beginning of a flood of output", async () => {
  await withGitFolder(async (folder) => {
    const sandbox = new Sandbox(folder.root, { ...AUTO, mode: "off" }, folder.environment);
    const { clock, signal } = toolContext(folder);
    let shown = "";
    const result = await runCommandLine(sandbox, {
      commandLine: "yes | head -c 5000000",
      timeoutMs: 20_000,
      outputBytes: 1_000,
      signal,
      clock,
      onOutput: (text) => shown += text,
    });
    await sandbox.close();
    const note = "\n[What this prints behind its first 1048576 bytes is not shown here]\n";
    assert.equal(shown.slice(1024 * 1024), note);
    assert.ok(shown.startsWith("y\n".repeat(512 * 1024)));
    assert.match(result.output, /4999000 bytes left out/);
  });
});

for (const mode of isConfined ? ["auto", "off"] as const : ["off"] as const) {
  Deno.test(`a command with sandbox = ${mode} is killed with its grandchildren when its time is over`, async () => {
    await withSandbox({ mode }, async (run, folder) => {
      const script = "sh -c 'while :; do date +%N > beat; done' & sleep 60; true";
      assert.equal(await run(script, { timeoutMs: 2_000 }), "timed out");
      const before = folder.read("beat");
      const { promise, resolve } = Promise.withResolvers<void>();
      setTimeout(resolve, 50);
      await promise;
      assert.equal(folder.read("beat"), before);
    });
  });

  Deno.test(`a command with sandbox = ${mode} has no secret and no git state in its environment`, async () => {
    const variables = {
      OPENAI_API_KEY: "sk-1",
      npm_config__authToken: "t",
      MY_PASSWORD: "p",
      GIT_DIR: "/nowhere",
      M31A_MODEL: "m",
      LINES_IN_IT: "a\nb=c",
      ORDINARY_VALUE: "kept",
    };
    await withGitFolder(async (folder) => {
      const sandbox = new Sandbox(folder.root, { ...AUTO, mode }, folder.environment);
      const env = { ...folder.environment, ...variables };
      const output = await runWith(sandbox, "env", env);
      assert.match(output, /^ORDINARY_VALUE=kept$/m);
      assert.doesNotMatch(output, /sk-1|authToken|MY_PASSWORD|GIT_DIR|M31A_/);
      assert.equal(await runWith(sandbox, "git rev-parse --is-inside-work-tree", env), "0 true");
      await sandbox.close();
    });
  });
}

Deno.test("m31a with sandbox = require refuses to begin where there is no sandbox, before a model is asked", async () => {
  await withGitFolder(async (folder) => {
    folder.commitAll();
    folder.write("answers", "");
    const env = { PATH: binWithoutBubblewrap(folder.scratch), M31A_MODEL: "script:answers" };
    const { code, stderr } = await runM31a(["run", "--sandbox", "require", "a goal"], {
      cwd: folder.root,
      env,
    });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /sandbox = "require", but there is none: bubblewrap \(bwrap\) is not installed/,
    );
    const doctor = await runM31a(["doctor", "--json"], {
      cwd: folder.root,
      env: { ...env, M31A_SANDBOX: "require" },
    });
    assert.match(
      doctor.stdout,
      /Commands are refused without a sandbox: .*What a command detaches/,
    );
  });
});

Deno.test("seatbeltProfile() protects .git, planning/ and sessions/ behind what it allows", () => {
  const request = {
    root: '/p/a "b"',
    tree: '/p/a "b"',
    caches: '/p/a "b"/sessions/caches',
    scratch: "/t",
    network: false,
    writable: ["/w"],
    gitFolders: ["/g"],
  };
  const profile = seatbeltProfile(request);
  const order = [
    "(deny file-write*)",
    '(allow file-write* (subpath "/p/a \\"b\\"") (subpath "/t") (subpath "/w")',
    '(deny file-write* (subpath "/p/a \\"b\\"/.git") (subpath "/p/a \\"b\\"/planning") (subpath "/g")',
    '(deny file-read* file-write* (subpath "/p/a \\"b\\"/sessions")',
    '(allow file-read* file-write* (subpath "/p/a \\"b\\"/sessions/caches"))',
    "(deny network*)",
  ].map((rule) => profile.indexOf(rule));
  assert(order.every((position, index) => position > (order[index - 1] ?? -1)), profile);
  assert(!seatbeltProfile({ ...request, network: true }).includes("(deny network*)"));
});

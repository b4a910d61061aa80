/** That what a command leaves behind neither holds m31a nor goes on, and that it is said where it may. */
import assert from "node:assert/strict";
import { runCommandLine } from "../../src/agent/command.ts";
import { Sandbox } from "../../src/agent/sandbox.ts";
import { withGitFolder } from "../support/git_folder.ts";
import { AUTO, binWithoutBubblewrap, isConfined, withSandbox } from "../support/sandboxes.ts";
import { toolContext } from "../support/tool_context.ts";

// Each says that it has begun, which the command waits for, and then holds the output for as long as it is let.
const BEAT = "while :; do date +%N > beat; sleep 0.01; done";
const DAEMONS = {
  "in a session of its own": `setsid sh -c '${BEAT}' &`,
  "forked twice": `(setsid sh -c '(${BEAT}) &' &);`,
  "with nohup": `nohup sh -c '${BEAT}' &`,
  "with its output closed": `setsid sh -c '${BEAT}' >/dev/null 2>&1 </dev/null &`,
};
const STARTED = "until [ -s beat ]; do :; done; echo done";

for (const mode of ["auto", "off"] as const) {
  for (const [how, daemon] of Object.entries(DAEMONS)) {
    Deno.test({
      name: `a daemon that a command with sandbox = ${mode} has started ${how} ends with it`,
      ignore: !isConfined,
      fn: () =>
        withSandbox({ mode }, async (run, folder) => {
          assert.match(await run(`${daemon} ${STARTED}`), /^0 (?:nohup: .*\n)?done$/);
          const beat = folder.read("beat");
          // Another command takes longer than a beat.
          await run("sleep 0.1");
          assert.equal(folder.read("beat"), beat);
        }),
    });
  }

  Deno.test(`a command with sandbox = ${mode} that is interrupted is over although a daemon holds its output`, async () => {
    await withGitFolder(async (folder) => {
      // What goes on in spite of all ends with the folder: it looks for a file in it.
      folder.write("go", "");
      const sandbox = new Sandbox(folder.root, { ...AUTO, mode }, folder.environment);
      const interrupt = new AbortController();
      const running = runCommandLine(sandbox, {
        commandLine: `setsid sh -c 'echo started; while [ -e go ]; do sleep 0.05; done' & wait`,
        timeoutMs: 60_000,
        outputBytes: 1_000,
        signal: interrupt.signal,
        clock: toolContext(folder).clock,
        onOutput: () => interrupt.abort(new Error("interrupted by the test")),
      });
      await assert.rejects(running, /interrupted by the test/);
      Deno.removeSync(`${folder.root}/go`);
      await sandbox.close();
    });
  });
}

Deno.test("a command of which something goes on where nothing can end it says so", async () => {
  await withGitFolder(async (folder) => {
    folder.write("go", "");
    const bin = binWithoutBubblewrap(folder.scratch);
    const request = {
      commandLine: "setsid sh -c 'echo > started; while [ -e go ]; do sleep 0.05; done' & " +
        "until [ -e started ]; do :; done; echo done",
      timeoutMs: 60_000,
      outputBytes: 1_000,
    };
    const module = (name: string) => JSON.stringify(import.meta.resolve(`../../src/${name}.ts`));
    const script = `
      import { runCommandLine } from ${module("agent/command")};
      import { Sandbox } from ${module("agent/sandbox")};
      import { systemClock as clock } from ${module("platform/clock")};
      const sandbox = new Sandbox(Deno.args[0], ${JSON.stringify(AUTO)}, {
        PATH: Deno.env.get("PATH"),
      });
      const { signal } = new AbortController();
      const request = ${JSON.stringify(request)};
      console.log(await runCommandLine(sandbox, { ...request, signal, clock, onOutput() {} }));`;
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["eval", script, folder.root],
      env: { PATH: bin },
    }).output();
    Deno.removeSync(`${folder.root}/go`);
    const said = new TextDecoder().decode(stdout);
    assert.match(said, /output: "done\\n",\n\s+sandbox: "none",\n\s+leftRunning: true/);
  });
});

Deno.test("a daemon of a git hook's holds nobody up", async () => {
  await withGitFolder(async (folder) => {
    const held = `${folder.scratch}/held`;
    folder.hook(
      "pre-commit",
      `setsid sh -c 'echo > ${held}; while [ -e ${held} ]; do sleep 0.05; done' &
      until [ -e ${held} ]; do :; done`,
    );
    await folder.git.writeText(["commit", "--allow-empty", "-q", "-m", "over at once"], {
      asUser: true,
    });
    assert.equal(folder.run("log", "--format=%s"), "over at once\n");
    Deno.removeSync(held);
  });
});

Deno.test("describe() says whether everything that a command starts ends with it", async () => {
  for (const mode of ["auto", "off"] as const) {
    const words = await new Sandbox(Deno.cwd(), { ...AUTO, mode }, {}).describe();
    assert.match(words, isConfined ? /ends with it\.$/ : /may go on after its end\.$/);
  }
});

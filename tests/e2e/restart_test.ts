import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { join, relative } from "@std/path";
import { compile } from "../../scripts/compile.ts";
import { applicationFlags } from "../../scripts/permissions.ts";
import { runProgram } from "../support/source.ts";
import { withTemporaryFolder } from "../support/temporary.ts";

const ROOT_MODULE = new URL("../../src/cli/root.ts", import.meta.url);

/** A program that restarts itself at the root as m31a does, and there waits for a signal or the end of stdin. */
const PROGRAM = `
const code = await restartAtRoot(Deno.args);
if (code !== undefined) Deno.exit(code);
for (const [signal, code] of [["SIGINT", 7], ["SIGTERM", 8], ["SIGHUP", 10]] as const) {
  Deno.addSignalListener(signal, () => Deno.exit(code));
}
console.log("ready");
for await (const bytes of Deno.stdin.readable) await Deno.stdout.write(bytes);
Deno.exit(9);
`;

/** Compiles {@linkcode PROGRAM}, starts it below the root of a repository, waits until it is ready. */
async function withRestarted(
  test: (started: Deno.ChildProcess, output: ReadableStreamDefaultReader<string>) => Promise<void>,
): Promise<void> {
  await withTemporaryFolder(async (folder) => {
    const below = join(folder, "below");
    Deno.mkdirSync(below);
    await runProgram("git", ["init", "--quiet"], { cwd: folder });
    const source = join(folder, "program.ts");
    // Relative: `deno compile` 2.4.2 leaves the types in a module that is imported by its whole URL.
    const module = relative(folder, fileURLToPath(ROOT_MODULE));
    Deno.writeTextFileSync(source, `import { restartAtRoot } from "${module}";\n${PROGRAM}`);
    const program = join(folder, "program");
    assert.equal(await compile(source, ["--output", program, ...applicationFlags()]), 0);
    const started = new Deno.Command(program, {
      cwd: below,
      detached: true,
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    const output = started.stdout.pipeThrough(new TextDecoderStream()).getReader();
    assert.deepEqual(await output.read(), { value: "ready\n", done: false });
    await test(started, output);
    await output.cancel();
    await started.status;
  });
}

Deno.test("restartAtRoot() passes stdin on, and the exit code back", async () => {
  await withRestarted(async (started, output) => {
    const writer = started.stdin.getWriter();
    await writer.write(new TextEncoder().encode("words"));
    assert.equal((await output.read()).value, "words");
    await writer.close();
    assert.equal((await started.status).code, 9);
  });
});

Deno.test("restartAtRoot() leaves Ctrl-C, which a terminal sends to both, to the restarted process", async () => {
  await withRestarted(async (started) => {
    await runProgram("sh", ["-c", 'kill -s INT -- "-$1"', "sh", String(started.pid)]);
    assert.equal((await started.status).code, 7);
    await started.stdin.close();
  });
});

for (const [signal, code] of [["SIGTERM", 8], ["SIGHUP", 10], ["SIGINT", 7]] as const) {
  Deno.test(`restartAtRoot() hands a ${signal} that comes to it alone on to the restarted process`, async () => {
    await withRestarted(async (started) => {
      started.kill(signal);
      assert.equal((await started.status).code, code);
      await started.stdin.close();
    });
  });
}

Deno.test("restartAtRoot() lets the restarted process end when the one that waits is killed", async () => {
  await withRestarted(async (started, output) => {
    started.kill("SIGKILL");
    assert.equal((await started.status).code, 137);
    // The restarted process holds the other end of stdout: it closes when that process has ended.
    assert.equal((await output.read()).done, true);
    await started.stdin.close();
  });
});

import assert from "node:assert/strict";
import { canRun } from "../support/machine.ts";
import { logFile, makeSession } from "../session/samples.ts";
import { withTemporaryFolder } from "../support/temporary.ts";
import { runM31a, runProgram } from "../support/source.ts";

for (const shell of ["bash", "zsh", "fish"]) {
  Deno.test({
    name:
      `m31a completions ${shell} prints a script that ${shell} can read, and that evaluates nothing`,
    ignore: !canRun(shell, "-c", "true"),
    fn: async () => {
      const { code, stdout } = await runM31a(["completions", shell]);
      assert.equal(code, 0);
      assert.match(stdout, /command m31a complete -- /);
      assert.doesNotMatch(stdout, /\beval\b/);
      const read = await runProgram(shell, ["-c", stdout]);
      assert.deepEqual([read.code, read.stdout, read.stderr], [0, "", ""]);
    },
  });
}

/** What is suggested for the last of `words`. */
async function suggested(...words: string[]): Promise<string[]> {
  const { code, stdout } = await runM31a(["complete", "--", ...words]);
  assert.equal(code, 0);
  return stdout.split("\n").filter((line) => line !== "").map((line) =>
    line.split("\t", 1)[0] ?? ""
  );
}

Deno.test("m31a complete suggests commands, options and values, each where it may stand", async () => {
  const [commands, below, values, options, valued, free, odd] = await Promise.all([
    suggested("comp"),
    suggested("session", "sa"),
    suggested("completions", ""),
    suggested("session", "export", "--fo"),
    suggested("session", "export", "2026", "--format", ""),
    suggested("chat", "--model", "com"),
    suggested("session", "export", "--format=h"),
  ]);
  assert.deepEqual(commands, ["completions"]);
  assert.deepEqual(below, ["salvage"]);
  assert.deepEqual(values, ["bash", "zsh", "fish"]);
  assert.deepEqual(options, ["--format"]);
  assert.deepEqual(valued, ["json", "md", "html"]);
  assert.deepEqual(free, []);
  assert.deepEqual(odd, ["--format=html"]);
});

Deno.test("m31a complete says what a command does, and nothing of those that are hidden", async () => {
  const { stdout } = await runM31a(["complete", "--", ""]);
  assert.match(stdout, /^doctor\tsay what protects/m);
  assert.doesNotMatch(stdout, /^complete\t/m);
});

Deno.test("m31a complete suggests sessions, the one used last first, with what they are about", () =>
  withTemporaryFolder(async (folder) => {
    await runProgram("git", ["init", "--quiet"], { cwd: folder });
    const [older, newer] = ["20260101-000000-aaaa", "20260102-000000-bbbb"] as const;
    for (const id of [newer, older]) await makeSession(folder, 1, id);
    Deno.utimeSync(logFile(folder, 0, newer), 1e8, 1e8);
    const lines = `${older}\tquestion 1\n${newer}\tquestion 1\n`;
    const asked = [["session", "show", ""], ["chat", "--resume", "2026"], ["undo", "--session="]];
    const [shown, resumed, named] = await Promise.all(
      asked.map(async (words) =>
        (await runM31a(["complete", "--", ...words], { cwd: folder })).stdout
      ),
    );
    assert.equal(shown, lines);
    assert.equal(resumed, lines);
    assert.equal(named, lines.replaceAll(/^2/gm, "--session=2"));
  }));

import assert from "node:assert/strict";
import { runM31a, runProgram } from "../support/source.ts";

Deno.test("m31a completions bash prints a script that bash can read", async () => {
  const { code, stdout } = await runM31a(["completions", "bash"]);
  assert.equal(code, 0);
  assert.equal((await runProgram("bash", ["-n", "-c", stdout])).code, 0);
});

Deno.test("m31a completions bash prints a script that works without the package bash-completion", async () => {
  const { stdout } = await runM31a(["completions", "bash"]);
  const press = `${stdout}
m31a() { printf '%s\\n' "$*" >&3; printf 'doctor\\tsays\\n:4\\n'; }
COMP_WORDS=(m31a doc) COMP_CWORD=1 COMP_LINE="m31a doc" COMP_POINT=8
__m31a_complete 3>&1`;
  const { stdout: asked, stderr } = await runProgram("bash", ["--norc", "-c", press]);
  assert.doesNotMatch(stderr, /command not found/);
  assert.equal(asked, "complete -- doc\n");
});

for (const shell of ["zsh", "fish"]) {
  Deno.test(`m31a completions ${shell} prints a script that asks m31a`, async () => {
    const { code, stdout } = await runM31a(["completions", shell]);
    assert.equal(code, 0);
    assert.match(stdout, /m31a complete --/);
  });
}

Deno.test("m31a complete suggests commands and the values of their arguments", async () => {
  const [commands, values] = await Promise.all([
    runM31a(["complete", "--", "comp"]),
    runM31a(["complete", "--", "completions", ""]),
  ]);
  assert.match(commands.stdout, /^completions\t/);
  assert.doesNotMatch(commands.stdout, /^complete\t/m);
  assert.match(values.stdout, /^bash\b.*\nzsh\b.*\nfish\b/);
});

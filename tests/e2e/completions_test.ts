/** The completion scripts in real shells at a real terminal, as README has them. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import { canRun } from "../support/machine.ts";
import { type Project, withProject } from "../support/project.ts";
import { hasTmux, type Pty, withPty } from "../support/pty.ts";
import { executablePath } from "./executable.ts";

/** How a shell is started without any of its start-up files, and what loads the script. */
const SHELLS = {
  bash: {
    command: ["bash", "--norc", "--noprofile", "-i"],
    load: "source <(m31a completions bash)",
  },
  zsh: { command: ["zsh", "-f", "-i"], load: "source <(m31a completions zsh)" },
  fish: { command: ["fish", "--no-config", "-i"], load: "m31a completions fish | source" },
} as const;

/** Lines that would write or run something if anybody evaluated them. What is at the cursor zsh itself expands, for any command. */
const HOSTILE = [
  "m31a session show 2026 > notes.md ",
  "m31a session show $(touch sprung) ",
  "m31a session show `touch sprung` ",
  "m31a session show ; touch sprung ; m31a ",
  "m31a session show '$(touch sprung)' ",
  "m31a session show <(touch sprung) ",
];

async function withShell(
  shell: keyof typeof SHELLS,
  test: (pty: Pty, project: Project) => Promise<void>,
): Promise<void> {
  await withProject(async (project) => {
    const bin = join(project.outside, "bin");
    Deno.mkdirSync(bin);
    Deno.symlinkSync(executablePath(), join(bin, "m31a"));
    // What a repository could bring; it is not what completion asks.
    project.write({ "m31a": "#!/bin/sh\ntouch sprung\n", "notes.md": "kept\n" });
    Deno.chmodSync(join(project.root, "m31a"), 0o755);
    const PATH = `${bin}:${project.variables["PATH"]}`;
    const environment = { ...project.variables, PS1: "> ", INPUTRC: "/dev/null" };
    const command = ["env", `PATH=${PATH}`, ...SHELLS[shell].command];
    await withPty(command, async (pty) => {
      await pty.type(`${SHELLS[shell].load}; printf 'loaded-%s\\n' here`);
      await pty.press("Enter");
      await pty.waitFor("loaded-here");
      await test(pty, project);
    }, { folder: project.root, environment, columns: 120 });
  });
}

for (const shell of ["bash", "zsh", "fish"] as const) {
  Deno.test({
    name: `the script for ${shell} completes commands and the values of arguments`,
    ignore: !hasTmux || !canRun(shell, "-c", "true"),
    fn: () =>
      withShell(shell, async (pty) => {
        await pty.type("m31a comp");
        await pty.press("Tab");
        await pty.waitFor(/m31a completions/);
        await pty.type(" fis");
        await pty.press("Tab");
        await pty.waitFor(/m31a completions +fish/);
        await pty.press("C-u");
        await pty.type("m31a session verify --js");
        await pty.press("Tab");
        await pty.waitFor("m31a session verify --json");
      }),
  });

  Deno.test({
    name: `the script for ${shell} evaluates nothing of the line`,
    ignore: !hasTmux || !canRun(shell, "-c", "true"),
    fn: () =>
      withShell(shell, async (pty, project) => {
        for (const [number, line] of HOSTILE.entries()) {
          await pty.type(line);
          await pty.press("Tab");
          await pty.press("Tab");
          // In their turn: what is typed is read when the completion has ended.
          await pty.press("C-u");
          await pty.type(`printf 'after-%s\\n' ${number}`);
          await pty.press("Enter");
          await pty.waitFor(`after-${number}`);
        }
        assert.equal(Deno.readTextFileSync(join(project.root, "notes.md")), "kept\n");
        assert.throws(() => Deno.statSync(join(project.root, "sprung")), Deno.errors.NotFound);
      }),
  });
}

Deno.test({
  name: "the script for zsh registers itself before and after the user's own compinit",
  ignore: !hasTmux || !canRun("zsh", "-c", "true"),
  fn: () =>
    withShell("zsh", async (pty) => {
      await pty.type("autoload -Uz compinit && compinit -i; printf 'again-%s\\n' here");
      await pty.press("Enter");
      await pty.waitFor("again-here");
      await pty.type("source <(m31a completions zsh); printf 'more-%s\\n' here");
      await pty.press("Enter");
      await pty.waitFor("more-here");
      await pty.type("m31a doct");
      await pty.press("Tab");
      await pty.waitFor("m31a doctor");
    }),
});

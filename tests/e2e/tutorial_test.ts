/** docs/tutorial.md: every command of it, run in its order by a shell, with a model that is played from a script. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import { executablePath } from "./executable.ts";
import { withTemporaryFolder } from "../support/temporary.ts";

/** What the model says; each conversation begins with the first. */
const ANSWERS = [
  { text: "It greets, and ignores the name that it is given." },
  {
    calls: [{
      tool: "submit_plan",
      input: {
        summary: "Use the name.",
        tasks: [{ id: "1", title: "Greet by name", files: ["greet.js"], acceptance: "npm test" }],
      },
    }],
  },
  {
    calls: [
      { tool: "read_file", input: { path: "greet.js" } },
      {
        tool: "edit_file",
        input: { path: "greet.js", old_text: '"Hello!"', new_text: "`Hello, ${name}!`" },
      },
      { tool: "finish_task", input: { summary: "It uses the name." } },
    ],
  },
  { text: "greet.js greets by name." },
];

/** The commands of the page, as they stand in it. */
function commandsOf(page: string): string {
  return [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block).join("\n");
}

Deno.test("every command of docs/tutorial.md works, and what it says of them is so", () =>
  withTemporaryFolder(async (folder) => {
    const commands = commandsOf(Deno.readTextFileSync("docs/tutorial.md"));
    for (const path of ["bin", "home/.config/git", "greeter"]) {
      Deno.mkdirSync(join(folder, path), { recursive: true });
    }
    Deno.symlinkSync(executablePath(), join(folder, "bin", "m31a"));
    const identity = "[user]\n\tname = A Reader\n\temail = reader@example.org\n";
    Deno.writeTextFileSync(join(folder, "home/.gitconfig"), identity);
    Deno.writeTextFileSync(join(folder, "home/.config/git/ignore"), "model.script\n");
    const script = ANSWERS.map((answer) => JSON.stringify(answer)).join("\n");
    Deno.writeTextFileSync(join(folder, "greeter/model.script"), script);

    // Each command is shown in front of what it prints; the first that fails ends it.
    const { code, stdout } = await new Deno.Command("bash", {
      args: ["-c", `set -e -o pipefail -v\nexec 2>&1\n${commands}`],
      cwd: folder,
      clearEnv: true,
      env: {
        PATH: `${join(folder, "bin")}:${Deno.env.get("PATH")}`,
        HOME: join(folder, "home"),
        TMPDIR: folder,
        LC_ALL: "C.UTF-8",
        NO_COLOR: "1",
        M31A_MODEL: "script:model.script",
      },
      stdin: "null",
    }).output();
    const said = new TextDecoder().decode(stdout);
    assert.equal(code, 0, said);
    for (
      const [command, result] of [
        ["m31a doctor", "script:model.script, from M31A_MODEL"],
        ["m31a -p", "It greets, and ignores the name that it is given.\n"],
        ["git log -1", "Proved: "],
        ["git show --stat HEAD", "greet.js | 2 +-"],
        ["m31a session list", "Make greet.js greet by name"],
        ["m31a undo --ship --yes", "greet.js"],
        ["git status --short", " M greet.js"],
      ] as const
    ) {
      const from = said.lastIndexOf(`\n${command}`);
      assert.ok(from >= 0 && said.indexOf(result, from) >= 0, `${command}: ${result}\n${said}`);
    }
  }));

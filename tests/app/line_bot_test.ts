/** The example of a face of its own: it imports nothing of the command line, and works. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { applicationFlags } from "../../scripts/permissions.ts";
import { withGitFolder } from "../support/git_folder.ts";

const BOT = fileURLToPath(new URL("./line_bot.ts", import.meta.url));

Deno.test("a bot on stdin says, is asked, answers and catches up through src/app alone", () =>
  withGitFolder(async (folder) => {
    const text = Deno.readTextFileSync(BOT);
    assert.doesNotMatch(text, /src\/(cli|faces)\/[a-z]/);
    assert.ok(text.split("\n").length <= 100);
    const calls = [{ tool: "run_command", input: { command: "echo made > made" } }];
    folder.write("model.jsonl", `${JSON.stringify({ calls })}\nIt is made.\n`);
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--no-check", ...applicationFlags(), BOT],
      cwd: folder.root,
      env: { M31A_MODEL: "script:model.jsonl" },
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    const writer = child.stdin.getWriter();
    const write = (line: string) => writer.write(new TextEncoder().encode(`${line}\n`));
    const said: string[] = [];
    await write("Make it.");
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      for (const line of chunk.split("\n").filter((line) => line !== "")) {
        said.push(line);
        const [, question] = /^\? (\S+) may it/.exec(line) ?? [];
        if (question !== undefined) await write(`!${question} yes`);
        if (/^\d\S* replied$/.test(line)) {
          await write("!after 0.0.0");
          await writer.close();
        }
      }
    }
    assert.equal((await child.status).code, 0);
    const all = said.join("\n");
    assert.match(all, /^kept: Make it\.$/m);
    assert.match(all, /^! \S+ answered by the bot$/m);
    assert.match(all, /^0\.\d+\.0 "It is made\."$/m);
    assert.match(all, /^again 0\.\d+\.0 "It is made\."$/m);
    assert.equal(folder.read("made"), "made\n");
  }));

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { says } from "../../support/conversations.ts";
import type { GitFolder } from "../../support/git_folder.ts";
import { hasTmux, type Pty, withPty } from "../../support/pty.ts";
import { withTwoTasks } from "../../cli/workflow/two_tasks.ts";
import { edits, run, submits, task, withProject } from "../../workflow/runs.ts";

const SCRIPT = fileURLToPath(new URL("../../../scripts/m31a.ts", import.meta.url));

/** `m31a undo` at a terminal, after one task. */
function terminalTest(name: string, test: (pty: Pty, folder: GitFolder) => Promise<void>): void {
  Deno.test({
    name,
    ignore: !hasTmux,
    fn: () =>
      withProject(async (folder) => {
        await run(folder, {
          goal: "Go",
          answers: [says("Looked."), submits(task("1")), edits("2", "3")],
        });
        const command = [Deno.execPath(), "run", "-A", "--no-check", SCRIPT, "undo"];
        await withPty(command, (pty) => test(pty, folder), { folder: folder.root, columns: 100 });
      }),
  });
}

terminalTest(
  "m31a undo at a terminal shows, asks, shows the patch on d, and undoes on y",
  async (pty, folder) => {
    const preview = await pty.waitFor("Take this back? y yes · n no · d show the change");
    assert.match(preview, /taken back +1\. task 1: Task 1\n +restored +numbers\.txt\n1 restored\./);
    await pty.press("Enter");
    await pty.type("d");
    await pty.waitFor(/-3\n\+2\nTake this back\?/);
    assert.equal(folder.read("numbers.txt"), "1\n3\n");
    await pty.type("y");
    const screen = await pty.waitFor("[exit 0]");
    assert.match(screen, /Done; recorded as checkpoint 2\./);
    assert.match(screen, /^icanon\necho$/m);
    assert.equal(folder.read("numbers.txt"), "1\n2\n");
  },
);

terminalTest("m31a undo at a terminal changes nothing on n", async (pty, folder) => {
  await pty.waitFor("Take this back?");
  await pty.type("n");
  await pty.waitFor("[exit 1]");
  assert.equal(folder.read("numbers.txt"), "1\n3\n");
});

terminalTest(
  "m31a undo at a terminal is interrupted by Ctrl-C and changes nothing",
  async (pty, folder) => {
    await pty.waitFor("Take this back?");
    await pty.press("C-c");
    await pty.waitFor("[exit 130]");
    assert.equal(folder.read("numbers.txt"), "1\n3\n");
  },
);

Deno.test({
  name: "/undo in a chat takes the last task back, and says what stands in its way",
  ignore: !hasTmux,
  fn: () =>
    withTwoTasks(async (folder) => {
      const command = [Deno.execPath(), "run", "-A", "--no-check", SCRIPT, "chat", "--continue"];
      await withPty(command, async (pty) => {
        await pty.waitFor(/^>$/m);
        await pty.type("/undo");
        await pty.press("Enter");
        await pty.waitFor(/taken back +2\. task 2: Step 2[^]*Take this back\?/);
        await pty.type("y");
        await pty.waitFor("Done; recorded as checkpoint 3. /execute does what is pending again.");
        assert.equal(folder.read("a"), "1\n");
        folder.write("a", "mine\n");
        await pty.type("/undo");
        await pty.press("Enter");
        await pty.waitFor(/conflict +a: it was changed[^]*nothing was changed/);
        assert.equal(folder.read("a"), "mine\n");
        await pty.press("C-d");
        await pty.waitFor("[exit 0]");
      }, { folder: folder.root, columns: 100, rows: 50 });
    }),
});

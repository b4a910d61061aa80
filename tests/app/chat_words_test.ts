/** What a chat says at a narrow terminal: whole words, and what can be typed when a goal was not reached. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { applicationFlags } from "../../scripts/permissions.ts";
import { testWhere } from "../support/machine.ts";
import { hasTmux, withPty } from "../support/pty.ts";
import { edits, PLAN, script, withNumbers } from "../cli/ship/numbers_project.ts";

const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));

testWhere(
  hasTmux,
  "no tmux",
  "m31a chat breaks its lines between words, and says what goes on with a goal that was not reached",
  () =>
    withNumbers(async (folder) => {
      const wrong = [edits("2", "b"), edits("b", "c"), edits("c", "d")];
      script(folder, ["Looked.", PLAN, ...wrong]);
      const options = ["--model", "script:model.jsonl", "--approval", "all"];
      const flags = ["run", "--quiet", "--no-check", ...applicationFlags(), MAIN];
      const command = [Deno.execPath(), ...flags, "chat", "Make it 3", ...options];
      await withPty(command, async (pty) => {
        await pty.waitFor(/What\s+now\?[^]*something else/);
        await pty.press("Enter");
        const ended = await pty.waitFor(/Not done: execute failed[^]*task back\./);
        assert.match(ended, /^\/execute goes on from here; \/undo takes a task back\.$/m);
        await pty.type("/help");
        await pty.press("Enter");
        const help = await pty.waitFor(/\/exit +leave/);
        assert.match(
          help,
          /^\/undo \[N\] +take back what the last turn or task changed, or\n {16}the last N/m,
        );
        await pty.type("/exit");
        await pty.press("Enter");
        await pty.waitFor("[exit 0]");
      }, {
        folder: folder.root,
        columns: 64,
        rows: 60,
        environment: { NO_COLOR: "1" },
      });
    }),
);

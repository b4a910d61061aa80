/** A goal in a chat at a real terminal, from the plan's gate to the commit. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { applicationFlags } from "../../scripts/permissions.ts";
import { readLedger } from "../../src/ledger/ledger.ts";
import { testWhere } from "../support/machine.ts";
import { hasTmux, withPty } from "../support/pty.ts";
import { edits, PLAN, script, withNumbers } from "../cli/ship/numbers_project.ts";

const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));

testWhere(
  hasTmux,
  "no tmux",
  "m31a chat with a goal asks before it commits, and /ship commits what was left for later",
  () =>
    withNumbers(async (folder) => {
      script(folder, ["Looked.", PLAN, edits("2", "3"), "No sections."]);
      const options = ["--model", "script:model.jsonl", "--approval", "all"];
      const flags = ["run", "--quiet", "--no-check", ...applicationFlags(), MAIN];
      const command = [Deno.execPath(), ...flags, "chat", "Make it 3", ...options];
      await withPty(command, async (pty) => {
        await pty.waitFor(/What now\?[^]*something else/);
        await pty.press("Enter");
        await pty.waitFor(/Verified: all checks pass\.[^]*Commit this now\?[^]*something else/);
        assert.equal(folder.run("rev-list", "--count", "HEAD"), "1\n");
        await pty.press("Down", "Enter");
        await pty.waitFor(/Not shipped[^]*\n>/);
        await pty.type("/diff");
        await pty.press("Enter");
        await pty.waitFor(/> \/diff\ndiff --git [^]*\n-2\n\+3\n>$/);
        await pty.type("/status");
        await pty.press("Enter");
        const status = await pty.waitFor(/^cost +–\n/m);
        assert.match(status, /^mode +goal, verify done; approval all$/m);
        await pty.type("/ship");
        await pty.press("Enter");
        await pty.waitFor(/Not shipped[^]*Commit this now\?[^]*something else/);
        await pty.press("Enter");
        await pty.waitFor(/Shipped: commit [0-9a-f]{12}[^]*\n>/);
        await pty.type("/exit");
        await pty.press("Enter");
        await pty.waitFor("[exit 0]");
      }, {
        folder: folder.root,
        columns: 100,
        rows: 60,
        environment: { NO_COLOR: "1" },
      });
      assert.equal(folder.run("log", "-1", "--format=%s"), "chore: make it 3\n");
      const entries = await readLedger(`${folder.root}/planning/ledger.jsonl`);
      assert.deepEqual(entries.map(({ entry }) => entry.outcome), ["shipped"]);
    }),
);

/** Statistics as the executable shows them: at terminals of two sizes, and in a pipe. */
import assert from "node:assert/strict";
import { madeUpEntry } from "../../scripts/bench/ledger/made_up_ledger.ts";
import { encodeEntry } from "../../src/ledger/entry.ts";
import { testWhere } from "../support/machine.ts";
import { type Project, withProject } from "../support/project.ts";
import { hasTmux, withPty } from "../support/pty.ts";
import { executablePath } from "./executable.ts";

/** A project whose ledger has two years of entries. */
async function withLedger(test: (project: Project) => Promise<void>): Promise<void> {
  await withProject(async (project) => {
    const entries = Array.from({ length: 400 }, (_, number) => madeUpEntry(number * 40, 20_000));
    project.write({
      "planning/ledger.jsonl": entries.map((entry) => `${encodeEntry(entry)}\n`).join(""),
    });
    await test(project);
  });
}

for (const [columns, rows, shown] of [[80, 24, 3], [120, 40, 7]] as const) {
  testWhere(
    hasTmux,
    "needs tmux",
    `ledger stats at a terminal of ${columns}x${rows} has all of its overview on the screen`,
    () =>
      withLedger(async (project) => {
        const environment = { ...project.variables };
        // The last line is where the shell would ask for the next command.
        const command = ["sh", "-c", '"$1" ledger stats; printf "> "; read answer', "sh"];
        await withPty([...command, executablePath()], async (pty) => {
          const screen = await pty.waitFor(/^> *$/m);
          assert.match(screen, /^Shipped +\d+ % +█+/);
          assert.match(screen, /^Weeks \d{4}-W\d\d to \d{4}-W\d\d\nAttempts +[▁-█]+/m);
          assert.match(screen, /^Model(?: \(3 of 5\))? +Attempts +Shipped/m);
          assert.match(screen, new RegExp(`^Cause \\(${shown} of 16\\)`, "m"));
          assert.ok(screen.split("\n").length <= rows);
        }, { columns, rows, folder: project.root, environment });
      }),
  );
}

Deno.test("ledger stats in a pipe is plain, 80 columns wide and whole", () =>
  withLedger(async (project) => {
    const env = { TERM: "xterm-256color" };
    const { NO_COLOR: _noColour, ...variables } = project.variables;
    project.variables = variables;
    const { code, stdout } = await project.run(["ledger", "stats"], { env });
    assert.equal(code, 0);
    assert.ok(!stdout.includes("\x1b"));
    assert.match(stdout, /^Shipped, by kind of work/m);
    assert.match(stdout, /^Cause \(8 of 16\)/m);
    assert.ok(stdout.split("\n").every((line) => [...line].length <= 80));
  }));

/** A goal in a chat at a terminal: what it is given of the past, the question before the commit, /ship, the next goal. */
import assert from "node:assert/strict";
import { testWhere } from "../../support/machine.ts";
import { hasTmux, type Pty, withPty } from "../../support/pty.ts";
import { executablePath } from "../executable.ts";
import { assertSound } from "../soundness.ts";
import { DEMONSTRATION, type NumbersProject, withNumbers, work } from "./numbers_project.ts";

/** Starts `m31a chat` in a terminal. */
async function chat(
  { project }: NumbersProject,
  args: readonly string[],
  test: (pty: Pty) => Promise<void>,
): Promise<void> {
  const command = [executablePath(), "chat", "--approval", "all", ...args];
  const environment = { ...project.variables };
  await withPty(command, test, { columns: 100, rows: 60, folder: project.root, environment });
}

async function say(pty: Pty, text: string): Promise<void> {
  await pty.type(text);
  await pty.press("Enter");
}

const PLAN_GATE = /What now\?[^]*something else/;
const SHIP_GATE = /Verified: all checks pass\.[^]*Commit this now\?[^]*something else/;

testWhere(
  hasTmux,
  "needs tmux",
  "chat with a goal remembers, asks before it commits, ships with /ship, and takes the next goal",
  () =>
    withNumbers(async (numbers) => {
      const { project, model } = numbers;
      const first = await numbers.run("Make the second number 5", [
        ...work("numbers.txt", "2", "five", "5"),
        DEMONSTRATION,
      ]);
      assert.equal(first.code, 0, first.stderr);
      const sent = model.server.requests.length;
      model.says(...work("numbers.txt", "5", "6"), DEMONSTRATION);
      await chat(numbers, ["Make the second number 6"], async (pty) => {
        await pty.waitFor(PLAN_GATE);
        assert.match(model.server.bodies[sent + 1] ?? "", /Failed: test_failure, healed after 1/);
        await pty.press("Enter");
        await pty.waitFor(SHIP_GATE);
        assert.equal(numbers.entries.length, 1);
        await pty.press("Down", "Enter");
        await pty.waitFor("Not shipped");
        assert.equal(await project.git("status", "--porcelain"), " M numbers.txt\n");
        await say(pty, "/ship");
        await pty.waitFor(/Not shipped[^]*Commit this now\?[^]*something else/);
        await pty.press("Enter");
        await pty.waitFor(/Shipped: commit [0-9a-f]{12}[^]*\n>$/);
        model.says(...work("numbers.txt", "6", "7"), DEMONSTRATION);
        await say(pty, "/goal Make the second number 7");
        await pty.waitFor(/goal Make[^]*What now\?[^]*something else/);
        await pty.press("Enter");
        await pty.waitFor(/goal Make[^]*Commit this now\?[^]*something else/);
        await pty.press("Enter");
        await pty.waitFor(/\.2\/DEMONSTRATION\.md\n>$/);
        await say(pty, "/ship");
        await pty.waitFor(/is shipped already[^]*\n>$/);
        await pty.press("C-d");
        await pty.waitFor("[exit 0]");
      });
      const [, session = ""] = project.sessionIds;
      assert.deepEqual(
        numbers.entries.map(({ session, attempt, outcome, goal }) => [
          session,
          attempt,
          outcome,
          goal,
        ]),
        [
          [project.sessionIds[0], 1, "shipped", "Make the second number 5"],
          [session, 1, "shipped", "Make the second number 6"],
          [session, 2, "shipped", "Make the second number 7"],
        ],
      );
      assert.equal(numbers.read("numbers.txt"), "1\n7\n3\n");
      assert.deepEqual(await numbers.shippedSessions(), [session, session, project.sessionIds[0]]);
      const all = model.spentSince(0);
      const stats = JSON.parse((await project.run(["ledger", "stats", "--json"])).stdout).all;
      assert.deepEqual([stats.requests, stats.input, stats.output], [
        all.requests,
        all.input,
        all.output,
      ]);
      const verified = await project.run(["session", "verify", session]);
      assert.equal(verified.code, 0, verified.stdout);
    }),
);

testWhere(
  hasTmux,
  "needs tmux",
  "chat refuses a goal on a detached HEAD before a request is sent, and goes on as a chat",
  () =>
    withNumbers(async (numbers) => {
      const { project, model } = numbers;
      await project.git("switch", "--quiet", "--detach");
      model.says({ text: "Hello." });
      await chat(numbers, ["Make the second number 5"], async (pty) => {
        await pty.waitFor(/HEAD is detached[^]*\n>$/);
        assert.equal(model.server.requests.length, 0);
        await say(pty, "Hi");
        await pty.waitFor(/Hello\.[^]*\n>$/);
        await pty.press("C-d");
        await pty.waitFor("[exit 0]");
      });
      assert.equal(numbers.read("planning/ledger.jsonl"), "");
      await assertSound(project);
    }),
);

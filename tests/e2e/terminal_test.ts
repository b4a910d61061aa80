/** The chat as a person sees it: the executable in a real terminal. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "@std/path";
import { testWhere } from "../support/machine.ts";
import { type Project, withProject } from "../support/project.ts";
import { hasTmux, type Pty, withPty } from "../support/pty.ts";
import { ModelServer, type Reply, strictly } from "../support/servers/mod.ts";
import { executablePath } from "./executable.ts";
import { openAi } from "./protocols.ts";
import { assertGoesOn, assertSound } from "./soundness.ts";

/** Starts `m31a chat` with `args` in a terminal of 100 columns, with a server that gives `answers`. */
async function atTerminal(
  answers: Reply[],
  test: (pty: Pty, project: Project, server: ModelServer) => Promise<void>,
  before: (project: Project) => Promise<string[]> = () => Promise.resolve([]),
): Promise<void> {
  await using server = ModelServer.start(strictly(answers));
  await withProject(async (project) => {
    project.use(openAi(server));
    const args = await before(project);
    const command = [executablePath(), "chat", ...args];
    const options = { columns: 100, folder: project.root, environment: { ...project.variables } };
    await withPty(command, (pty) => test(pty, project, server), options);
  });
}

async function say(pty: Pty, text: string): Promise<void> {
  await pty.type(text);
  await pty.press("Enter");
}

const LEFT = /m31a chat --resume \S+[^]*\n *icanon\n *echo\n\[exit (\d+)\]/;

function testAtTerminal(name: string, test: () => Promise<void>): void {
  testWhere(hasTmux, "needs tmux", name, test);
}

testAtTerminal(
  "chat at a terminal runs a command when the user says yes, shows its output, and says on leaving how to go on",
  async () => {
    const command = { tool: "run_command", input: { command: "echo out | tr a-z A-Z" } };
    const answers = [{ calls: [command] }, { text: "It **says** OUT." }, { calls: [command] }, {
      text: "Not again, then.",
    }];
    await atTerminal(answers, async (pty, project) => {
      await pty.waitFor(/^>$/m);
      await say(pty, "/help");
      await pty.waitFor("/compact");
      await say(pty, "Run it.");
      await pty.waitFor(/Allow\?/);
      assert.deepEqual(project.sessionIds.length, 1);
      await pty.type("y");
      assert.match(await pty.waitFor("It says OUT."), /\bOUT\n/);
      await say(pty, "Again.");
      await pty.waitFor(/Allow\?[^]*Allow\?/);
      await pty.type("n");
      await pty.waitFor(/Not again, then\.[^]*\n>$/);
      await pty.press("C-d");
      assert.equal(LEFT.exec(await pty.waitFor(LEFT))?.[1], "0");
      const results = project.records().filter(({ type }) => type === "tool_result");
      assert.deepEqual(results.map(({ isError }) => isError), [false, true]);
      await assertSound(project);
    });
  },
);

testAtTerminal(
  "chat at a terminal ends a turn at Ctrl-C, goes on, and leaves at Ctrl-C twice",
  async () => {
    await atTerminal(
      [{ isEndless: true }, { text: "Here I am." }, { text: "On." }],
      async (pty, project) => {
        await pty.waitFor(/^>$/m);
        await say(pty, "Talk.");
        await pty.waitFor("and so on and so on");
        await pty.press("C-c");
        await pty.waitFor(/\n>$/);
        await say(pty, "Still there?");
        await pty.waitFor(/Here I am\.[^]*\n>$/);
        await pty.press("C-c");
        // On a fast machine the Ctrl-C that ended the turn was less than two seconds ago, and this one leaves.
        const screen = await pty.waitFor(/Ctrl-C again leaves|\[exit/);
        if (!screen.includes("[exit")) await pty.press("C-c");
        assert.equal(LEFT.exec(await pty.waitFor(LEFT))?.[1], "0");
        const types = project.records().map(({ type }) => type);
        assert.deepEqual(types, ["session_start", "user", "aborted", "user", "assistant", "usage"]);
        await assertGoesOn(project);
      },
    );
  },
);

testAtTerminal(
  "chat at a terminal shows the beginning and the end of a command that hides one, and each odd blank",
  async () => {
    const command = `touch hidden.txt #${"\n".repeat(80)}echo npm\u00a0test`;
    const call = { tool: "run_command", input: { command } };
    await atTerminal([{ calls: [call] }, { text: "I see." }], async (pty, project) => {
      await pty.waitFor(/^>$/m);
      await say(pty, "Run it.");
      const screen = await pty.waitFor(/Allow\?/);
      assert.match(screen, /⋯ \d+ more lines ⋯\n[^]*echo npm<U\+00A0>test\n/);
      assert.match(
        screen,
        /test\nrun[^\n]*: touch hidden.txt #… \(81 lines\)\nAllow\? .*v all 81 lines/,
      );
      await pty.press("r");
      await pty.waitFor("Why not?");
      await say(pty, "say it in one line");
      await pty.waitFor(/I see\.[^]*\n>$/);
      const [result] = project.records().filter(({ type }) => type === "tool_result");
      assert.match(JSON.stringify(result), /not run\. The reason: say it in one line/);
      assert(!existsSync(join(project.root, "hidden.txt")));
    });
  },
);

testAtTerminal(
  "chat at a terminal lets an always for one file cover no other file",
  async () => {
    const write = (path: string, content: string) => ({
      tool: "write_file",
      input: { path, content },
    });
    const calls = [
      write("notes.txt", "one\n"),
      write("notes.txt", "two\n"),
      write("hooks/pre-commit", "x\n"),
    ];
    await atTerminal([{ calls }, { text: "Done." }], async (pty, project) => {
      await pty.waitFor(/^>$/m);
      await say(pty, "Write.");
      await pty.waitFor(/a always: every change to notes\.txt, in this chat/);
      await pty.type("a");
      await pty.waitFor(/a always: every change to hooks\/pre-commit, in this chat/);
      await pty.type("n");
      await pty.waitFor(/Done\.[^]*\n>$/);
      assert.equal(await Deno.readTextFile(join(project.root, "notes.txt")), "two\n");
      assert(!existsSync(join(project.root, "hooks")));
    });
  },
);

testAtTerminal(
  "chat at a terminal leaves when it is told to end while it asks",
  async () => {
    const command = { tool: "run_command", input: { command: "true" } };
    await atTerminal([{ calls: [command] }, { text: "On." }], async (pty, project) => {
      await pty.waitFor(/^>$/m);
      await say(pty, "Run it.");
      await pty.waitFor(/Allow\?/);
      Deno.kill(await pty.programPid(), "SIGTERM");
      assert.equal(LEFT.exec(await pty.waitFor(LEFT))?.[1], "130");
      assert.equal(project.records().at(-1)?.type, "aborted");
      await assertGoesOn(project);
    });
  },
);

testAtTerminal(
  "chat at a terminal ends its command and leaves when the terminal's window is closed",
  async () => {
    const command = { tool: "run_command", input: { command: "echo begun; exec sleep 600" } };
    await atTerminal([{ calls: [command] }, { text: "On." }], async (pty, project) => {
      await pty.waitFor(/^>$/m);
      await say(pty, "Run it.");
      await pty.waitFor("begun");
      await pty.close();
      // The process holds the lock on the log for as long as it lives.
      using log = Deno.openSync(project.sessionFile("0.jsonl"));
      await log.lock(true);
      await log.unlock();
      const [result, aborted] = project.records().slice(-2);
      assert.deepEqual([result?.type, aborted?.type], ["tool_result", "aborted"]);
      await assertGoesOn(project);
    }, () => Promise.resolve(["--approval", "all"]));
  },
);

testAtTerminal(
  "chat --resume at a terminal offers the sessions and goes on in the one that is chosen",
  async () => {
    const answers = [{ text: "First." }, { text: "Second." }, { text: "Gone on." }];
    await atTerminal(answers, async (pty, project, server) => {
      await pty.waitFor("talk of the first");
      await pty.press("Down", "Enter");
      await pty.waitFor(/\n>$/);
      await say(pty, "And?");
      await pty.waitFor(/Gone on\.[^]*\n>$/);
      assert.ok(server.bodies.at(-1)?.includes("talk of the first"));
      await pty.press("C-d");
      await pty.waitFor(LEFT);
      assert.equal(project.sessionIds.length, 2);
    }, async (project) => {
      await project.run(["chat"], { input: "talk of the first\n" });
      await project.run(["chat"], { input: "talk of the second\n" });
      return ["--resume"];
    });
  },
);

testAtTerminal(
  "chat at a terminal lets no sequence of the model's or a tool's through",
  async () => {
    const hostile = "be\x1b]0;HACKED\x07fore\x1b[2J\x1b[10;10H\x9b2Jaf\x1b[8mter";
    const answers = [
      { reasoning: hostile, calls: [{ tool: "read_file", input: { path: hostile } }] },
      { text: `The text: ${hostile}.\n\n    code ${hostile}\n`, deltaLength: 3 },
    ];
    await atTerminal(answers, async (pty) => {
      const title = await pty.title();
      await pty.waitFor(/^>$/m);
      await say(pty, "Go.");
      await pty.waitFor("The text: before");
      const screen = await pty.waitFor("code before");
      assert.ok(screen.includes("Go."), "the screen was cleared");
      assert.ok(screen.includes("after"));
      assert.equal(await pty.title(), title);
    });
  },
);

testAtTerminal("chat killed at a terminal goes on where it was", async () => {
  await atTerminal([{ text: "One." }, { text: "Two." }], async (pty, project) => {
    await pty.waitFor(/^>$/m);
    await say(pty, "first");
    await pty.waitFor("One.");
    const { stdout } = await project.runProgram(["pgrep", "-P", String(await pty.pid())]);
    Deno.kill(Number(stdout.trim()), "SIGKILL");
    await pty.waitFor("[exit 137]");
    await assertGoesOn(project);
  });
});

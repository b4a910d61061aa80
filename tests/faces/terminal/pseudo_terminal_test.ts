/** The editor and the questions in a real pseudo-terminal, under the executable's own permissions. */
import assert from "node:assert/strict";
import { applicationFlags } from "../../../scripts/permissions.ts";
import { hasTmux, type Pty, withPty } from "../../support/pty.ts";

const PROGRAM = new URL("../../support/terminal_program.ts", import.meta.url).pathname;

function terminalTest(name: string, mode: string, test: (pty: Pty) => Promise<void>): void {
  const command = [Deno.execPath(), "run", ...applicationFlags(), PROGRAM, mode];
  Deno.test({
    name,
    ignore: !hasTmux,
    fn: () => withPty(command, test, { rows: 20 }),
  });
}

/** The end: line mode and echo are back, brackets around pastes are off. */
async function waitForEnd(pty: Pty, code: number): Promise<string> {
  const screen = await pty.waitFor(`[exit ${code}]`);
  assert.match(screen, /^icanon$/m);
  assert.match(screen, /^echo$/m);
  return screen;
}

terminalTest(
  "LineEditor edits, keeps history and leaves the terminal as it was",
  "edit",
  async (pty) => {
    await pty.waitFor("m31a>");
    await pty.type("helo wörld 漢字");
    await pty.press("C-a", "Right", "Right", "Right");
    await pty.type("l");
    await pty.press("Enter");
    await pty.waitFor('{"type":"line","text":"hello wörld 漢字"}');
    await pty.press("Up", "Up", "Enter");
    await pty.waitFor('{"type":"line","text":"second entry"}');
    await pty.press("C-r");
    await pty.type("first");
    await pty.waitFor("(search) first: first entry");
    await pty.press("Enter");
    await pty.waitFor('{"type":"line","text":"first entry"}');
    await pty.press("C-c");
    await pty.waitFor('{"type":"interrupt"}\nbetween: icanon echo\n');
    await pty.press("C-d");
    const screen = await waitForEnd(pty, 0);
    assert.ok(
      screen.replaceAll("\n", "").includes(
        'saved ["hello wörld 漢字","second entry","first entry"]',
      ),
    );
  },
);

terminalTest(
  "LineEditor takes several lines and pastes without running them",
  "edit",
  async (pty) => {
    await pty.waitFor("m31a>");
    await pty.type("one");
    await pty.press("M-Enter");
    await pty.type("two");
    await pty.press("C-j");
    await pty.type("three\\");
    await pty.press("Enter");
    await pty.paste("four\nfive\n");
    await pty.waitFor(/m31a> one\n {6}two\n {6}three\n {6}four\n {6}five/);
    await pty.press("BSpace", "Enter");
    await pty.waitFor("one\\ntwo\\nthree\\nfour\\nfive");
  },
);

terminalTest("LineEditor completes and lists what could be meant", "edit", async (pty) => {
  await pty.waitFor("m31a>");
  await pty.type("/h");
  await pty.press("Tab");
  await pty.waitFor("/help  /history");
  await pty.type("e");
  await pty.press("Tab");
  await pty.waitFor(/m31a> \/help$/);
  await pty.type("@src/m");
  await pty.press("Tab", "Enter");
  await pty.waitFor('"text":"/help @src/main.ts "');
});

terminalTest(
  "LineEditor wraps a long line and follows the terminal's size",
  "edit",
  async (pty) => {
    await pty.waitFor("m31a>");
    await pty.resize(40, 20);
    await pty.type("0123456789".repeat(5) + "漢字");
    await pty.waitFor(/m31a> 0123456789012345678901234567890123\n4567890123456789漢字$/);
    assert.deepEqual(await pty.cursor(), { column: 20, row: 1 });
    await pty.resize(24, 20);
    await pty.waitFor(/^m31a> 012345678901234567\n890123456789012345678901\n23456789漢字$/);
    await pty.resize(60, 20);
    await pty.waitFor(/^m31a> (?:0123456789){5}漢字$/);
    await pty.press("C-u");
    await pty.waitFor(/^m31a>$/);
  },
);

terminalTest("LineEditor restores the terminal when the program throws", "edit", async (pty) => {
  await pty.waitFor("m31a>");
  await pty.type("throw");
  await pty.press("Enter");
  assert.match(await waitForEnd(pty, 130), /caught thrown on purpose/);
});

terminalTest("TerminalInput restores the terminal at SIGTERM", "edit", async (pty) => {
  await pty.waitFor("m31a>");
  const shell = await pty.pid();
  const children = new TextDecoder().decode(
    new Deno.Command("pgrep", { args: ["-P", String(shell)] }).outputSync().stdout,
  );
  Deno.kill(Number(children.trim()), "SIGTERM");
  assert.match(await waitForEnd(pty, 130), /caught told to end/);
});

terminalTest(
  "TerminalInput restores the terminal when something else throws",
  "throwInRaw",
  async (pty) => {
    assert.match(await waitForEnd(pty, 1), /thrown outside/);
  },
);

terminalTest(
  "askApproval() shows all that would be done and takes no key typed ahead",
  "approve",
  async (pty) => {
    const screen = await pty.waitFor("Allow?");
    assert.ok(screen.startsWith(
      "run_command: echo hi\n  echo hi ␛]0;rm -rf /␇\n  second <U+202E>line\nAllow? y yes · n no · r no, and say why · a always: this command line",
    ));
    await pty.press("Enter", "y");
    await pty.waitFor("answer yes");
    await pty.waitFor(/Allow?[^]*Allow\?/);
    await pty.press("a");
    await pty.waitFor("working");
    await pty.type("y");
    await pty.waitFor(/Allow\?[^]*Allow\?[^]*Allow\?/);
    await pty.press("n");
    await pty.waitFor("answer no");
    assert.equal((await pty.screen()).match(/answer yes/g)?.length, 1);
    await pty.waitFor(/(?:Allow\?[^]*){4}/);
    await pty.press("r");
    await pty.waitFor("Why not?");
    await pty.type("use the other one");
    await pty.press("Enter");
    await pty.waitFor(/answer no because use the other one\n[^]*Allow\?/);
    await pty.press("C-c");
    await waitForEnd(pty, 0);
  },
);

terminalTest(
  "askChoice() takes an option by arrows or digit, or an answer of one's own",
  "choose",
  async (pty) => {
    await pty.waitFor("❯ 1. left");
    await pty.press("Down", "Enter");
    await pty.waitFor("answer right");
    await pty.waitFor(/answer right\nWhich one\?\n❯ 1/);
    await pty.press("1");
    await pty.waitFor(/answer left\nWhich one\?\n❯ 1/);
    await pty.press("Up");
    await pty.waitFor("❯ 3. something else");
    await pty.press("Enter");
    await pty.type("my own");
    await pty.press("Enter");
    await pty.waitFor(/answer my own\nWhich one\?\n❯ 1/);
    await pty.press("Escape");
    await waitForEnd(pty, 0);
  },
);

terminalTest(
  "Interrupts takes Ctrl-C for a press, and a second one for leaving",
  "interrupt",
  async (pty) => {
    await pty.waitFor("turn runs");
    await pty.press("C-c");
    await pty.waitFor("action abort");
    await pty.press("C-c");
    await pty.waitFor("action leave");
    await waitForEnd(pty, 0);
  },
);

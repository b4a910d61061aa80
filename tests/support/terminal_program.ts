/** A small program at a terminal that uses the editor and the questions, for tests in a pseudo-terminal. */
import { Interrupts } from "../../src/faces/terminal/interrupts.ts";
import { LineEditor } from "../../src/faces/terminal/line_editor.ts";
import { askApproval } from "../../src/faces/terminal/approval_prompt.ts";
import { askChoice } from "../../src/faces/terminal/prompt.ts";
import { systemTerminal } from "../../src/faces/terminal/terminal_device.ts";
import { TerminalInput } from "../../src/faces/terminal/terminal_input.ts";
import { systemClock } from "../../src/platform/clock.ts";

const input = new TerminalInput(systemTerminal, systemClock);

async function edit(): Promise<void> {
  const saved: string[] = [];
  const editor = new LineEditor({
    input,
    isColour: false,
    history: {
      load: () => ["first entry", "second entry"],
      save: (entry) => void saved.push(entry),
    },
    complete(text, cursor) {
      const start = text.lastIndexOf(" ", cursor - 1) + 1;
      const word = text.slice(start, cursor);
      const names = ["/help", "/history", "/model", "@src/main.ts", "@src/cli/"];
      return { start, candidates: names.filter((name) => name.startsWith(word)) };
    },
  });
  while (true) {
    const result = await editor.readLine("m31a> ");
    console.log(JSON.stringify(result));
    if (result.type === "interrupt") console.log(await terminalMode());
    if (result.type === "end") break;
    if (result.type === "line" && result.text === "throw") throw new Error("thrown on purpose");
  }
  console.log(`saved ${JSON.stringify(saved)}`);
}

/** Whether the terminal is in line mode and echoes, as stty says. */
async function terminalMode(): Promise<string> {
  const args = ["-c", 'stty -a | tr ";" "\\n" | grep -wo -e "-*icanon" -e "-*echo"'];
  const output = await new Deno.Command("/bin/sh", { args, stdin: "inherit" }).output();
  return `between: ${new TextDecoder().decode(output.stdout).trim().split("\n").join(" ")}`;
}

async function approve(): Promise<void> {
  const detail = "echo hi \x1b]0;rm -rf /\x07\nsecond \u202eline";
  while (true) {
    const question = { summary: "run_command: echo hi", detail, always: "this command line" };
    const { decision, reason } = await askApproval(input, question, false);
    console.log(`answer ${decision}${reason === undefined ? "" : ` because ${reason}`}`);
    if (decision === "interrupt") return;
    if (decision !== "always") continue;
    // A slow step, during which somebody types ahead.
    console.log("working");
    await systemClock.sleep(1500);
  }
}

async function choose(): Promise<void> {
  while (true) {
    const answer = await askChoice(input, "Which one?", ["left", "right"], false);
    console.log(`answer ${answer}`);
    if (answer === undefined) return;
  }
}

async function throwInRaw(): Promise<void> {
  await input.withRaw(async () => {
    await systemClock.sleep(0);
    setTimeout(() => {
      throw new Error("thrown outside");
    });
    await systemClock.sleep(60_000);
  });
}

/** A turn that ends when it is told to, then another that does not. */
async function interrupt(): Promise<void> {
  const left = Promise.withResolvers<void>();
  const interrupts = new Interrupts(systemClock, (action) => {
    console.log(`action ${action}`);
    if (action === "leave") left.resolve();
  });
  const stop = interrupts.listen();
  interrupts.startTurn();
  console.log("turn runs");
  await Promise.race([left.promise, systemClock.sleep(60_000)]);
  stop();
}

const modes: Record<string, () => Promise<void>> = { edit, approve, choose, throwInRaw, interrupt };
try {
  await modes[Deno.args[0] ?? ""]?.();
} catch (error) {
  console.log(`caught ${error instanceof Error ? error.message : error}`);
  Deno.exit(130);
}
Deno.exit(0);

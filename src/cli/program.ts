/**
 * The commands: their names, options and help, and which file runs each.
 * Rule: a command's file is imported by its action, so that no command pays for another's packages.
 */
import { Argument, Command, CommanderError, Option } from "@commander-js/extra-typings";
import { isInteractive } from "../faces/terminal/terminal_device.ts";
import { OUTPUT_FORMATS } from "../faces/pipe/formats.ts";
import type { ExitCode } from "../platform/errors.ts";
import { BARE, messageIn, withCommand } from "./bare.ts";
import type { CommandContext } from "./command_context.ts";
import { addHelp } from "./help.ts";
import { addLedgerCommands } from "./ledger/commands.ts";
import { write } from "../platform/output.ts";
import { addSessionCommands } from "./session/commands.ts";
import { SHELLS } from "./shells.ts";

/** A program whose commands put their exit code into `exitCode`. */
interface Program {
  command: Command;
  exitCode: ExitCode;
}

const AFTER_HELP = `
Without a command: m31a "some words" begins a conversation with them, m31a alone
an empty one, and m31a -p "some words" prints the answer and ends.

Exit codes: 0 done, 1 the work did not succeed, 2 wrong use, 3 damaged data,
130 interrupted.`;

/** Parses `args`, runs the command that they name, and resolves to its exit code; 2 for wrong use. */
export async function runProgram(
  args: readonly string[],
  context: CommandContext,
): Promise<ExitCode> {
  const program = createProgram(context);
  try {
    await program.command.parseAsync(withCommand(args, isInteractive()), { from: "user" });
    return program.exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander has printed the help or the message already.
    if (error.code === "commander.unknownCommand" && args.length > 1) {
      console.error('(In quotes, words begin a conversation: m31a "what is this project?")');
    }
    return error.exitCode === 0 ? 0 : 2;
  }
}

/**
 * Every command, registered. To add one: `.command()`, `.description()`, its options, and an action that
 * imports its file and assigns what its `run` resolves to.
 */
export function createProgram(context: CommandContext): Program {
  const command = new Command("m31a");
  const program: Program = { command, exitCode: 0 };
  command
    .description("A coding agent for the terminal that can prove what it did.")
    .version(`m31a ${context.version}`, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .addHelpText("after", AFTER_HELP)
    .exitOverride()
    .configureOutput({
      writeOut: write,
      outputError: (message, writeError) => writeError(message.replace(/^error: /, "m31a: ")),
    });

  addChatOptions(command.command("chat"))
    .description("talk with a model about the project, or work on a goal with it")
    .argument("[goal]", "what is to be done, with your word at each gate; none to just talk")
    .action(async (goal, options) => {
      program.exitCode = await (await import("./chat.ts")).run({ goal }, options, context);
    });

  command.command("run")
    .description(
      "reach a goal alone: plan it, change the code, prove it by the project's checks, commit it",
    )
    .argument("[goal]", "what is to be done")
    .option("--resume <session>", "go on with a session, by its id or the beginning of it")
    .option("--continue", "go on with the newest session")
    .option("--from <phase>", "enter a phase again: initialize, discuss, plan, execute or verify")
    .option("--model <provider:name>", "the model to work with")
    .option(
      "--effort <level>",
      "how much the model reasons: none, minimal, low, medium, high, xhigh or max",
    )
    .option("--approval <mode>", "which commands it may run: ask, allowlist or all")
    .option("--sandbox <mode>", "the sandbox for commands: auto, require or off")
    .option("--no-ship", "end when it is verified; nothing is committed")
    .option("--json", "print what happens as JSON lines")
    .action(async (goal, options) => {
      program.exitCode = await (await import("./run.ts")).run(goal, options, context);
    });

  command.command("acp")
    .description("serve an editor over the Agent Client Protocol, on stdin and stdout")
    .option("--model <provider:name>", "the model to talk to")
    .option(
      "--effort <level>",
      "how much the model reasons: none, minimal, low, medium, high, xhigh or max",
    )
    .option("--approval <mode>", "who allows commands and changes: ask, allowlist or all")
    .option("--sandbox <mode>", "the sandbox for commands: auto, require or off")
    .action(async (options) => {
      program.exitCode = await (await import("./acp.ts")).run(options, context);
    });

  command.command("attach")
    .description(
      "open a second terminal on a conversation that is live; without one named, list them",
    )
    .argument(
      "[session]",
      "the session, by its id or the beginning of it; the only live one by default",
    )
    .action(async (session) => {
      program.exitCode = await (await import("./attach.ts")).run(session, context);
    });

  command.command("serve")
    .description("hold conversations without a terminal, for browsers and whoever attaches")
    .option(
      "--listen <address>",
      "where to listen: an address and a port, 127.0.0.1:8731 by default",
    )
    .option("--allow-host <name...>", "further names, with their ports, that people reach it by")
    .option("--model <provider:name>", "the model to talk to")
    .option(
      "--effort <level>",
      "how much the model reasons: none, minimal, low, medium, high, xhigh or max",
    )
    .option("--approval <mode>", "who allows commands and changes: ask, allowlist or all")
    .option("--sandbox <mode>", "the sandbox for commands: auto, require or off")
    .action(async (options) => {
      program.exitCode = await (await import("./serve.ts")).run(options, context);
    });

  command.command("ship")
    .description("finish a session: checklist, commit, demonstration, ledger, memory, archive")
    .argument(
      "[session]",
      "the session, by its id or the beginning of it; by default the newest with a goal",
    )
    .option("--dry-run", "print the checklist and stop")
    .option("--unverified", "commit though the checks do not pass, or were not run")
    .option("--partial", "commit though tasks are not done")
    .option("--include-dirty", "commit along what you had changed before in the same files")
    .option(
      "--changed-hooks",
      "commit though the session changed hooks or what they run: git runs them",
    )
    .option("--include <file...>", "commit these files of yours along with it")
    .option("--message <text>", "the commit's subject, and its body below an empty line")
    .option("--yes", "ship without a question though a check warns")
    .option("--json", "print what happens as JSON lines")
    .action(async (session, options) => {
      program.exitCode = await (await import("./ship.ts")).run(session, options, context);
    });

  command.command("status")
    .description("say how far the workflow is: phase, tasks, last action")
    .argument("[session]", "the session, by its id or the beginning of it; the newest by default")
    .option("--json", "print one JSON object")
    .action(async (session, options) => {
      program.exitCode = await (await import("./workflow/status.ts")).run(session, options);
    });

  command.command("undo")
    .description("take back what the last turns and tasks changed; shows it first")
    .argument("[count]", "how many checkpoints to take back; 1 by default")
    .option("--session <session>", "the session, by its id or the beginning of it")
    .option("--ship", "take back the last commit instead, if it is m31a's and not pushed")
    .option("--diff", "show the change as a patch too")
    .option("--force", "overwrite files that you changed since as well; a copy is kept")
    .option("--yes", "do not ask")
    .option("--json", "print one JSON object")
    .action(async (count, options) => {
      program.exitCode = await (await import("./workflow/undo.ts")).run(count, options, context);
    });

  command.command("rollback")
    .description("go back to how the files were at a checkpoint; shows it first")
    .argument(
      "[checkpoint]",
      "its number, 0 for before the first change; without it they are listed",
    )
    .option("--session <session>", "the session, by its id or the beginning of it")
    .option("--diff", "show the change as a patch too")
    .option("--force", "overwrite files that you changed since as well; a copy is kept")
    .option("--yes", "do not ask")
    .option("--json", "print one JSON object")
    .action(async (checkpoint, options) => {
      const { run } = await import("./workflow/rollback.ts");
      program.exitCode = await run(checkpoint, options, context);
    });

  command.command("rewind")
    .description("take a conversation and its files back to the end of a turn; shows it first")
    .argument("[turn]", "its number, 0 for before the first; without it they are listed")
    .option("--session <session>", "the session, by its id or the beginning of it")
    .option("--diff", "show the change as a patch too")
    .option("--force", "overwrite files that you changed since as well; a copy is kept")
    .option("--yes", "do not ask")
    .option("--json", "print one JSON object")
    .action(async (turn, options) => {
      program.exitCode = await (await import("./workflow/rewind.ts")).run(turn, options, context);
    });

  addSessionCommands(command, program, context);
  addLedgerCommands(command, context, (code) => program.exitCode = code);

  command.command("init")
    .description("create planning/ and sessions/ in this project, with a commented configuration")
    .option("--planning <what>", "what becomes of planning/ in git: commit, ignore or leave")
    .action(async (options) => {
      program.exitCode = await (await import("./init.ts")).run(options, context);
    });

  command.command("doctor")
    .description("say what protects this machine, which model would be used, and what is missing")
    .option("--offline", "do not try the model: by default it is sent one short request")
    .option("--json", "print one JSON object")
    .action(async (options) => {
      program.exitCode = await (await import("./doctor.ts")).run(options, context);
    });

  command.command("config")
    .description("print every setting, its value, and where the value comes from")
    .option("--json", "print a JSON array")
    .option("--trust", "trust planning/config.toml as it is now, on this machine")
    .action(async (options) => {
      program.exitCode = await (await import("./config.ts")).run(options, context);
    });

  command.command("completions")
    .description("print the completion script of a shell: bash, zsh or fish")
    .addArgument(new Argument("<shell>", "the shell that you use").choices(SHELLS))
    .action(async (shell) => {
      program.exitCode = (await import("./completions.ts")).printScript(shell);
    });

  // What the script calls at each press of the tab key: `m31a complete -- <words>`.
  command.command("complete", { hidden: true })
    .argument("[words...]")
    .action(async (words) => {
      program.exitCode = (await import("./completions.ts")).printSuggestions(words, command);
    });

  addHelp(command);

  // What `m31a "several words"`, `m31a -p …` and `m31a` alone are: withCommand() puts the name in front.
  addChatOptions(command.command(BARE, { hidden: true }))
    .argument("[words...]")
    .showHelpAfterError(
      "(`m31a help chat` tells the options of a conversation, `m31a help` the commands)",
    )
    .action(async (words, options) => {
      const message = messageIn(words);
      program.exitCode = await (await import("./chat.ts")).run({ message }, options, context);
    });
  return program;
}

/** The options of a conversation, for the two ways to begin one. */
function addChatOptions(command: Command) {
  return command
    .option(
      "-p, --prompt <text>",
      "say this, print the answer and end; - is all of standard input; given twice, both",
      (part: string, before: string[] | undefined) => [...before ?? [], part],
    )
    .option("--resume [session]", "go on with a session, by its id or the beginning of it")
    .option("--continue", "go on with the newest session")
    .option("--model <provider:name>", "the model to talk to")
    .option(
      "--effort <level>",
      "how much the model reasons: none, minimal, low, medium, high, xhigh or max",
    )
    .option("--approval <mode>", "who allows commands and changes: ask, allowlist or all")
    .option("--sandbox <mode>", "the sandbox for commands: auto, require or off")
    .addOption(
      new Option("--output-format <format>", "how to print without a terminal").choices(
        OUTPUT_FORMATS,
      ),
    )
    .option("--json", "the same as --output-format stream-json: what happens, as JSON lines");
}

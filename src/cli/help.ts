/**
 * `m31a help`, for commands of any depth, and what is said after wrong use.
 * Rule: the hint names the help of the very command that was misused, and that help exists.
 */
import type { Command, CommandUnknownOpts } from "@commander-js/extra-typings";

/** Adds `help` to a program that has all its other commands, and to each of them its hint. */
export function addHelp(program: Command): void {
  program.command("help")
    .description("print the help of a command")
    .argument("[command...]", "the command, such as `session show`")
    .action((names) => {
      let command: CommandUnknownOpts = program;
      for (const name of names) {
        const found = command.commands.find((candidate) => candidate.name() === name);
        if (found === undefined) {
          command.error(`error: ${nameOf(command)} has no command '${name}'`);
        }
        command = found;
      }
      command.help();
    });
  addHints(program);
}

function addHints(command: CommandUnknownOpts): void {
  const words = ["m31a", "help", ...nameOf(command).split(" ").slice(1)].join(" ");
  const what = command.commands.length > 0 ? "lists the commands" : "tells how it is used";
  command.showHelpAfterError(`(\`${words}\` ${what})`);
  command.commands.forEach(addHints);
}

/** The words that name a command on the command line: `m31a session show`. */
function nameOf(command: CommandUnknownOpts): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

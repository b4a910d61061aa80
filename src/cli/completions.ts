/**
 * Completion in a shell: the script that the user's shell loads, and the answers it asks for.
 * Rule: both are derived from the commands themselves, so they cannot fall behind.
 */
import { type Command as TabCommand, RootCommand } from "@bomb.sh/tab";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { ExitCode } from "../platform/errors.ts";
import { write } from "./output.ts";
import { type CommandContext, createProgram, type SHELLS } from "./program.ts";

/**
 * What the bash script asks for the words of the line. It comes with the package bash-completion; without
 * that the words are those that bash itself sees.
 */
const BASH_WORDS = `if ! declare -F _get_comp_words_by_ref >/dev/null; then
    _get_comp_words_by_ref() {
        cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]}
        words=("\${COMP_WORDS[@]}") cword=$COMP_CWORD
    }
fi
`;

/** Prints the script that makes `shell` complete m31a's commands and options. */
export function printScript(shell: typeof SHELLS[number], context: CommandContext): ExitCode {
  if (shell === "bash") write(BASH_WORDS);
  completer(context).setup("m31a", "m31a", shell);
  return 0;
}

/** Prints what may stand in place of the last of `words`, in the form that the scripts read. */
export function printSuggestions(words: readonly string[], context: CommandContext): ExitCode {
  completer(context).parse([...words]);
  return 0;
}

function completer(context: CommandContext): RootCommand {
  const root = new RootCommand();
  const { command } = createProgram(context);
  describe(root, command);
  addSubcommands(root, command, "");
  return root;
}

function addSubcommands(root: RootCommand, command: CommandUnknownOpts, prefix: string): void {
  for (const subcommand of command.createHelp().visibleCommands(command)) {
    const path = `${prefix}${subcommand.name()}`;
    describe(root.command(path, subcommand.description()), subcommand);
    addSubcommands(root, subcommand, `${path} `);
  }
}

/** Tells `into` the options and arguments of `command`, with the values that they may have. */
function describe(into: TabCommand, command: CommandUnknownOpts): void {
  for (const option of command.createHelp().visibleOptions(command)) {
    const name = option.long?.slice("--".length);
    if (name === undefined) continue;
    const takesValue = option.required || option.optional;
    if (takesValue) into.option(name, option.description, suggesting(option.argChoices));
    if (!takesValue) into.option(name, option.description, option.short?.slice("-".length));
  }
  for (const argument of command.registeredArguments) {
    into.argument(argument.name(), suggesting(argument.argChoices), argument.variadic);
  }
}

function suggesting(choices: readonly string[] = []) {
  return (complete: (value: string, description: string) => void) => {
    for (const choice of choices) complete(choice, "");
  };
}

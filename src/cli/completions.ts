/**
 * Completion in a shell: the script that the user's shell loads, and the answers it asks for.
 * Rule: the words of the line are handed to m31a as they are, and what it answers is taken as it is: a script
 * evaluates neither. The answers come from the commands themselves, so they cannot fall behind.
 */
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { oneLine, truncate } from "../faces/terminal/width.ts";
import { type ExitCode, M31aError } from "../platform/errors.ts";
import { stripControlSequences } from "../platform/text.ts";
import { listSessions } from "../session/catalog.ts";
import { printLine, write } from "../platform/output.ts";
import type { SHELLS } from "./shells.ts";

// Each asks `m31a complete -- WORDS`, the last word being the one at the cursor, and gets lines of a word, a tab and
// what it means. `m31a` is taken from PATH, never by a path that stands in the line.
const SCRIPTS: Readonly<Record<typeof SHELLS[number], string>> = {
  bash: `# completion of m31a in bash
_m31a() {
    local current=\${COMP_WORDS[COMP_CWORD]} line
    COMPREPLY=()
    while IFS= read -r line; do
        line=\${line%%$'\\t'*}
        if [[ $line == "$current"* ]]; then COMPREPLY+=("$line"); fi
    done < <(command m31a complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _m31a m31a
`,
  // At the first prompt all of .zshrc was read: whether completion was started there is known only then.
  zsh: `#compdef m31a
# completion of m31a in zsh
_m31a() {
    local -a found
    local line
    while IFS= read -r line; do
        found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    done < <(command m31a complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
    _describe -V 'm31a' found
}
_m31a_register() {
    add-zsh-hook -d precmd _m31a_register
    if (( ! $+functions[compdef] )); then autoload -Uz compinit && compinit -i; fi
    compdef _m31a m31a
}
if [[ \${funcstack[1]} == _m31a ]]; then
    _m31a
else
    autoload -Uz add-zsh-hook && add-zsh-hook precmd _m31a_register
fi
`,
  fish: `# completion of m31a in fish
function __m31a_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    command m31a complete -- $words[2..-1] "$current" 2>/dev/null
end
complete -c m31a -e
complete -c m31a -f -k -a '(__m31a_complete)'
`,
};

/** Prints the script that makes `shell` complete m31a's commands and options. */
export function printScript(shell: typeof SHELLS[number]): ExitCode {
  write(SCRIPTS[shell]);
  return 0;
}

/** Prints what may stand in place of the last of `words` of a line for `program`, in the form that the scripts read. */
export function printSuggestions(words: readonly string[], program: CommandUnknownOpts): ExitCode {
  for (const { word, meaning } of suggestionsFor(program, words)) {
    printLine(`${word}\t${meaning}`);
  }
  return 0;
}

/** A word that may stand there, and what it means. */
interface Suggestion {
  word: string;
  meaning: string;
}

function suggestionsFor(program: CommandUnknownOpts, words: readonly string[]): Suggestion[] {
  let command = program;
  let position = 0;
  let option: CommandUnknownOpts["options"][number] | undefined;
  // bash takes the sign of equality for a word of its own.
  const given = words.filter((word) => word !== "=");
  const current = given.at(-1) ?? "";
  for (const word of given.slice(0, -1)) {
    const wasValue = option !== undefined;
    option = undefined;
    if (wasValue) continue;
    if (word.startsWith("-")) {
      option = optionsOf(command).find((known) => takesValue(known) && isNamed(known, word));
      continue;
    }
    const subcommand = subcommandsOf(command).find((known) => known.name() === word);
    if (subcommand === undefined) position++;
    if (subcommand !== undefined) [command, position] = [subcommand, 0];
  }
  if (option !== undefined) return beginning(current, valuesOf(option));
  const [, name, value] = /^(--[^=]+=)(.*)$/s.exec(current) ?? [];
  if (name !== undefined) {
    const named = optionsOf(command).find((known) => isNamed(known, name.slice(0, -1)));
    const values = named === undefined ? [] : valuesOf(named);
    return beginning(value ?? "", values).map(({ word, meaning }) => ({
      word: name + word,
      meaning,
    }));
  }
  if (current.startsWith("-")) {
    const options = optionsOf(command).flatMap(({ long, description }) =>
      long ? [{ word: long, meaning: description }] : []
    );
    return beginning(current, options);
  }
  const commands = subcommandsOf(command).map((known) => ({
    word: known.name(),
    meaning: known.description(),
  }));
  const { registeredArguments } = command;
  const argument = registeredArguments[position] ??
    registeredArguments.findLast(({ variadic }) => variadic);
  const values = argument?.name() === "session" ? sessions() : choicesOf(argument?.argChoices);
  return beginning(current, [...commands, ...values]);
}

/** What may stand as an option's value. */
function valuesOf({ flags, argChoices }: CommandUnknownOpts["options"][number]): Suggestion[] {
  return /[<[]session[>\]]$/.test(flags) ? sessions() : choicesOf(argChoices);
}

/** How many sessions are offered. */
const OFFERED_SESSIONS = 50;

/** The sessions that were used last, with what they are about. */
function sessions(): Suggestion[] {
  try {
    return listSessions(".", OFFERED_SESSIONS).map(({ id, title }) => ({
      word: id,
      meaning: truncate(oneLine(stripControlSequences(title)), 60),
    }));
  } catch (error) {
    // Completion says nothing of what is wrong: the command will.
    if (error instanceof M31aError) return [];
    throw error;
  }
}

function subcommandsOf(command: CommandUnknownOpts): CommandUnknownOpts[] {
  return command.createHelp().visibleCommands(command);
}

function optionsOf(command: CommandUnknownOpts): CommandUnknownOpts["options"][number][] {
  return command.createHelp().visibleOptions(command);
}

function isNamed({ long, short }: CommandUnknownOpts["options"][number], name: string): boolean {
  return name === long || name === short;
}

function takesValue({ required, optional }: { required: boolean; optional: boolean }): boolean {
  return required || optional;
}

function choicesOf(choices: readonly string[] = []): Suggestion[] {
  return choices.map((word) => ({ word, meaning: "" }));
}

function beginning(start: string, suggestions: readonly Suggestion[]): Suggestion[] {
  return suggestions.filter(({ word }) => word.startsWith(start));
}

/**
 * The commands `m31a ledger …` and `m31a memory …`: names, options, help.
 * Rule: nothing is imported here but by an action.
 */
import type { Command } from "@commander-js/extra-typings";
import type { ExitCode } from "../../platform/errors.ts";
import type { CommandContext } from "../command_context.ts";

/** Adds the commands to `program`; each gives its exit code to `finish`. */
export function addLedgerCommands(
  program: Command,
  context: CommandContext,
  finish: (code: ExitCode) => void,
): void {
  const ledger = program.command("ledger")
    .description("what all the finished sessions brought: statistics and entries");

  ledger.command("stats")
    .description("ship rate, time, tokens, cost, models and causes of failure")
    .argument("[sources...]", "ledgers, projects or folders of projects; - is standard input")
    .option("--by <grouping>", "model, phase, cause, extension, project, author, week or memory")
    .option("--team", "of the team's ledger, computed there")
    .option("--since <day>", "only sessions that ended on this day or later: 2026-11-29, 30d, 12w")
    .option("--until <day>", "only sessions that ended on this day or before")
    .option("--model <provider:name>", "only sessions with this model")
    .option("--outcome <outcome>", "only sessions that were shipped, failed or abandoned")
    .option("--json", "print one JSON object")
    .option("--csv", "print the grouping as CSV")
    .action(async (sources, options) => {
      finish(await (await import("./stats.ts")).run(sources, options, context));
    });

  ledger.command("list")
    .description("the entries, newest last")
    .option("--since <day>", "only sessions that ended on this day or later: 2026-11-29, 30d, 12w")
    .option("--until <day>", "only sessions that ended on this day or before")
    .option("--model <provider:name>", "only sessions with this model")
    .option("--outcome <outcome>", "only sessions that were shipped, failed or abandoned")
    .option("--json", "print each entry as a line of JSON")
    .action(async (options) => {
      finish(await (await import("./inspect.ts")).list(options, context));
    });

  ledger.command("show")
    .description("one session's entry in full")
    .argument("<session>", "its id or the beginning of it")
    .option("--json", "print it as a line of JSON")
    .action(async (id, options) => {
      finish(await (await import("./inspect.ts")).show(id, options));
    });

  ledger.command("verify")
    .description("check every line of the ledger; says file and line of damage")
    .option("--json", "print one JSON object")
    .action(async (options) => {
      finish(await (await import("./inspect.ts")).verify(options));
    });

  ledger.command("report")
    .description("write planning/report.html: the statistics as interactive charts")
    .argument("[sources...]", "ledgers, projects or folders of projects; - is standard input")
    .option("--since <day>", "only sessions that ended on this day or later: 2026-11-29, 30d, 12w")
    .option("--until <day>", "only sessions that ended on this day or before")
    .option("--team", "of the team's ledger, computed there")
    .option("--no-authors", "without saying who did what")
    .action(async (sources, options) => {
      finish(await (await import("./report.ts")).run(sources, options, context));
    });

  ledger.command("import")
    .description("add sessions of other agents, or what others have exported, to the ledger")
    .argument("<file>", "a file of the project; - is standard input")
    .option("--from <agent>", "whose it is: m31a, claude-code or codex; m31a by default")
    .action(async (file, options) => {
      finish(await (await import("./import.ts")).run(file, options, context));
    });

  ledger.command("init")
    .description("make the team's ledger in PostgreSQL, or bring its tables to the newest version")
    .action(async () => {
      finish(await (await import("./team.ts")).init(context));
    });

  ledger.command("push")
    .description("send the team's ledger the entries that it is owed")
    .action(async () => {
      finish(await (await import("./team.ts")).push(context));
    });

  ledger.command("pull")
    .description("fetch what the team did in this project, for the memory")
    .action(async () => {
      finish(await (await import("./team.ts")).pull(context));
    });

  ledger.command("forget")
    .description("delete a person's entries from the team's ledger")
    .requiredOption("--author <author>", "as ledger stats --by author names them")
    .option("--yes", "delete them")
    .action(async (options) => {
      finish(await (await import("./team.ts")).forget(options, context));
    });

  program.command("mcp")
    .description(
      "give other agents the memory and the ledger, as an MCP server on stdin and stdout",
    )
    .action(async () => {
      finish(await (await import("../mcp.ts")).run(context));
    });

  const memory = program.command("memory").description("what is remembered across sessions");

  memory.command("show")
    .description("print what a model would be given of the past for a goal")
    .requiredOption("--goal <text>", "what the session would be about")
    .option("--budget <tokens>", "how many tokens it may take (2000)")
    .option("--json", "print one JSON object")
    .action(async (options) => {
      finish(await (await import("../memory.ts")).show(options, context.environment));
    });
}

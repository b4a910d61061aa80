/**
 * The commands of `m31a session`, registered.
 * Rule: as in program.ts, each action imports the file that does the work.
 */
import { Argument, type Command, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import type { ExitCode } from "../../platform/errors.ts";
import type { CommandContext } from "../command_context.ts";

/** Adds `session` and its commands to `command`. */
export function addSessionCommands(
  command: Command,
  program: { exitCode: ExitCode },
  context: CommandContext,
): void {
  const session = command.command("session")
    .description("list, read, check, copy and remove sessions");
  const id = () => new Argument("<session>", "the session's id, or the beginning of it");
  const idOrNewest = () =>
    new Argument("[session]", "its id, or the beginning of it; the one used last by default");

  session.command("list")
    .description("list the sessions that were used last")
    .option("--all", "list every session")
    .option("--json", "print a JSON object a line")
    .action(async (options) => {
      program.exitCode = (await import("./list.ts")).run(options, context);
    });
  session.command("show")
    .description("print a session to read")
    .addArgument(idOrNewest())
    .option("--full", "print all of what tools were given and printed")
    .option("--json", "print its records, a JSON object a line")
    .action(async (id, options) => {
      program.exitCode = await (await import("./show.ts")).run(id, options, context);
    });
  session.command("rename")
    .description("call a session something else in lists; an empty title takes that back")
    .argument("<title>", "what to call it, in quotes")
    .addArgument(idOrNewest())
    .action(async (title, id) => {
      program.exitCode = (await import("./rename.ts")).run(id, title);
    });
  session.command("search")
    .description("find where something was said: literally, in any case")
    .argument("<text>", "the text to look for")
    .option("--json", "print a JSON object a line")
    .action(async (text, options) => {
      program.exitCode = await (await import("./search.ts")).run(text, options, context);
    });
  session.command("verify")
    .description("check every line of a session, or of all; exit code 3 when one is damaged")
    .argument("[session]", "the session's id, or the beginning of it")
    .option("--json", "print a JSON object a line")
    .action(async (id, options) => {
      program.exitCode = await (await import("./verify.ts")).run(id, options);
    });
  session.command("export")
    .description("write a session as one document")
    .addArgument(idOrNewest())
    .addOption(
      new Option("--format <format>", "the document's format")
        .choices(["json", "md", "html"] as const).default("md" as const),
    )
    .option("-o, --output <file>", "a new file below planning/ (stdout by default)")
    .action(async (id, options) => {
      program.exitCode = await (await import("./export.ts")).run(id, options);
    });
  session.command("close")
    .description("end a session that is not to be shipped: the ledger tells it as abandoned")
    .argument(
      "[session]",
      "the session, by its id or the beginning of it; by default the newest with a goal",
    )
    .action(async (id) => {
      program.exitCode = await (await import("./close.ts")).run(id, context);
    });
  session.command("fork")
    .description("begin a new session with the turns of another")
    .addArgument(id())
    .option("--turn <number>", "the last turn to take over (all by default)", parseTurn)
    .action(async (id, options) => {
      program.exitCode = await (await import("./fork.ts")).run(id, options);
    });
  session.command("repair")
    .description("cut an unfinished end off a session's log; a copy is kept")
    .addArgument(id())
    .action(async (id) => {
      program.exitCode = await (await import("./repair.ts")).run(id);
    });
  session.command("salvage")
    .description("copy what is good of a damaged session into a new one")
    .addArgument(id())
    .action(async (id) => {
      program.exitCode = await (await import("./salvage.ts")).run(id);
    });
  session.command("rm")
    .description("remove a session for good")
    .addArgument(idOrNewest())
    .option("--yes", "do not ask")
    .action(async (id, options) => {
      program.exitCode = await (await import("./rm.ts")).run(id, options, context);
    });
}

function parseTurn(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("a turn is a number from 1 on.");
  return Number(text);
}

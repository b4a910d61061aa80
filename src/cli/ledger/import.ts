/**
 * `m31a ledger import`: sessions of other agents, and entries of other ledgers, into the project's own.
 * Rule: nothing is written before all of it was read and understood; what is there already is not added again.
 */
import { readTrustedConfiguration } from "../../agent/configuration.ts";
import { projectName } from "../../git/project.ts";
import { Git } from "../../git/run.ts";
import type { LedgerEntry } from "../../ledger/entry.ts";
import { LedgerDamaged } from "../../ledger/errors.ts";
import { appendEntry, entryOfLine } from "../../ledger/ledger.ts";
import { readLines } from "../../platform/byte_lines.ts";
import { foreignEntry } from "../../ledger/other_agents/foreign_session.ts";
import { readTranscripts, TRANSCRIPTS } from "../../ledger/other_agents/transcripts.ts";
import { type ExitCode, UsageError } from "../../platform/errors.ts";
import { naming } from "../../platform/files.ts";
import { decodeLossy } from "../../platform/text.ts";
import { entryAuthor } from "../../ship/author.ts";
import { printLine } from "../../platform/output.ts";
import type { CommandContext } from "../command_context.ts";

/** What a ledger's own lines are called as a source. */
const OWN = "m31a";

/** Adds what `source` (a file, or `-` for standard input) holds, and says how much was new. */
export async function run(
  source: string,
  options: { from?: string | undefined },
  context: CommandContext,
): Promise<ExitCode> {
  const from = options.from ?? OWN;
  const kind = TRANSCRIPTS.find((known) => known === from);
  if (kind === undefined && from !== OWN) {
    throw new UsageError(`--from ${from}: is one of ${[OWN, ...TRANSCRIPTS].join(", ")}.`);
  }
  const name = source === "-" ? "standard input" : source;
  const lines = readAll(source);
  let entries: LedgerEntry[];
  let unreadable = 0;
  if (kind === undefined) {
    entries = lines.map((text, index) =>
      entryOfLine({ bytes: new TextEncoder().encode(text), number: index + 1 }, name)
    );
  } else {
    const root = Deno.realPathSync(".");
    const read = readTranscripts(kind, lines, root);
    const { ledger } = await readTrustedConfiguration(root, context.environment);
    const author = await entryAuthor(new Git(root, context.environment), ledger.author);
    const project = await projectName(root, context.environment);
    entries = read.sessions.map((session) => foreignEntry(session, project, author));
    unreadable = read.unreadable;
  }
  let added = 0;
  for (const entry of entries) if (await appendEntry(".", entry)) added++;
  printLine(`${name}: ${entries.length} sessions, ${added} of them new`);
  if (unreadable > 0) printLine(`${name}: ${unreadable} lines are no JSON and were passed over`);
  return 0;
}

function readAll(source: string): string[] {
  const file = source === "-"
    ? Deno.stdin
    : naming(source, "open", () => Deno.openSync(source, { read: true }));
  try {
    const lines: string[] = [];
    for (const line of readLines(file)) lines.push(decodeLossy(line.bytes));
    return lines;
  } catch (error) {
    if (error instanceof LedgerDamaged) throw error;
    return naming(source, "read", () => {
      throw error;
    });
  } finally {
    if (source !== "-") file.close();
  }
}

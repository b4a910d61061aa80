/** `m31a session list`: a table at a terminal, one session a line into a pipe. */
import type { ExitCode } from "../../platform/errors.ts";
import { stripControlSequences } from "../../platform/text.ts";
import { listSessions, type SessionSummary } from "../../session/catalog.ts";
import { printLine } from "../../platform/output.ts";
import type { CommandContext } from "../command_context.ts";
import { createPaint, wantsColour } from "../../faces/terminal/ansi.ts";
import { oneLine, truncate } from "../../faces/terminal/width.ts";
import { jsonLine } from "../../platform/json_line.ts";
import { ROOT } from "./names.ts";

/** How many sessions are listed unless all are asked for. */
const NEWEST = 50;

/** How much of a title goes into a pipe, in columns. */
const TITLE_COLUMNS = 200;

/** Prints the newest sessions, newest first. */
export function run(
  options: { all?: true | undefined; json?: true | undefined },
  context: CommandContext,
): ExitCode {
  const limit = options.all ? Infinity : NEWEST;
  const sessions = listSessions(ROOT, limit);
  if (options.json) { for (const session of sessions) printLine(jsonLine(session)); }
  else if (Deno.stdout.isTerminal()) printTable(sessions, context);
  else printRows(sessions);
  if (sessions.length === limit) console.error(`the newest ${limit}; --all lists every session`);
  if (sessions.length === 0) console.error("no sessions yet; `m31a chat` begins one");
  return 0;
}

function printRows(sessions: readonly SessionSummary[]): void {
  for (const { id, updatedAt, sizeBytes, title } of sessions) {
    const when = updatedAt?.toISOString() ?? "";
    printLine([id, when, sizeBytes, titleOf(title, TITLE_COLUMNS)].join("\t"));
  }
}

function printTable(sessions: readonly SessionSummary[], { environment }: CommandContext): void {
  const paint = createPaint(wantsColour(true, environment));
  const width = Deno.consoleSize().columns;
  for (const { id, updatedAt, sizeBytes, title, epochs } of sessions) {
    const when = updatedAt === undefined ? "" : localMinute(updatedAt);
    const facts = `${when.padEnd(16)} ${sizeOf(sizeBytes).padStart(7)}`;
    const room = width - id.length - facts.length - 4;
    const shown = epochs === 0 ? "(no log: killed while it was made?)" : titleOf(title, room);
    printLine(`${paint(id, "bold")}  ${paint(facts, "dim")}  ${shown}`);
  }
}

function titleOf(title: string, columns: number): string {
  return truncate(oneLine(stripControlSequences(title)).replaceAll("\t", " "), columns);
}

/** `2026-01-31 09:05`, in the user's time zone. */
function localMinute(time: Date): string {
  const two = (number: number) => String(number).padStart(2, "0");
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join("-");
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`;
}

function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(0)} kB`;
  if (bytes < 1e9) return `${(bytes / 1e6).toFixed(0)} MB`;
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

/** `m31a session search TEXT`: where something was said, newest session first. */
import type { ExitCode } from "../../platform/errors.ts";
import { stripControlSequences } from "../../platform/text.ts";
import { UsageError } from "../../platform/errors.ts";
import { listSessionIds } from "../../session/layout.ts";
import { verifySession } from "../../session/verify.ts";
import { searchSession } from "../../session/search.ts";
import { printLine } from "../../platform/output.ts";
import type { CommandContext } from "../command_context.ts";
import { createPaint, wantsColour } from "../../faces/terminal/ansi.ts";
import { jsonLine } from "../../platform/json_line.ts";
import { ROOT } from "./names.ts";

/** How much of a line is shown around the match, in characters. */
const SHOWN = 120;

/** Prints each match; resolves to 1 when there is none, as grep does. */
export async function run(
  text: string,
  options: { json?: true | undefined },
  { environment }: CommandContext,
): Promise<ExitCode> {
  if (text === "") throw new UsageError("give a text to search for: m31a session search TEXT");
  const paint = createPaint(wantsColour(Deno.stdout.isTerminal(), environment));
  let matches = 0;
  const skip = (why: string) => console.error(`m31a: skipped ${stripControlSequences(why)}`);
  for (const id of listSessionIds(ROOT).reverse()) {
    const before = matches;
    for (const match of searchSession(ROOT, id, text, skip)) {
      matches += 1;
      const { session, turn, source } = match;
      const line = stripControlSequences(excerpt(match.line, text)).replaceAll("\n", " ");
      const place = `${session} turn ${turn} ${stripControlSequences(source)}:`;
      printLine(options.json ? jsonLine(match) : `${paint(place, "dim")} ${line}`);
    }
    if (matches > before) await warnOfDamage(id);
  }
  if (matches === 0) console.error(`no session holds ${JSON.stringify(text)}`);
  return matches === 0 ? 1 : 0;
}

/** Searching is no verification: whether what was found is what was written is asked of those that hold it. */
async function warnOfDamage(id: string): Promise<void> {
  for (const { damage } of await verifySession(ROOT, id)) {
    if (damage === undefined) continue;
    console.error(
      `m31a: what was found in ${id} may not be what was said: ${stripControlSequences(damage)}`,
    );
  }
}

/** The part of `line` that is around `text`. */
function excerpt(line: string, text: string): string {
  if (line.length <= SHOWN) return line.trim();
  const at = Math.max(0, line.toLowerCase().indexOf(text.toLowerCase()));
  const start = Math.max(0, Math.min(at - Math.floor(SHOWN / 3), line.length - SHOWN));
  const end = Math.max(start + SHOWN, at + text.length);
  const part = line.slice(start, end).toWellFormed().replace(/^\ufffd|\ufffd$/g, "").trim();
  return `${start > 0 ? "…" : ""}${part}${end < line.length ? "…" : ""}`;
}

/** `m31a session show ID`: a session to read, or its records for a program. */
import type { ExitCode } from "../../platform/errors.ts";
import { readSession } from "../../session/session_reader.ts";
import { printLine, write } from "../../platform/output.ts";
import type { CommandContext } from "../command_context.ts";
import { plainFormat } from "../render/plain.ts";
import { Transcript } from "../render/transcript.ts";
import { createPaint, wantsColour } from "../../faces/terminal/ansi.ts";
import { jsonLine } from "../../platform/json_line.ts";
import { usedText } from "../../app/telling/used_text.ts";
import { findSession, ROOT } from "./names.ts";

/** Prints the session; when it is damaged, what is good of it, and then the error. */
export async function run(
  prefix: string | undefined,
  options: { full?: true | undefined; json?: true | undefined },
  { environment }: CommandContext,
): Promise<ExitCode> {
  const id = findSession(prefix);
  const paint = createPaint(wantsColour(Deno.stdout.isTerminal(), environment));
  const format = plainFormat(paint, options.full === true);
  const transcript = new Transcript();
  const { totals } = await readSession(ROOT, id, (record, baseline) => {
    if (options.json) return printLine(jsonLine({ epoch: baseline.epoch, ...record }));
    for (const entry of transcript.entriesOf(record, baseline)) write(format.entry(entry));
  });
  if (!options.json) printLine(paint(`Used: ${usedText(totals)}`, "dim"));
  return 0;
}

/** A log that somebody wrote anew: its chain is whole, what it says is not what happened. */
import { encodeRecord, linkTo } from "../../src/session/line.ts";
import type { SessionRecord } from "../../src/session/records.ts";
import type { Project } from "../support/project.ts";

/** Rewrites the log of the project's only session, each record as `change` gives it back. */
export function rewriteLog(
  project: Project,
  change: (record: SessionRecord) => SessionRecord,
): void {
  const path = project.sessionFile("0.jsonl");
  let position = {
    seq: 1,
    prev: linkTo(Deno.readFileSync(project.sessionFile("0.baseline.json"))),
  };
  const records: SessionRecord[] = Deno.readTextFileSync(path).trimEnd().split("\n")
    .map((line) => JSON.parse(line));
  const lines = records.map((record) => {
    const { seq: _seq, prev: _prev, ...draft } = change(record);
    const { line } = encodeRecord(draft, position, new Date(0));
    position = { seq: position.seq + 1, prev: linkTo(line) };
    return `${line}\n`;
  });
  Deno.writeTextFileSync(path, lines.join(""));
}

/**
 * Which content of which file the model has seen.
 * Rule: a fold over the results of tools, so that it survives a restart.
 */
import type { CallOutcome } from "../session/outcome.ts";
import type { Fold, SessionRecord } from "../session/records.ts";

/** SHA-256 of the content last seen, by path relative to the root. */
export class SeenFiles extends Map<string, string> implements Fold {
  apply(record: SessionRecord): void {
    if (record.type === "tool_result") noteSeen(this, record.outcome);
  }
}

/** Takes what a call has shown into `seenFiles`. */
export function noteSeen(
  seenFiles: Map<string, string>,
  outcome: CallOutcome | undefined,
): void {
  if (outcome?.kind !== "read" && outcome?.kind !== "change") return;
  for (const [path, sha256] of Object.entries(outcome.seen)) {
    if (sha256 === null) seenFiles.delete(path);
    if (sha256 !== null) seenFiles.set(path, sha256);
  }
}

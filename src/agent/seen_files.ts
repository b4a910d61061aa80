/**
 * Which content of which file the model has seen.
 * Rule: a fold over the results of tools, so that it survives a restart.
 */
import type { JsonValue } from "../platform/canonical_json.ts";
import type { Fold, SessionRecord } from "../session/records.ts";

/** The name of the fact in which a tool says what it has shown: SHA-256 by path. */
export const SEEN_FACT = "seen";

/** SHA-256 of the content last seen, by path relative to the root. */
export class SeenFiles extends Map<string, string> implements Fold {
  apply(record: SessionRecord): void {
    if (record.type === "tool_result") noteSeen(this, record.facts?.[SEEN_FACT]);
  }
}

/** Takes the fact {@linkcode SEEN_FACT} into `seenFiles`. */
export function noteSeen(seenFiles: Map<string, string>, seen: JsonValue | undefined): void {
  if (seen === undefined || seen === null || typeof seen !== "object") return;
  for (const [path, sha256] of Object.entries(seen)) {
    if (typeof sha256 === "string") seenFiles.set(path, sha256);
    if (sha256 === null) seenFiles.delete(path);
  }
}

/**
 * What was typed into earlier chats of this project, for the arrow keys.
 * Rule: private, like the transcripts beside it; a history that cannot be read or written is no history, never an error.
 */
import { join } from "@std/path";
import {
  createFileDurably,
  pathExists,
  readTextIfExists,
  refuseSymlinks,
  writeAllSync,
} from "../../../platform/files.ts";
import { ensureSessionsDirectory, SESSIONS } from "../../../session/layout.ts";
import type { HistoryStore } from "../line_editor.ts";

/** How many entries are offered. */
const MAX_ENTRIES = 1000;

/** The history of the project at `root`: `sessions/history.jsonl`, a JSON string a line. */
export function chatHistory(root: string): HistoryStore {
  const path = join(root, SESSIONS, "history.jsonl");
  return {
    load: () => orNothing(() => parseEntries(readTextIfExists(path) ?? "")) ?? [],
    save: (entry) => {
      orNothing(() => {
        ensureSessionsDirectory(root);
        refuseSymlinks(root, `${SESSIONS}/history.jsonl`);
        appendLine(path, `${JSON.stringify(entry)}\n`);
      });
    },
  };
}

function parseEntries(text: string): string[] {
  const entries: string[] = [];
  for (const line of text.split("\n").slice(-MAX_ENTRIES - 1)) {
    const entry = orNothing(() => JSON.parse(line));
    if (typeof entry === "string") entries.push(entry);
  }
  return entries;
}

function appendLine(path: string, line: string): void {
  if (!pathExists(path)) createFileDurably(path, new Uint8Array(0));
  using file = Deno.openSync(path, { append: true });
  writeAllSync(file, new TextEncoder().encode(line));
}

function orNothing<T>(operation: () => T): T | undefined {
  try {
    return operation();
  } catch {
    return undefined;
  }
}

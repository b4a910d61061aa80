/**
 * The list of a project's sessions.
 * Rule: it reads the beginning of each log and nothing more, so that ten thousand sessions list at once.
 */
import { existsSync } from "node:fs";
import { join } from "@std/path";
import { listEpochs, listSessionIds, logPath } from "./layout.ts";

/** A session in a list. */
export interface SessionSummary {
  id: string;
  /** The goal that it began with, or the first thing that was said; empty when nothing was. */
  title: string;
  /** When its newest epoch was last written to; undefined when it has no log. */
  updatedAt: Date | undefined;
  /** The bytes of its newest epoch's log. */
  sizeBytes: number;
  /** How many epochs it has; 0 when it was killed while it was made, or cannot be read. */
  epochs: number;
}

/** How much of a log is read for its title. */
const HEAD_BYTES = 1024;

/** The newest `limit` sessions, newest first; all of them by default. */
export function listSessions(root: string, limit = Infinity): SessionSummary[] {
  const ids = listSessionIds(root);
  return ids.slice(Math.max(0, ids.length - limit)).reverse().map((id) => summarize(root, id));
}

function summarize(root: string, id: string): SessionSummary {
  try {
    return summarizeSoundly(root, id);
  } catch (error) {
    // Removed while we looked, or not readable: it is listed, and opening it will say what is wrong.
    if (!(error instanceof Error)) throw error;
    return { id, title: "", updatedAt: undefined, sizeBytes: 0, epochs: 0 };
  }
}

function summarizeSoundly(root: string, id: string): SessionSummary {
  const first = join(root, logPath(id, 0));
  const firstInfo = Deno.lstatSync(first);
  const title = firstInfo.isFile ? readTitle(first) : "";
  // Most sessions have one epoch, and asking for the second is quicker than reading the folder.
  const epochs = existsSync(join(root, logPath(id, 1))) ? listEpochs(root, id).length : 1;
  const newest = epochs === 1 ? firstInfo : Deno.lstatSync(join(root, logPath(id, epochs - 1)));
  return { id, title, updatedAt: newest.mtime ?? undefined, sizeBytes: newest.size, epochs };
}

const head = new Uint8Array(HEAD_BYTES);
const decoder = new TextDecoder();

/** The text of the first goal or user message among the first records. It is a title: not checked against the chain. */
function readTitle(path: string): string {
  const file = Deno.openSync(path);
  try {
    const text = decoder.decode(head.subarray(0, file.readSync(head) ?? 0));
    const start = text.search(/"type":"(?:goal|user)"/);
    return start === -1 ? "" : firstText(text.slice(start));
  } finally {
    file.close();
  }
}

function firstText(json: string): string {
  const match = /"text":"((?:[^"\\]|\\.)*)/.exec(json);
  if (match === null) return "";
  try {
    return JSON.parse(`"${match[1]}"`);
  } catch {
    return match[1] ?? "";
  }
}

/**
 * The ids of the `limit` sessions that were begun last, newest first. Ids tell seconds: of those begun
 * in the same one, the one written to last is the newest.
 */
export function newestSessionIds(root: string, limit: number): string[] {
  const ids = listSessionIds(root);
  const oldest = secondOf(ids.at(-limit) ?? ids[0] ?? "");
  return ids.filter((id) => secondOf(id) >= oldest)
    .map((id) => ({ id, writtenMs: summarize(root, id).updatedAt?.getTime() ?? 0 }))
    .sort((a, b) => secondOf(a.id).localeCompare(secondOf(b.id)) || a.writtenMs - b.writtenMs)
    .map(({ id }) => id)
    .slice(-limit)
    .reverse();
}

function secondOf(id: string): string {
  return id.slice(0, "YYYYMMDD-HHMMSS".length);
}

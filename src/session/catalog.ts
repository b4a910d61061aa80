/**
 * The list of a project's sessions.
 * Rule: it reads the beginning of each log and nothing more, so that ten thousand sessions list at once.
 */
import { join } from "@std/path";
import { listSessionIds, logPath, sessionDirectory } from "./layout.ts";

/** A session in a list. */
export interface SessionSummary {
  id: string;
  /** The first thing that was said; empty when nothing was. */
  title: string;
  /** When its newest epoch was last written to; undefined when it has no log. */
  updatedAt: Date | undefined;
  /** The bytes of its newest epoch's log. */
  sizeBytes: number;
  /** How many epochs it has; 0 when it was killed while it was made. */
  epochs: number;
}

/** How much of a log is read for its title. */
const HEAD_BYTES = 4096;

/** The newest `limit` sessions, newest first; all of them by default. */
export function listSessions(root: string, limit = Infinity): SessionSummary[] {
  const ids = listSessionIds(root);
  return ids.slice(Math.max(0, ids.length - limit)).reverse().map((id) => summarize(root, id));
}

function summarize(root: string, id: string): SessionSummary {
  const epochs = countEpochs(join(root, sessionDirectory(id)));
  if (epochs === 0) return { id, title: "", updatedAt: undefined, sizeBytes: 0, epochs };
  try {
    const newest = Deno.lstatSync(join(root, logPath(id, epochs - 1)));
    const title = newest.isFile ? readTitle(join(root, logPath(id, 0))) : "";
    return { id, title, updatedAt: newest.mtime ?? undefined, sizeBytes: newest.size, epochs };
  } catch (error) {
    // Removed while we looked, or not readable: it is listed, and opening it will say what is wrong.
    if (error instanceof Error) {
      return { id, title: "", updatedAt: undefined, sizeBytes: 0, epochs };
    }
    throw error;
  }
}

function countEpochs(directory: string): number {
  try {
    let epochs = 0;
    for (const entry of Deno.readDirSync(directory)) {
      if (/^\d+\.jsonl$/.test(entry.name)) epochs += 1;
    }
    return epochs;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return 0;
    throw error;
  }
}

const head = new Uint8Array(HEAD_BYTES);
const decoder = new TextDecoder();

/** The text of the first user message among the first records. It is a title: not checked against the chain. */
function readTitle(path: string): string {
  const file = Deno.openSync(path);
  try {
    const text = decoder.decode(head.subarray(0, file.readSync(head) ?? 0));
    const start = text.indexOf('"type":"user"');
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

/**
 * The list of a project's sessions.
 * Rule: it reads the beginning of each log that is listed and nothing more, so that ten thousand sessions list at once.
 */
import { existsSync } from "node:fs";
import { join } from "@std/path";
import { systemClock } from "../platform/clock.ts";
import { beganMsOf } from "./session_id.ts";
import { givenTitle } from "./title.ts";
import { listEpochs, listSessionIds, logPath } from "./layout.ts";

/** A session in a list. */
export interface SessionSummary {
  id: string;
  /** What the user called it, the goal that it began with, or the first thing that was said; empty when nothing was. */
  title: string;
  /** When its newest epoch was last written to; undefined when it has no log. */
  updatedAt: Date | undefined;
  /** The bytes of its newest epoch's log. */
  sizeBytes: number;
  /** How many epochs it has; 0 when it was killed while it was made, or cannot be read. */
  epochs: number;
}

/** Times on a network's disk may be a little ahead of this machine's. */
const CLOCK_LEEWAY_MS = 60_000;

/** How much of a log is read for its title. */
const HEAD_BYTES = 1024;

/** The `limit` sessions that were used last, newest first; all of them by default. */
export function listSessions(root: string, limit = Infinity): SessionSummary[] {
  return usedLast(root, limit).map((use) => ({ ...use, title: titleOf(root, use.id) }));
}

/** The ids of the `limit` sessions that were used last, newest first. */
export function newestSessionIds(root: string, limit: number): string[] {
  return usedLast(root, limit).map(({ id }) => id);
}

type Use = Omit<SessionSummary, "title">;

function usedLast(root: string, limit: number): Use[] {
  const nowMs = systemClock.now().getTime();
  return listSessionIds(root).map((id) => useOf(root, id))
    .map((use) => ({ use, usedMs: usedMsOf(use, nowMs) }))
    .sort((a, b) => b.usedMs - a.usedMs || (a.use.id < b.use.id ? 1 : -1))
    .slice(0, limit)
    .map(({ use }) => use);
}

/**
 * When a session was used last: when its log was written to, or where it has none when it was begun. What is yet to come
 * was said by a clock that was wrong: such a session is newer than none.
 */
function usedMsOf({ id, updatedAt }: Use, nowMs: number): number {
  const times = [updatedAt?.getTime(), beganMsOf(id)];
  return times.find((ms) => ms !== undefined && ms <= nowMs + CLOCK_LEEWAY_MS) ?? 0;
}

function useOf(root: string, id: string): Use {
  try {
    const first = Deno.lstatSync(join(root, logPath(id, 0)));
    // Most sessions have one epoch, and asking for the second is quicker than reading the folder.
    const epochs = existsSync(join(root, logPath(id, 1))) ? listEpochs(root, id).length : 1;
    const newest = epochs === 1 ? first : Deno.lstatSync(join(root, logPath(id, epochs - 1)));
    return { id, updatedAt: newest.mtime ?? undefined, sizeBytes: newest.size, epochs };
  } catch (error) {
    // Removed while we looked, or not readable: it is listed, and opening it will say what is wrong.
    if (!(error instanceof Error)) throw error;
    return { id, updatedAt: undefined, sizeBytes: 0, epochs: 0 };
  }
}

/** The title of a session: what the user called it, else the first goal or message; empty where there is none, or it cannot be read. */
export function titleOf(root: string, id: string): string {
  try {
    const given = givenTitle(root, id);
    if (given !== undefined) return given;
    const first = join(root, logPath(id, 0));
    return Deno.lstatSync(first).isFile ? readTitle(first) : "";
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return "";
  }
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

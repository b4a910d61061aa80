/**
 * A session that another agent did, as an entry of the ledger.
 * Rule: pure; what is not known is zero, null or `unknown`, never guessed; the same session gives the same entry.
 */
import { createHash } from "node:crypto";
import { extname } from "@std/path";
import { type LedgerEntry, MAX_FILES } from "../entry.ts";

/** What is known of another agent's session. */
export interface ForeignSession {
  /** The program: `claude-code`, `codex`. */
  agent: string;
  /** Its own id of the session. */
  id: string;
  goal: string;
  /** As the program names it; empty where it does not say. */
  model: string;
  startedMs: number;
  endedMs: number;
  /** Time in which it worked. */
  workingMs: number;
  requests: number;
  /** All tokens of the prompts, those from the provider's cache among them. */
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** In US dollars; undefined where the program does not say. */
  cost: number | undefined;
  outcome: LedgerEntry["outcome"];
  /** Paths that it changed, relative to the project. */
  files: readonly string[];
  commit: string | null;
}

/** The entry of a session in a project. */
export function foreignEntry(
  session: ForeignSession,
  project: string,
  author: string | null,
): LedgerEntry {
  const digest = createHash("sha256").update(`${session.agent}\0${session.id}`).digest("hex");
  const started = new Date(session.startedMs).toISOString();
  const files = [...new Set(session.files.map((path) => path.toWellFormed()))].sort();
  const tokens = {
    requests: session.requests,
    input: session.input,
    output: session.output,
    cacheRead: session.cacheRead,
    cacheWrite: session.cacheWrite,
    cost: session.cost ?? 0,
  };
  return {
    version: 2,
    id: uuidOf(digest),
    session: `${started.slice(0, 10).replaceAll("-", "")}-${
      started.slice(11, 19).replaceAll(":", "")
    }-${digest.slice(32, 36)}`,
    attempt: 1,
    author,
    agent: session.agent.toWellFormed(),
    outcome: session.outcome,
    project: { name: project.toWellFormed(), type: "unknown", framework: null },
    model: session.model === "" ? `${session.agent}:unknown` : session.model.toWellFormed(),
    started,
    ended: new Date(session.endedMs).toISOString(),
    workingMs: Math.round(session.workingMs),
    usage: { ...tokens, source: session.cost === undefined ? "none" : "reported" },
    inherited: [],
    tasks: { total: 0, done: 0, failed: 0, skipped: 0 },
    heals: 0,
    phases: {
      chat: {
        ms: Math.round(session.workingMs),
        requests: session.requests,
        tokens: session.input + session.output,
        cost: session.cost ?? 0,
      },
    },
    extensions: extensionsOf(files),
    memory: { blocks: [], commits: [], tokens: 0 },
    failures: [],
    checks: [],
    diff: {
      added: 0,
      modified: files.length,
      deleted: 0,
      renamed: 0,
      binary: 0,
      insertions: 0,
      deletions: 0,
    },
    files: files.slice(0, MAX_FILES),
    base: null,
    commit: session.commit,
    goal: session.goal.toWellFormed(),
    proved: null,
  };
}

/** A UUID of digits (RFC 9562, version 8). */
function uuidOf(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${
    hex.slice(20, 32)
  }`;
}

function extensionsOf(files: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const path of files) {
    const extension = extname(path);
    const name = /^\.[^/]+$/.test(extension) ? extension : "";
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

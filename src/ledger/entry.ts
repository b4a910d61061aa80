/**
 * A ledger entry: its fields, their units, and its one line of JSON.
 * Rule: equal entries give equal bytes, with the keys in the order of docs/ledger-format.md.
 */
import { z } from "zod";
import { CAUSES, COST_SOURCES, OUTCOMES, type Phase, PHASES } from "./names.ts";

/** The entry format that this code writes, and the newest that it reads. */
const ENTRY_VERSION = 1;

/** A session's id: `YYYYMMDD-HHMMSS-xxxx`. */
export const SESSION_ID = /^\d{8}-\d{6}-[0-9a-f]{4}$/;

const count = z.int().nonnegative();
const text = z.string().refine((value) => value.isWellFormed(), "holds half a surrogate pair");
const cost = z.number().nonnegative();
const sessionId = z.string().regex(SESSION_ID, "is not a session id (YYYYMMDD-HHMMSS-xxxx)");
const extension = text.regex(/^(\.[^/]+)?$/, "is not an extension like .ts");
const commitId = z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/, "is not a full commit id");
const instant = z.string().regex(
  /^\d{4}-(0\d|1[0-2])-([0-2]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/,
  "is not a time like 2026-11-29T23:12:05.000Z",
);

/** Tokens as the provider counts them: `cacheRead` and `cacheWrite` are parts of `input`. `cost` is in US dollars. */
const tokens = {
  requests: count,
  input: count,
  output: count,
  cacheRead: count,
  cacheWrite: count,
  cost,
};

const phase = z.strictObject({ ms: count, requests: count, tokens: count, cost });

const failure = z.strictObject({
  cause: z.enum(CAUSES),
  /** How often healing was tried. */
  heals: count,
  /** Whether the task passed in the end. */
  healed: z.boolean(),
  task: text,
  detail: text,
});

const check = z.strictObject({ name: text, passed: z.boolean(), ms: count });

const diff = z.strictObject({
  added: count,
  modified: count,
  deleted: count,
  renamed: count,
  binary: count,
  insertions: count,
  deletions: count,
});

/** One finished session, whatever its end. */
export const entrySchema = z.strictObject({
  version: z.literal(ENTRY_VERSION),
  session: sessionId,
  /** 1 for the first time that the session ended, 2 when it was resumed and ended again, and so on. */
  attempt: z.int().positive(),
  outcome: z.enum(OUTCOMES),
  project: z.strictObject({ name: text, type: text, framework: text.nullable() }),
  /** `provider:name`. */
  model: text,
  started: instant,
  ended: instant,
  /** Milliseconds in which m31a worked: wall time without waiting for the user. */
  workingMs: count,
  /** The requests that this session sent since its previous attempt's entry. */
  usage: z.strictObject({ ...tokens, source: z.enum(COST_SOURCES) }),
  /** For a fork: what the sessions it came from had sent before the fork, one item for each of them. */
  inherited: z.array(z.strictObject({ session: sessionId, ...tokens })),
  tasks: z.strictObject({ total: count, done: count, failed: count, skipped: count }),
  heals: count,
  phases: z.partialRecord(z.enum(PHASES), phase),
  /** Changed files by extension (`.ts`; the empty name for files without one). */
  extensions: z.record(extension, count),
  /** The memory blocks that the session's digest gave, by session id, and the digest's size in tokens. */
  memory: z.strictObject({ blocks: z.array(sessionId), tokens: count }),
  failures: z.array(failure),
  checks: z.array(check),
  diff,
  /** Paths of changed files, sorted, the first {@linkcode MAX_FILES} of them. */
  files: z.array(text),
  base: commitId.nullable(),
  commit: commitId.nullable(),
  goal: text,
});

/** One finished session, whatever its end. */
export type LedgerEntry = z.infer<typeof entrySchema>;

/** How many changed paths an entry keeps. */
export const MAX_FILES = 50;

/** What makes an entry the same as another: it counts once however often it appears. */
export function entryKey(entry: Pick<LedgerEntry, "session" | "attempt">): string {
  return `${entry.session}#${entry.attempt}`;
}

/**
 * Writes an entry as one line of JSON, without the newline: keys in the documented order, phases in
 * the order of a session, extensions and files sorted, costs to the nanodollar.
 *
 * @throws {z.ZodError} when a field is not what {@linkcode entrySchema} says, or holds half a surrogate pair
 */
export function encodeEntry(entry: LedgerEntry): string {
  const valid = entrySchema.parse(entry);
  return JSON.stringify({
    ...valid,
    usage: { ...valid.usage, cost: nanodollars(valid.usage.cost) },
    inherited: valid.inherited.map((item) => ({ ...item, cost: nanodollars(item.cost) })),
    phases: orderedPhases(valid.phases),
    extensions: Object.fromEntries(
      Object.entries(valid.extensions).sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
    files: valid.files.toSorted().slice(0, MAX_FILES),
  });
}

function nanodollars(cost: number): number {
  return Number(cost.toFixed(9));
}

function orderedPhases(phases: LedgerEntry["phases"]): LedgerEntry["phases"] {
  const ordered: LedgerEntry["phases"] = {};
  for (const name of PHASES satisfies readonly Phase[]) {
    const value = phases[name];
    if (value !== undefined) ordered[name] = { ...value, cost: nanodollars(value.cost) };
  }
  return ordered;
}

/** What {@linkcode decodeEntry} gives: the entry, or why the line is none. */
export type DecodedEntry = { entry: LedgerEntry } | { why: string };

/** Reads one line of a ledger. A line that is no entry gives the reason, in words for the user. */
export function decodeEntry(line: string): DecodedEntry {
  if (/^(<{7}|={7}|>{7}|\|{7})/.test(line)) {
    return {
      why:
        "a conflict marker that git left. Remove the marker lines and keep the entries of both sides",
    };
  }
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { why: line.trim() === "" ? "an empty line" : "not a line of JSON" };
  }
  const version = versionOf(value);
  if (version > ENTRY_VERSION) {
    return {
      why:
        `an entry of version ${version}; this m31a reads up to version ${ENTRY_VERSION}. Update m31a`,
    };
  }
  const result = entrySchema.safeParse(value);
  if (result.success) return { entry: result.data };
  const issue = result.error.issues[0];
  return { why: `not an entry: ${issue?.path.join(".") || "it"}: ${issue?.message ?? "invalid"}` };
}

function versionOf(value: unknown): number {
  if (typeof value !== "object" || value === null || !("version" in value)) return 0;
  return typeof value.version === "number" ? value.version : 0;
}

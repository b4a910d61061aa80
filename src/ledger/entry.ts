/**
 * A ledger entry: its fields, their units, and its one line of JSON.
 * Rule: equal entries give equal bytes, with the keys in the order of docs/ledger-format.md.
 */
import { z } from "zod";
import { CAUSES, COST_SOURCES, OUTCOMES, type Phase, PHASES } from "./names.ts";

/** The entry format that this code writes, and the newest that it reads. */
const ENTRY_VERSION = 2;

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

const OUTCOMES_OF_VERSION_1 = ["shipped", "failed", "abandoned"] as const;
const head = {
  session: sessionId,
  /** 1 for the first time that the session ended, 2 when it was resumed and ended again, and so on. */
  attempt: z.int().positive(),
};
const headOfVersion2 = {
  version: z.literal(ENTRY_VERSION),
  /** Random, so that the sessions of two machines are never taken for one. */
  id: z.uuid().refine((id) => id === id.toLowerCase(), "is in lower case"),
  ...head,
  /** Who worked: a name or a hash of one; null where it is not to be said. */
  author: text.min(1).nullable(),
  /** The program that worked. */
  agent: text.min(1),
  outcome: z.enum(OUTCOMES),
};
const blocks = z.array(sessionId);

const body = {
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
  /** What the session's digest gave that bears on its goal: sessions, commits; and the digest's size in tokens. */
  memory: z.strictObject({ blocks, commits: z.array(commitId), tokens: count }),
  failures: z.array(failure),
  checks: z.array(check),
  /** What is to be known of the verification besides that the checks passed; left out where there is nothing. */
  caveats: z.array(text).exactOptional(),
  diff,
  /** Paths of changed files, sorted, the first {@linkcode MAX_FILES} of them. */
  files: z.array(text),
  base: commitId.nullable(),
  commit: commitId.nullable(),
  goal: text,
};

const proof = z.strictObject({
  /** The tree on which the checks passed, which is the commit's; null when it was not proved. */
  tree: commitId.nullable(),
  /** Why it was not; empty when it was. */
  why: text,
});

const schemaOfVersion2 = z.strictObject({
  ...headOfVersion2,
  ...body,
  /** The proof of the commit; null without a commit. */
  proved: proof.nullable(),
});
const schemaOfVersion1 = z.strictObject({
  version: z.literal(1),
  ...head,
  outcome: z.enum(OUTCOMES_OF_VERSION_1),
  ...body,
  memory: z.strictObject({ blocks, tokens: count }),
}).transform(({ version, session, attempt, memory: { blocks, tokens }, ...rest }) => ({
  version,
  id: null,
  session,
  attempt,
  author: null,
  agent: "m31a",
  ...rest,
  memory: { blocks, commits: [], tokens },
  proved: null,
}));

/** One finished session, whatever its end. Of version 1, what it does not say is null or empty. */
export const entrySchema = z.union([schemaOfVersion2, schemaOfVersion1]);

/** One finished session, whatever its end. */
export type LedgerEntry =
  & Omit<z.infer<typeof schemaOfVersion2>, "version" | "id">
  & ({ version: 1; id: null } | { version: 2; id: string });

/** How many changed paths an entry keeps. */
export const MAX_FILES = 50;

/** What makes an entry the same as another: it counts once however often it appears. */
export function entryKey(entry: Pick<LedgerEntry, "id" | "session" | "attempt">): string {
  return entry.id ?? `${entry.session}#${entry.attempt}`;
}

/**
 * Writes an entry as one line of JSON, without the newline: keys in the documented order, phases in
 * the order of a session, extensions and files sorted, costs to the nanodollar.
 *
 * @throws {z.ZodError} when a field is not what {@linkcode entrySchema} says, or holds half a surrogate pair
 */
export function encodeEntry(entry: LedgerEntry): string {
  // The goal comes last: a line that is cut off then ends in the middle of a text, whatever its fields are.
  const { goal, ...valid } = validated(entry);
  return JSON.stringify({
    ...valid,
    usage: { ...valid.usage, cost: nanodollars(valid.usage.cost) },
    inherited: valid.inherited.map((item) => ({ ...item, cost: nanodollars(item.cost) })),
    phases: orderedPhases(valid.phases),
    extensions: Object.fromEntries(
      Object.entries(valid.extensions).sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
    files: valid.files.toSorted().slice(0, MAX_FILES),
    goal,
  });
}

/** The fields that an entry of its version has, in their order. */
function validated(entry: LedgerEntry) {
  if (entry.version === 2) return schemaOfVersion2.parse(entry);
  const { memory: { blocks, tokens } } = entry;
  const valid = schemaOfVersion1.parse({ ...withoutNews(entry), memory: { blocks, tokens } });
  return { ...withoutNews(valid), memory: { blocks, tokens } };
}

/** An entry without what version 1 did not have. */
function withoutNews<T extends Pick<LedgerEntry, "id" | "author" | "agent" | "proved">>(entry: T) {
  const { id: _id, author: _author, agent: _agent, proved: _proved, ...rest } = entry;
  return rest;
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
  const schema = version === 1 ? schemaOfVersion1 : schemaOfVersion2;
  const result = schema.safeParse(value);
  if (result.success) return { entry: result.data };
  const issue = result.error.issues[0];
  return { why: `not an entry: ${issue?.path.join(".") || "it"}: ${issue?.message ?? "invalid"}` };
}

function versionOf(value: unknown): number {
  if (typeof value !== "object" || value === null || !("version" in value)) return 0;
  return typeof value.version === "number" ? value.version : 0;
}

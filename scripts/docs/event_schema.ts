/**
 * The lines of `--output-format stream-json` and `json` as zod schemas, of which docs/events.* are made.
 * Rule: every event of the code has a row, and the compiler checks that its fields fit; fields may be added in later versions.
 */
import { z } from "zod";
import type { AgentEvent } from "../../src/agent/events.ts";
import type { TurnResult } from "../../src/faces/pipe/result_view.ts";
import type { ShipEvent } from "../../src/ship/events.ts";
import type { WorkflowEvent } from "../../src/workflow/events.ts";

/** What is printed when a goal's work, or its ship, has ended; faces/pipe/json_view.ts puts the line together. */
type EndEvent =
  | { type: "workflow_ended"; session: string; outcome: "verified" | "failed" | "interrupted" }
  | { type: "ship_ended"; session: string; outcome: string };

type PrintedEvent = AgentEvent | WorkflowEvent | ShipEvent | TurnResult | EndEvent;

const text = z.string();
const count = z.int().min(0);
const milliseconds = z.number().min(0);
const anyJson = z.unknown();
const dollars = z.number().nullable().describe("US dollars; null where it is not known");

const turnEnd = z.union([
  z.object({ outcome: z.literal("replied"), finish: text, flaw: text.optional() }),
  z.object({
    outcome: z.literal("aborted"),
    reason: z.enum(["interrupted", "limit", "error"]),
    detail: text,
  }),
]);

const tests = z.object({
  ran: count,
  failed: count,
  skipped: count,
  unit: z.enum(["tests", "packages"]),
  isLowerBound: z.boolean(),
}).nullable().describe("how many ran; null where the output does not tell");

const preflightCheck = z.object({
  name: text,
  verdict: z.enum(["pass", "warn", "block"]),
  summary: text,
  places: z.array(text),
  advice: text,
  overriddenBy: text.optional(),
});

const check = {
  name: text,
  command: text,
  passed: z.boolean(),
  exitCode: z.int().nullable(),
  durationMs: milliseconds,
  output: text,
  tests,
};

const tokens = { input: count, output: count, cacheRead: count, cacheWrite: count };

/** The fields of one type of event besides `type`, and when it is printed. */
function row<Shape extends z.ZodRawShape>(meaning: string, shape: Shape) {
  return z.object(shape).describe(meaning);
}

/** By type, in the order in which they are described. */
export const EVENT_ROWS = {
  session: row("A conversation is open: a new one, one gone on with, or a new epoch of it.", {
    session: text,
    epoch: count,
    provider: text,
    model: text,
    isResumed: z.boolean(),
    turns: count,
  }),
  turn_started: row("A message is on disk, and its turn begins.", { turn: count }),
  request_started: row("A request goes to the model.", { request: count }),
  text: row("A piece of the reply, as it comes.", { text }),
  reasoning: row("A piece of what the model thinks, as it comes.", { text }),
  restarted: row("What came of the reply is void; it starts over.", {}),
  retry: row("The request is sent again after a wait.", {
    attempt: count,
    reason: text,
    waitMs: milliseconds,
  }),
  reply: row("The reply is complete and on disk; all of its text, and the calls in it.", {
    text,
    finish: text,
    calls: z.array(z.object({ call: count, tool: text, input: anyJson })).optional(),
  }),
  tool_started: row("A tool is called.", { call: count, tool: text, input: anyJson }),
  tool_output: row("Output of a running command, as it comes.", { text }),
  tool_finished: row("A call has its result; `outcome` says what it did, by its `kind`.", {
    call: count,
    tool: text,
    output: text,
    isError: z.boolean(),
    interrupted: z.literal(true).optional(),
    settled: z.literal(true).optional(),
    outcome: z.object({ kind: text }).optional(),
  }),
  usage: row("What a request took, and the session in all.", {
    usage: z.object({
      ...tokens,
      cost: dollars,
      costSource: z.enum(["reported", "estimated", "unknown"]),
      isReported: z.boolean(),
    }),
    totals: z.object({
      turns: count,
      calls: count,
      requests: count,
      tokens: count,
      cost: z.number(),
    }),
  }),
  compacted: row("The conversation was summarized, and a new epoch begins.", {
    epoch: count,
    summary: text,
  }),
  notice: row("Something to know of.", { text }),
  turn_ended: row("The turn has ended, with a whole reply, one with a `flaw`, or without.", {
    end: turnEnd,
  }),
  result: row("What came of a turn: all that `--output-format json` prints.", {
    session: text,
    model: text,
    turn: count,
    end: turnEnd,
    text,
    calls: count,
    failedCalls: count,
    usage: z.object({ ...tokens, cost: dollars }),
  }),
  phase: row("A goal's phase begins or ends.", {
    phase: z.enum(["initialize", "discuss", "plan", "execute", "verify", "ship"]),
    status: z.enum(["entered", "done", "failed"]),
    detail: text,
  }),
  plan: row("A plan was submitted, or approved.", {
    version: count,
    approved: z.boolean(),
    plan: z.object({ summary: text, tasks: z.array(anyJson) }),
  }),
  task: row("A task has another status.", {
    task: text,
    title: text,
    status: text,
    changedNothing: z.boolean(),
    heals: count,
    cause: text.optional(),
    detail: text.optional(),
  }),
  check_started: row("A check of the project's begins.", {
    name: text,
    command: text,
    task: text.nullable(),
    purpose: text,
  }),
  check: row("A check has ended.", { ...check, task: text.nullable(), purpose: text }),
  checkpoint: row("Changes were kept, so that they can be taken back.", {
    number: count,
    commit: text,
    task: text.nullable(),
    files: z.array(text),
    kind: z.enum(["task", "turn", "undo", "rollback"]).optional(),
  }),
  edited: row("An edit of a planning document was taken over.", {
    document: text,
    differences: z.array(text),
  }),
  workflow_ended: row("The work on a goal has ended; `phase` and `reason` say why it failed.", {
    session: text,
    outcome: z.enum(["verified", "failed", "interrupted"]),
    phase: text.optional(),
    reason: text.optional(),
  }),
  preflight: row("The checklist before a commit.", { checks: z.array(preflightCheck) }),
  proof_started: row("A check runs on the commit alone.", {
    name: text,
    command: text,
    isAgain: z.boolean(),
  }),
  proof_failed: row("It does not pass.", check),
  proof: row("What came of the proof.", { check: preflightCheck }),
  ship_step: row("A step of finishing is done and recorded.", { step: text, detail: text }),
  ship_ended: row("The ship has ended; where it was `shipped`, with the commit and its entry.", {
    session: text,
    outcome: text,
    commit: text.optional(),
    archive: text.optional(),
  }),
} satisfies Record<PrintedEvent["type"], z.ZodObject>;

type Row<Type extends PrintedEvent["type"]> = z.input<typeof EVENT_ROWS[Type]>;

/** Whether the events of each type fit its row; a type that does not makes this file fail to compile. */
type Fits = {
  [Type in PrintedEvent["type"]]: Omit<Extract<PrintedEvent, { type: Type }>, "type"> extends
    Row<Type> ? true
    : `the row of ${Type} does not fit its event`;
};
type Misfit = Exclude<Fits[keyof Fits], true>;
const MISFIT: [Misfit] extends [never] ? undefined : Misfit = undefined;
void MISFIT;

/** One printed line. */
export const eventSchema = z.union(
  Object.entries(EVENT_ROWS).map(([type, fields]) =>
    fields.extend({ type: z.literal(type) }).describe(fields.description ?? "")
  ),
);

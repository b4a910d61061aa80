/**
 * Every key of planning/config.toml: its shape, its default, its sentence.
 * Rule: a key exists here or nowhere; the file that `m31a init` writes and the errors are made from this.
 */
import { z } from "zod";
import { EFFORTS } from "../model/parameters.ts";
import { PROVIDER_NAMES } from "../model/providers.ts";
import { ACTION_WAYS } from "../session/side_records.ts";
import { DEFAULT_SUBJECT, subjectProblem } from "./subject_template.ts";

const count = (meaning: string, preset: number) => z.int().min(0).default(preset).describe(meaning);

const price = z.strictObject({
  input: z.number().min(0),
  output: z.number().min(0),
  cache_read: z.number().min(0).optional(),
  cache_write: z.number().min(0).optional(),
});

/** What a program can be given: an argument ends at a NUL. */
const argument = z.string().refine((text) => !text.includes("\0"), "holds NUL");

const server = z.strictObject({
  command: argument.min(1).optional(),
  args: z.array(argument).default([]),
  env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z_0-9]*$/), argument).default({}),
  url: z.url({ protocol: /^https?$/ }).optional(),
  headers: z.record(z.string(), z.string()).default({}),
  allow: z.array(z.string()).default([]),
  seconds: z.int().min(1).default(60),
}).refine(({ command, url }) => (command === undefined) !== (url === undefined), {
  message: "needs either command (a program to start) or url (a server to reach)",
});

const subjectTemplate = z.string().check((context) => {
  const message = subjectProblem(context.value);
  if (message !== undefined) context.issues.push({ code: "custom", message, input: context.value });
});

const folder = z.string().regex(
  /^(?:\/|~\/)[^\0\n]*$/,
  "must begin with / or ~/, and hold no line break",
);

/** The table `[model]`. */
export const modelTable = z.strictObject({
  provider: z.string().min(1).optional().describe(
    `One of ${PROVIDER_NAMES.join(", ")}; the last needs a base_url.`,
  ),
  name: z.string().min(1).optional().describe("The model's name, as its provider spells it."),
  base_url: z.string().min(1).optional().describe(
    "The address of an OpenAI-compatible server, such as http://127.0.0.1:8080/v1.",
  ),
  effort: z.enum(EFFORTS).optional().describe(
    "How much the model reasons before it answers, where it can; the provider decides by default.",
  ),
  actions: z.enum(["auto", ...ACTION_WAYS]).default("auto").describe(
    "How the model acts: native tool calls; text: a call that it writes as text counts; constrained: one JSON object an answer; " +
      "candidates: proposals that the checks judge. auto begins with what it is known to need, and changes once.",
  ),
  key_command: argument.min(1).optional().describe(
    'A command line for sh that prints the provider\'s key, such as "pass show anthropic"; it goes before the variable.',
  ),
  parameters: z.record(z.string(), z.json()).default({}).describe(
    "Sent with each request: temperature, maxOutputTokens, or what your server knows.",
  ),
  price: price.optional().describe(
    "US dollars for a million tokens (input, output, cache_read, cache_write); by default a public list's.",
  ),
});

/** The table `[limits]`. */
const limitsTable = z.strictObject({
  requests_per_turn: count(
    "Requests to the model until a turn ends. 0, here and below: no limit.",
    100,
  ),
  tokens_per_session: count(
    "Tokens of a session, read and written; those read from a provider's cache do not count.",
    20_000_000,
  ),
  cost_per_session: z.number().min(0).default(20).describe(
    "US dollars of a session, where the cost is known.",
  ),
  seconds_per_turn: count("How long a turn may take.", 3600),
  silence_seconds: count(
    "How long a model may send nothing; a server on this machine may take longer to begin.",
    300,
  ),
  repeated_calls: count(
    "How often the model may make the same call with the same input in a row.",
    5,
  ),
});

/** The table `[tools]`. */
export const toolsTable = z.strictObject({
  approval: z.enum(["ask", "allowlist", "all"]).default("ask").describe(
    "ask: before each command and change; allowlist: allowed commands run, others are refused, nobody is asked; all: nothing is asked.",
  ),
  allow: z.array(z.string().min(1)).default([]).describe(
    'Commands that run without a question, by their first words: ["npm test"] allows "npm test --silent" but nothing with ; | & $ ` ( ) < > in it.',
  ),
  sandbox: z.enum(["auto", "require", "off"]).default("auto").describe(
    "auto: commands run in the operating system's sandbox where there is one; require: not without; off: never in one.",
  ),
  network: z.boolean().default(false).describe(
    "Whether commands in the sandbox may use the network.",
  ),
  writable: z.array(folder).default([]).describe(
    'More folders that commands in the sandbox may write to, such as ["~/.gradle"].',
  ),
  command_seconds: z.int().min(1).default(600).describe("How long a command may take."),
  output_bytes: z.int().min(1_000).default(48_000).describe(
    "How much of a command's output is kept, its beginning and its end.",
  ),
  keep_bytes: z.int().min(0).default(50_000_000).describe(
    "Of files up to this size the contents are kept before a command changes them, so that it can be taken back. Larger ones are named.",
  ),
  mcp: z.record(z.string().regex(/^[A-Za-z0-9_-]+$/), server).default({}).describe(
    "Servers with more tools (Model Context Protocol), each a table [tools.mcp.NAME] with command, args, env, or url, headers; " +
      "allow names its tools that need no question, seconds limits a call. ${M31A_…} in env and headers stands for that variable.",
  ),
});

/** The table `[ship]`. */
const shipTable = z.strictObject({
  prefix: z.string().min(1).default("chore").describe(
    "The type of a commit: what {type} stands for in its subject.",
  ),
  subject: subjectTemplate.default(DEFAULT_SUBJECT).describe(
    "The subject of a commit: {goal}, and {type} or {session} where they are wanted.",
  ),
  attribution: z.boolean().default(true).describe('Whether commits carry an "Assisted-by:" line.'),
  planning_files: z.boolean().default(false).describe(
    "Whether planning/ is committed along with the work.",
  ),
  commit_seconds: z.int().min(1).default(300).describe(
    "How long a commit may take, with its hooks and its signing.",
  ),
  checks: z.record(z.string(), argument.min(1)).default({}).describe(
    'Commands that prove the work, by name, instead of those that the project\'s manifests tell: { test = "make check" }.',
  ),
});

/** The table `[ledger]`. */
const ledgerTable = z.strictObject({
  url: z.string().regex(/^postgres(?:ql)?:\/\//, "must begin with postgres://").optional().describe(
    "A team's ledger in PostgreSQL, as M31A_LEDGER_URL; no password in it: that comes from M31A_LEDGER_PASSWORD or ~/.pgpass.",
  ),
  author: z.string().min(1).default("hash").describe(
    "Who worked, in ledger entries: hash (of git's user.name and user.email), none, or a name.",
  ),
  goals: z.boolean().default(true).describe(
    "Whether goals and what failed go to the team's ledger in words; if not, numbers alone do.",
  ),
});

/** The table `[memory]`. */
const memoryTable = z.strictObject({
  team: z.boolean().default(false).describe(
    "Whether the memory draws from the team's ledger: what others did in this project.",
  ),
});

/** The whole file. */
export const configurationSchema = z.strictObject({
  model: modelTable.prefault({}),
  limits: limitsTable.prefault({}),
  tools: toolsTable.prefault({}),
  ship: shipTable.prefault({}),
  ledger: ledgerTable.prefault({}),
  memory: memoryTable.prefault({}),
});

/** What the file says, with the defaults for what it does not. */
export type ConfigurationFile = z.infer<typeof configurationSchema>;

/** The tables, in the order in which they are written and printed. */
export const TABLES = {
  model: modelTable,
  limits: limitsTable,
  tools: toolsTable,
  ship: shipTable,
  ledger: ledgerTable,
  memory: memoryTable,
} as const;

/** A server of `[tools.mcp]`. */
export type ServerConfiguration = z.infer<typeof server>;

/** The default of a key of `table`; undefined where it has none. */
export function defaultOf(table: typeof TABLES[keyof typeof TABLES], key: string): unknown {
  return Object.entries(table.parse({})).find(([name]) => name === key)?.[1];
}

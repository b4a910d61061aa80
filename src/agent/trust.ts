/**
 * Which settings of planning/config.toml need the user's trust: a repository may have brought the file.
 * Rule: what is not known here to be harmless needs trust, so that a new key does until it is looked at.
 */
import { z } from "zod";
import { startedByLines } from "../git/started_files.ts";
import { isProviderName } from "../model/providers.ts";
import { canonicalJson, type JsonValue } from "../platform/canonical_json.ts";
import { CONFIGURATION_PATH, type ReadConfiguration } from "./configuration_file.ts";
import { type ConfigurationFile, configurationSchema, TABLES } from "./configuration_schema.ts";

/** A setting of the file that loosens a protection, or starts or reaches something. */
export interface LooseSetting {
  /** The key that stands or falls as a whole, as in `tools.mcp`. */
  key: string;
  /** What is set, as in `tools.mcp.search.command`. */
  name: string;
  value: JsonValue;
  /** `planning/config.toml:LINE`, or the file alone where its line is not known. */
  place: string;
}

type Judgement = (value: JsonValue, preset: JsonValue, file: ConfigurationFile) => boolean;

/** A limit that is no wider than the default; 0 stands for none at all. */
const isTighter: Judgement = (value, preset) =>
  typeof value === "number" && typeof preset === "number" && value > 0 && value <= preset;

/** A provider of m31a's own table, at its usual address or one from the environment; it gets no more than its own key. */
const namesKnownProvider: Judgement = (_, __, { model: { provider } }) =>
  provider !== undefined && isProviderName(provider);

/** Parameters that change how a model answers, not what becomes of the request. */
const HARMLESS_PARAMETERS: readonly string[] = [
  "frequencyPenalty",
  "maxOutputTokens",
  "presencePenalty",
  "reasoning",
  "seed",
  "stopSequences",
  "temperature",
  "topK",
  "topP",
];

/**
 * By key, when a value other than the default is harmless. That of a key that is not here never is:
 * `model.price` for example can make every request free, and with that the limit on cost void.
 */
const HARMLESS: Readonly<Record<string, Judgement>> = {
  "model.provider": namesKnownProvider,
  "model.name": namesKnownProvider,
  "model.effort": () => true,
  "model.parameters": (value) =>
    value !== null && typeof value === "object" &&
    Object.keys(value).every((name) => HARMLESS_PARAMETERS.includes(name)),
  "limits.requests_per_turn": isTighter,
  "limits.tokens_per_session": isTighter,
  "limits.cost_per_session": isTighter,
  "limits.seconds_per_turn": isTighter,
  "limits.silence_seconds": isTighter,
  "limits.repeated_calls": isTighter,
  "tools.sandbox": (value) => value === "require",
  "tools.command_seconds": isTighter,
  "tools.output_bytes": isTighter,
  "ship.prefix": () => true,
  "ship.subject": () => true,
  "ship.attribution": () => true,
  "ship.commit_seconds": isTighter,
  // What leaves out more than the default does.
  "ledger.author": (value) => value === "none",
  "ledger.goals": (value) => value === false,
};

type Tables = Record<string, Record<string, JsonValue>>;

/**
 * Lists what in the file needs trust, in the order of the keys.
 *
 * @example
 * ```ts
 * import { parseConfiguration } from "./configuration_file.ts";
 * import { looseSettings } from "./trust.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(looseSettings(parseConfiguration('[tools]\nsandbox = "off"\n')), [
 *   { key: "tools.sandbox", name: "tools.sandbox", value: "off", place: "planning/config.toml:2" },
 * ]);
 * assert.deepEqual(looseSettings(parseConfiguration('[tools]\nsandbox = "require"\n')), []);
 * ```
 */
export function looseSettings({ file, lines }: ReadConfiguration): LooseSetting[] {
  const presets = tablesOf(configurationSchema.parse({}));
  return Object.entries(tablesOf(file)).flatMap(([table, entries]) =>
    Object.entries(entries).flatMap(([key, value]) => {
      const name = `${table}.${key}`;
      const preset = presets[table]?.[key] ?? null;
      if (canonicalJson(value) === canonicalJson(preset)) return [];
      if (Object.hasOwn(HARMLESS, name) && HARMLESS[name]?.(value, preset, file)) return [];
      return leavesOf(value, [table, key]).map(({ path, value }) => ({
        key: name,
        name: path.map(quotedIfOdd).join("."),
        value,
        place: placeOf(path, lines),
      }));
    })
  );
}

/**
 * What the user trusts with the file: its text, and the project's files that its command lines start outside of the
 * sandbox, as they are. Without such files it is the text alone.
 */
export function trustedText(root: string, { text, file }: ReadConfiguration): string {
  const servers = Object.values(file.tools.mcp);
  const lines = [
    file.model.key_command ?? "",
    ...servers.map(({ command = "", args }) => [command, ...args].join(" ")),
  ];
  const started = startedByLines(root, lines);
  return Object.keys(started).length === 0 ? text : canonicalJson({ text, started });
}

/** The file as if its loose settings were not in it: they have their defaults, the others stay. */
export function withoutLooseSettings(read: ReadConfiguration): ReadConfiguration {
  const dropped = new Set(looseSettings(read).map(({ key }) => key));
  const kept = Object.entries(tablesOf(read.file)).map(([table, entries]) => [
    table,
    Object.fromEntries(
      Object.entries(entries).filter(([key]) => !dropped.has(`${table}.${key}`)),
    ),
  ]);
  const lines = [...read.lines].filter(([path]) =>
    !dropped.has(path.split("\0").slice(0, 2).join("."))
  );
  return {
    text: read.text,
    file: configurationSchema.parse(Object.fromEntries(kept)),
    lines: new Map(lines),
  };
}

function tablesOf(file: ConfigurationFile): Tables {
  const tables = z.record(z.string(), z.record(z.string(), z.json())).parse({ ...file });
  return Object.fromEntries(Object.keys(TABLES).map((name) => [name, tables[name] ?? {}]));
}

interface Leaf {
  path: string[];
  value: JsonValue;
}

/** The values inside `value`, each with its path; `value` itself where it has no entries. */
function leavesOf(value: JsonValue, path: string[]): Leaf[] {
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    return [{ path, value }];
  }
  const leaves = Object.entries(value).flatMap(([name, entry]) =>
    isEmpty(entry) ? [] : leavesOf(entry, [...path, name])
  );
  return leaves.length === 0 ? [{ path, value }] : leaves;
}

/** An empty list or table; the tables of servers are full of those, for what they leave out. */
function isEmpty(value: JsonValue): boolean {
  return value !== null && typeof value === "object" && Object.keys(value).length === 0;
}

function placeOf(path: readonly string[], lines: ReadonlyMap<string, number>): string {
  for (let length = path.length; length > 1; length--) {
    const line = lines.get(path.slice(0, length).join("\0"));
    if (line !== undefined) return `${CONFIGURATION_PATH}:${line}`;
  }
  return CONFIGURATION_PATH;
}

function quotedIfOdd(name: string): string {
  return /^[A-Za-z0-9_-]+$/.test(name) ? name : JSON.stringify(name);
}

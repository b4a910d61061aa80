/**
 * Reading planning/config.toml, and the text that `m31a init` begins it with.
 * Rule: what is not understood is refused by name, file and line.
 */
import { parse, stringify, TomlError } from "smol-toml";
import { z } from "zod";
import { UsageError } from "../platform/errors.ts";
import { readTextIfExists, refuseForeign, refuseSymlinks } from "../platform/files.ts";
import {
  type ConfigurationFile,
  configurationSchema,
  defaultOf,
  TABLES,
} from "./configuration_schema.ts";
import { tomlLines } from "./toml_lines.ts";

/** The file, relative to the project's root. */
export const CONFIGURATION_PATH = "planning/config.toml";

/** The configuration cannot be used; the message names file, line and key. Exit code 2. */
export class ConfigurationInvalid extends UsageError {}

/** What a file says, and where. */
export interface ReadConfiguration {
  /** Exactly what was read: what is trusted is this and no other text. */
  text: string;
  file: ConfigurationFile;
  /** The line of each key that the file sets, by its path joined with NUL. */
  lines: ReadonlyMap<string, number>;
}

/**
 * Reads the project's configuration; a missing file is an empty one.
 *
 * @throws {ConfigurationInvalid} naming every problem with its line
 * @throws {FileError} when the file cannot be read, is behind a symbolic link, or could be another user's word
 */
export function readConfigurationFile(root: string): ReadConfiguration {
  refuseSymlinks(root, CONFIGURATION_PATH);
  for (const path of ["planning", CONFIGURATION_PATH]) refuseForeign(root, path);
  return parseConfiguration(readTextIfExists(`${root}/${CONFIGURATION_PATH}`) ?? "");
}

/** Reads the configuration's text. See {@linkcode readConfigurationFile}. */
export function parseConfiguration(text: string): ReadConfiguration {
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const why = error.message.split("\n", 1)[0]?.replace(/^Invalid TOML document: /, "");
    throw new ConfigurationInvalid(`${CONFIGURATION_PATH}:${error.line}: is not TOML: ${why}`);
  }
  const lines = tomlLines(text);
  const parsed = configurationSchema.safeParse(value);
  if (parsed.success) return { text, file: parsed.data, lines };
  const problems = parsed.error.issues.flatMap((issue) => problemsOf(issue, lines));
  throw new ConfigurationInvalid(problems.join("\n"));
}

function problemsOf(issue: z.core.$ZodIssue, lines: ReadonlyMap<string, number>): string[] {
  const path = issue.path.map(String);
  if (issue.code !== "unrecognized_keys") {
    const name = path.join(".") || "the file";
    return [`${placeOf(path, lines)}: ${name}: ${lowerFirst(issue.message)}`];
  }
  const known = keysAt(path);
  return issue.keys.map((key) => {
    const name = [...path, key].join(".");
    const hint = known.length === 0 ? "" : `; there are: ${known.join(", ")}`;
    return `${placeOf([...path, key], lines)}: unknown key ${name}${hint}`;
  });
}

/** `planning/config.toml:LINE` of the key, or of the nearest one around it that has a line. */
function placeOf(path: readonly string[], lines: ReadonlyMap<string, number>): string {
  for (let length = path.length; length > 0; length--) {
    const line = lines.get(path.slice(0, length).join("\0"));
    if (line !== undefined) return `${CONFIGURATION_PATH}:${line}`;
  }
  return CONFIGURATION_PATH;
}

function keysAt(path: readonly string[]): string[] {
  const [table, ...below] = path;
  if (table === undefined) return Object.keys(TABLES);
  if (below.length > 0) return [];
  const found = Object.entries(TABLES).find(([name]) => name === table);
  return found === undefined ? [] : Object.keys(found[1].shape);
}

function lowerFirst(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}

/**
 * What `m31a init` writes: every key with its sentence and its default, all commented out. It parses to
 * the defaults, and so does the text with each `#` before a key taken away.
 */
export function defaultConfigurationText(): string {
  const tables = Object.entries(TABLES).map(([name, table]) => {
    const keys = Object.entries(table.shape).map(([key, schema]) => {
      const value = defaultOf(table, key) ?? EXAMPLES[`${name}.${key}`];
      return `${wrapped(schema.description ?? "")}\n#${assignment(key, value)}\n`;
    });
    return `[${name}]\n\n${keys.join("\n")}`;
  });
  return `${HEADER}\n${tables.join("\n")}`;
}

const HEADER =
  `# The configuration of m31a in this project. Flags come before M31A_* variables, those before this
# file. \`m31a config\` prints every value and where it comes from. Settings that loosen a protection,
# or start or reach something, are in force after \`m31a config --trust\`.
`;

/** What keys without a default are shown with. */
const EXAMPLES: Readonly<Record<string, unknown>> = {
  "model.provider": "anthropic",
  "ledger.url": "postgres://m31a@db.example.org/m31a?sslmode=verify-full",
  "model.name": "claude-sonnet-5",
  "model.base_url": "http://127.0.0.1:8080/v1",
  "model.effort": "high",
  "model.key_command": "pass show anthropic",
  "model.price": { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 },
};

function assignment(key: string, value: unknown): string {
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    return stringify({ [key]: value }).trimEnd();
  }
  const entries = Object.entries(value).map(([name, entry]) => assignment(name, entry));
  return `${key} = {${entries.length === 0 ? "" : ` ${entries.join(", ")} `}}`;
}

function wrapped(sentence: string): string {
  const lines: string[] = [];
  for (const word of sentence.split(" ")) {
    const line = `${lines.at(-1) ?? "#"} ${word}`;
    if (lines.length > 0 && line.length <= 100) lines[lines.length - 1] = line;
    if (lines.length === 0 || line.length > 100) lines.push(`# ${word}`);
  }
  return lines.join("\n");
}

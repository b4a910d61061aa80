/**
 * Sections of manifests as texts that can be compared: of JSON, TOML and INI.
 * Rule: the order of keys and comments do not count; what cannot be parsed is compared as a whole.
 */
import { parse as parseJson, type ParseError } from "jsonc-parser";
import { parse as parseToml, TomlError } from "smol-toml";

/**
 * The text of the section at `keys`; `undefined` when the file has none.
 *
 * @param path decides how the file is read: `.json`, `.jsonc`, `.toml`, else as an INI file
 */
export function sectionText(
  path: string,
  text: string,
  keys: readonly string[],
): string | undefined {
  if (!/\.(?:jsonc?|toml)$/.test(path)) return iniSection(text, keys.join("."));
  const root = parsed(path, text);
  if (root === undefined) return text;
  let value: unknown = root;
  for (const key of keys) value = isTable(value) ? value[key] : undefined;
  return value === undefined ? undefined : JSON.stringify(sorted(value), null, 2);
}

/** The named texts below a key: scripts, tasks (with a `command`), lists of commands joined by `&&`. */
export function textsAt(path: string, text: string, key: string): Map<string, string> {
  const root = parsed(path, text);
  const table = isTable(root) ? root[key] : undefined;
  const texts = new Map<string, string>();
  for (const [name, value] of Object.entries(isTable(table) ? table : {})) {
    const command = isTable(value) ? value["command"] : value;
    if (typeof command === "string") texts.set(name, command);
    if (Array.isArray(command)) {
      texts.set(name, command.filter((one) => typeof one === "string").join(" && "));
    }
  }
  return texts;
}

/**
 * Where the names of a table lead: to a path of the project, to another package, or, without its version, to a registry.
 * A table of tables, as `scopes`, has the names of all of them.
 */
export function whereNamesLead(
  path: string,
  text: string,
  keys: readonly string[],
): Map<string, string> {
  let value = parsed(path, text);
  for (const key of keys) value = isTable(value) ? value[key] : undefined;
  return new Map(
    Object.entries(isTable(value) ? value : {}).map((
      [name, target],
    ) => [name, typeof target === "string" ? leadOf(target) : JSON.stringify(sorted(target))]),
  );
}

function leadOf(target: string): string {
  // A range of versions alone leads to the registry.
  if (/^(?:[\s^~<>=|*xX.\d-]|latest|next|v\d)+[\w.+-]*$/.test(target)) return "a registry";
  return target.replace(/(?<=[\w/])@[\^~<>=]*v?\d[^/]*/, "");
}

function parsed(path: string, text: string): unknown {
  if (!path.endsWith(".toml")) {
    const errors: ParseError[] = [];
    const value: unknown = parseJson(text, errors, { allowTrailingComma: true });
    return errors.length === 0 ? value : undefined;
  }
  try {
    return parseToml(text);
  } catch (error) {
    if (error instanceof TomlError) return undefined;
    throw error;
  }
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isTable(value)) return value;
  return Object.fromEntries(
    Object.keys(value).sort().map((key) => [key, sorted(value[key])]),
  );
}

function iniSection(text: string, name: string): string | undefined {
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((line) => line.trim() === `[${name}]`);
  if (start === -1) return undefined;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => line.startsWith("["));
  return rest.slice(0, end === -1 ? rest.length : end)
    .filter((line) => line.trim() !== "" && !/^\s*[#;]/.test(line)).join("\n");
}

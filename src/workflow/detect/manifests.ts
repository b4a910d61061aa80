/**
 * Reading manifests: JSON with comments, TOML, plain lines.
 * Rule: what is broken is reported with its line, and the rest of the project is still looked at.
 */
import {
  findNodeAtLocation,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { parse as parseTomlText, TomlError } from "smol-toml";
import type { LeftOut, ManifestProblem, ManifestReader } from "./detected.ts";

/** The number, from 1, of the line in which the character at `offset` is. */
function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) {
    line++;
  }
  return line;
}

/** A JSON manifest: values by path, with their lines. */
export class JsonManifest {
  readonly path: string;
  readonly #text: string;
  readonly #root: Node;

  constructor(path: string, text: string, root: Node) {
    this.path = path;
    this.#text = text;
    this.#root = root;
  }

  #find(path: readonly string[]): Node | undefined {
    return findNodeAtLocation(this.#root, [...path]);
  }

  has(...path: string[]): boolean {
    return this.#find(path) !== undefined;
  }

  /** The text at `path`; `undefined` when there is none or something else. */
  text(...path: string[]): string | undefined {
    const value: unknown = this.#find(path)?.value;
    return typeof value === "string" ? value : undefined;
  }

  /** The texts in the array at `path`. */
  texts(...path: string[]): string[] {
    return (this.#find(path)?.children ?? []).flatMap(({ value }: { value?: unknown }) =>
      typeof value === "string" ? [value] : []
    );
  }

  /** The keys of the object at `path`. */
  keys(...path: string[]): string[] {
    const node = path.length === 0 ? this.#root : this.#find(path);
    if (node?.type !== "object") return [];
    return (node.children ?? []).flatMap(({ children }) => {
      const key: unknown = children?.[0]?.value;
      return typeof key === "string" ? [key] : [];
    });
  }

  /** `package.json:12`, the place of what is at `path`. */
  place(...path: string[]): string {
    return `${this.path}:${lineAt(this.#text, this.#find(path)?.offset ?? 0)}`;
  }
}

/** Any table of a TOML file. */
export type TomlTable = { [key: string]: unknown };

/** A TOML manifest: values by path, with the lines of their tables. */
export class TomlManifest {
  readonly path: string;
  readonly #text: string;
  readonly #root: TomlTable;

  constructor(path: string, text: string, root: TomlTable) {
    this.path = path;
    this.#text = text;
    this.#root = root;
  }

  value(...path: string[]): unknown {
    let value: unknown = this.#root;
    for (const key of path) value = isTable(value) ? value[key] : undefined;
    return value;
  }

  has(...path: string[]): boolean {
    return this.value(...path) !== undefined;
  }

  /** The table at `path`, empty when there is none. */
  table(...path: string[]): TomlTable {
    const value = this.value(...path);
    return isTable(value) ? value : {};
  }

  /** The texts of the array at `path`. */
  texts(...path: string[]): string[] {
    const value = this.value(...path);
    return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
  }

  /** The place of the table at `path`, or of the first one below it; of the file when no header names it. */
  place(...path: string[]): string {
    const name = path.join(".");
    const at = this.#text.split("\n").findIndex((line) => {
      const header = line.trim().replaceAll(/[\s"']/g, "");
      return [`[${name}]`, `[[${name}]]`].some((start) => header.startsWith(start)) ||
        header.startsWith(`[${name}.`);
    });
    return at === -1 ? this.path : `${this.path}:${at + 1}`;
  }

  /** The place of the first line that holds `text`. */
  placeOfText(text: string): string {
    return placeOfLine(this.path, this.#text, (line) => line.includes(text));
  }
}

/** Whether a value is an object with keys. */
export function isTable(value: unknown): value is TomlTable {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `path:line` of the first line that `isIt`; `path` alone when there is none. */
export function placeOfLine(
  path: string,
  text: string,
  isIt: (line: string) => boolean,
): string {
  const at = text.split(/\r?\n/).findIndex(isIt);
  return at === -1 ? path : `${path}:${at + 1}`;
}

/** The manifests in a project's root, and what was wrong with them. */
export class Manifests {
  readonly names: ReadonlySet<string>;
  readonly problems: ManifestProblem[] = [];
  readonly leftOut: LeftOut[] = [];
  readonly reader: ManifestReader;

  constructor(reader: ManifestReader) {
    this.reader = reader;
    this.names = new Set(reader.list());
  }

  has(...names: string[]): boolean {
    return names.some((name) => this.names.has(name));
  }

  /** The first of `names` that is in the root. */
  first(...names: string[]): string | undefined {
    return names.find((name) => this.names.has(name));
  }

  /** The names in the root with one of the given endings, sorted. */
  endingIn(...endings: string[]): string[] {
    return [...this.names].filter((name) => endings.some((ending) => name.endsWith(ending))).sort();
  }

  text(path: string): string | undefined {
    return this.reader.read(path);
  }

  /** A JSON manifest, with comments allowed. `undefined` when there is none or it is broken. */
  json(path: string): JsonManifest | undefined {
    const text = this.text(path);
    if (text === undefined) return undefined;
    const errors: ParseError[] = [];
    const root = parseTree(text, errors, { allowTrailingComma: path.endsWith(".jsonc") });
    const [error] = errors;
    if (error !== undefined) {
      this.problems.push({
        path,
        line: lineAt(text, error.offset),
        reason: `not valid JSON: ${inWords(printParseErrorCode(error.error))}`,
      });
      return undefined;
    }
    if (root?.type !== "object") {
      this.problems.push({ path, line: 1, reason: "must hold one JSON object" });
      return undefined;
    }
    return new JsonManifest(path, text, root);
  }

  /** A JSON manifest whose faults another reading of it reports. */
  quietJson(path: string): JsonManifest | undefined {
    const before = this.problems.length;
    const manifest = this.json(path);
    this.problems.length = before;
    return manifest;
  }

  /** A TOML manifest. `undefined` when there is none or it is broken. */
  toml(path: string): TomlManifest | undefined {
    const text = this.text(path);
    if (text === undefined) return undefined;
    try {
      return new TomlManifest(path, text, parseTomlText(text));
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      const reason = error.message.split("\n")[0]?.replace("Invalid TOML document: ", "") ?? "";
      this.problems.push({ path, line: error.line, reason: `not valid TOML: ${reason}` });
      return undefined;
    }
  }
}

/** `PropertyNameExpected` as `property name expected`. */
function inWords(code: string): string {
  return code.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}

/** `text` as one word of a shell command. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * Names of files as git gives them: bytes, which are usually but not always UTF-8.
 * Rule: the bytes are the name; the text is what people read.
 */
import { decodeLossy, decodeStrict } from "../platform/text.ts";

/** A path inside a repository, relative to its root, with `/` between the components. */
export interface GitPath {
  readonly bytes: Uint8Array;
  /** The name as text; where the bytes are not UTF-8, U+FFFD stands in for them. */
  readonly text: string;
  /** Whether `text` says all that `bytes` says. */
  readonly isUtf8: boolean;
}

/** Makes a path of its bytes or of its text. */
export function gitPath(name: Uint8Array | string): GitPath {
  if (typeof name === "string") {
    return { bytes: new TextEncoder().encode(name), text: name, isUtf8: true };
  }
  const text = decodeStrict(name);
  return { bytes: name, text: text ?? decodeLossy(name), isUtf8: text !== undefined };
}

/** A key that is equal for equal bytes and different for different ones, for maps and sets. */
export function pathKey(path: GitPath): string {
  return path.isUtf8 ? path.text : `\0${path.bytes.join(",")}`;
}

/**
 * The extension of a name, with its dot and in lower case; empty where there is none, as in
 * `Makefile` or `.gitignore`.
 *
 * @example
 * ```ts
 * import { extensionOf } from "./path.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(extensionOf("src/Main.TS"), ".ts");
 * assert.equal(extensionOf(".env"), "");
 * ```
 */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot <= 0 || dot === name.length - 1 ? "" : name.slice(dot).toLowerCase();
}

/** Splits what git printed with `-z` at its NUL bytes. Text after the last NUL is an error of the caller's to name. */
export function splitNul(bytes: Uint8Array): { fields: Uint8Array[]; rest: Uint8Array } {
  const fields: Uint8Array[] = [];
  let start = 0;
  for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, start)) {
    fields.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return { fields, rest: bytes.subarray(start) };
}

/**
 * Takes out of text whatever would make a terminal do more than print, whole or as a stream of pieces.
 * Rule: what comes out holds no control character but tab and newline, however the input was cut.
 * For the screen only: in records these characters are data and stay as they are.
 */

/**
 * Where the parser is: in text, behind an ESC, inside a CSI sequence, inside a string (OSC, DCS, SOS,
 * PM, APC), or behind an ESC inside a string. A reduction of Paul Williams' VT500 parser (vt100.net/emu).
 */
type State = "text" | "escape" | "csi" | "string" | "stringEscape";

// deno-lint-ignore no-control-regex -- control characters are what this file is about
const SUSPICIOUS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]/g;

const ESC = 0x1b;

/**
 * The stateful form of {@linkcode stripControlSequences}: a sequence that is split over two pieces is
 * caught, and a surrogate pair that is split is put together before it is handed on.
 *
 * @example
 * ```ts
 * import { ControlSequenceStripper } from "./control_sequences.ts";
 * import assert from "node:assert/strict";
 *
 * const stripper = new ControlSequenceStripper();
 * assert.equal(stripper.push("a\x1b]52;c;aG"), "a");
 * assert.equal(stripper.push("k=\x07b") + stripper.end(), "b");
 * ```
 */
export class ControlSequenceStripper {
  #state: State = "text";
  #heldSurrogate = "";

  /** Takes the next piece; gives what of it may be shown now. */
  push(piece: string): string {
    let text = this.#heldSurrogate + piece;
    this.#heldSurrogate = "";
    if (isHighSurrogate(text.charCodeAt(text.length - 1))) {
      this.#heldSurrogate = text.slice(-1);
      text = text.slice(0, -1);
    }
    let shown = "";
    let index = 0;
    while (index < text.length) {
      if (this.#state === "text") {
        SUSPICIOUS.lastIndex = index;
        const found = SUSPICIOUS.exec(text)?.index ?? text.length;
        shown += text.slice(index, found);
        index = found;
        if (index === text.length) break;
        shown += this.#controlInText(text.charCodeAt(index));
        index++;
        continue;
      }
      // What a state does not consume is looked at again as text.
      if (this.#consumeInSequence(text.charCodeAt(index))) index++;
    }
    return shown;
  }

  /** Ends the stream: an unfinished sequence goes, a held half of a surrogate pair comes. */
  end(): string {
    const rest = this.#heldSurrogate;
    this.#heldSurrogate = "";
    this.#state = "text";
    return rest;
  }

  #controlInText(code: number): string {
    if (code === ESC) this.#state = "escape";
    if (code === 0x9b) this.#state = "csi";
    if (startsString(code)) this.#state = "string";
    // NEL, LINE SEPARATOR and PARAGRAPH SEPARATOR mean a new line; no terminal agrees with another on them.
    return code === 0x85 || code === 0x2028 || code === 0x2029 ? "\n" : "";
  }

  /** Moves on by one code unit of a sequence; false when it is not part of the sequence. */
  #consumeInSequence(code: number): boolean {
    switch (this.#state) {
      case "escape":
        return this.#consumeBehindEscape(code);
      case "csi":
        if (code >= 0x20 && code <= 0x3f) return true;
        this.#state = "text";
        return code >= 0x40 && code <= 0x7e;
      case "stringEscape":
        if (code === 0x5c) {
          this.#state = "text";
          return true;
        }
        this.#state = "escape";
        return false;
      default:
        return this.#consumeInString(code);
    }
  }

  #consumeBehindEscape(code: number): boolean {
    if (code >= 0x20 && code <= 0x2f) return true;
    if (code === 0x5b) this.#state = "csi";
    else if ("]PX^_".includes(String.fromCharCode(code))) this.#state = "string";
    else this.#state = "text";
    return code >= 0x30 && code <= 0x7e;
  }

  /** A string ends at BEL, ST (both forms), CAN, SUB or, unterminated, before the line's end. */
  #consumeInString(code: number): boolean {
    if (code === ESC) {
      this.#state = "stringEscape";
      return true;
    }
    if (code === 0x07 || code === 0x18 || code === 0x1a || code === 0x9c) {
      this.#state = "text";
      return true;
    }
    if (code === 0x0a || code === 0x85 || code === 0x2028 || code === 0x2029) {
      this.#state = "text";
      return false;
    }
    return true;
  }
}

function startsString(code: number): boolean {
  return code === 0x90 || code === 0x98 || code === 0x9d || code === 0x9e || code === 0x9f;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/**
 * Removes everything from `text` that would make a terminal do more than print: escape sequences in
 * 7-bit and 8-bit form (colour, cursor, title, clipboard, hyperlinks) and control characters but tab
 * and newline. `\r\n` becomes `\n`; a lone `\r` goes; U+0085, U+2028 and U+2029 become `\n`. An
 * unterminated string sequence (OSC and its like) takes the rest of its line along.
 *
 * @example
 * ```ts
 * import { stripControlSequences } from "./control_sequences.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(stripControlSequences("a\x1b[31mred\x1b[0m\x1b]52;c;aGk=\x07b"), "aredb");
 * ```
 */
export function stripControlSequences(text: string): string {
  if (text.search(SUSPICIOUS) === -1) return text;
  const stripper = new ControlSequenceStripper();
  return stripper.push(text) + stripper.end();
}

/**
 * What a terminal in raw mode sends, as keys.
 * Rule: the cut of the bytes does not matter; a sequence nobody knows is dropped whole, never typed.
 */
import { stripControlSequences } from "../../platform/text.ts";

/** The keys that are no text. */
export type KeyName =
  | "enter"
  | "tab"
  | "backspace"
  | "delete"
  | "escape"
  | "up"
  | "down"
  | "left"
  | "right"
  | "home"
  | "end";

/** Something typed: text, pasted text (line breaks as `\n`), or a key; a letter with Ctrl or Alt is a key too. */
export type Key =
  | { type: "text"; text: string }
  | { type: "paste"; text: string }
  | { type: "key"; name: KeyName | string; ctrl: boolean; alt: boolean; shift: boolean };

const FINAL_NAMES: Readonly<Record<string, KeyName>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  F: "end",
  H: "home",
};
const TILDE_NAMES: Readonly<Record<string, KeyName>> = {
  "1": "home",
  "3": "delete",
  "4": "end",
  "7": "home",
  "8": "end",
};
const CODE_NAMES: Readonly<Record<string, KeyName>> = {
  "9": "tab",
  "13": "enter",
  "27": "escape",
  "127": "backspace",
};

const PASTE_END = "\x1b[201~";
/** A sequence longer than this is no key. */
const MAX_SEQUENCE_CHARS = 64;
// deno-lint-ignore no-control-regex -- what keys send
const SEQUENCE = /^\x1b(?:\[([0-?]*)[ -/]*([@-~])|O([A-Za-z]))/;
// deno-lint-ignore no-control-regex -- what keys send
const UNFINISHED = /^\x1b(?:\[[0-?]*[ -/]*|O)?$/;

/** Takes bytes as they are read and gives the keys that are whole. */
export class KeyDecoder {
  readonly #utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
  #pending = "";
  #paste: string | undefined;

  /** Takes the next bytes. */
  push(bytes: Uint8Array): Key[] {
    this.#pending += this.#utf8.decode(bytes, { stream: true });
    return this.#decode(false);
  }

  /** Nothing came for a while: what looked like the beginning of a sequence was the Escape key. */
  flush(): Key[] {
    return this.#decode(true);
  }

  /** Whether the beginning of a sequence waits for its rest. */
  get isWaiting(): boolean {
    return this.#pending !== "" && this.#paste === undefined;
  }

  #decode(isFlush: boolean): Key[] {
    const keys: Key[] = [];
    while (this.#pending !== "") {
      if (this.#paste !== undefined) {
        if (!this.#takePaste(keys)) break;
        continue;
      }
      if (this.#pending.startsWith("\x1b")) {
        if (!this.#takeSequence(keys, isFlush)) break;
        continue;
      }
      this.#takePlain(keys);
    }
    return keys;
  }

  /** Moves pasted text over; false when its end has not come yet. */
  #takePaste(keys: Key[]): boolean {
    const end = this.#pending.indexOf(PASTE_END);
    // The end may be cut: its possible beginning stays behind.
    const taken = end === -1 ? keepBack(this.#pending, PASTE_END) : end;
    this.#paste += this.#pending.slice(0, taken);
    this.#pending = this.#pending.slice(taken);
    if (end === -1) return false;
    this.#pending = this.#pending.slice(PASTE_END.length);
    const text = stripControlSequences((this.#paste ?? "").replace(/\r\n?/g, "\n"));
    if (text !== "") keys.push({ type: "paste", text });
    this.#paste = undefined;
    return true;
  }

  /** Takes what begins with ESC; false when more must come first. */
  #takeSequence(keys: Key[], isFlush: boolean): boolean {
    const text = this.#pending;
    const match = SEQUENCE.exec(text);
    if (match !== null) {
      this.#pending = text.slice(match[0].length);
      if (match[0] === "\x1b[200~") this.#paste = "";
      else keys.push(...sequenceKey(match[1] ?? "", match[2] ?? match[3] ?? ""));
      return true;
    }
    const isUnfinished = UNFINISHED.test(text);
    if (isUnfinished && !isFlush && text.length < MAX_SEQUENCE_CHARS) return false;
    if (isUnfinished || text[1] === "\x1b") {
      // Escape alone; the beginning of a longer sequence is dropped with it.
      this.#pending = text[1] === "\x1b" ? text.slice(1) : "";
      keys.push(key("escape"));
      return true;
    }
    if (text[1] === "[" || text[1] === "O") {
      this.#pending = text.slice(2);
      return true;
    }
    const character = String.fromCodePoint(text.codePointAt(1) ?? 0);
    this.#pending = text.slice(1 + character.length);
    keys.push(withAlt(plainKey(character)));
    return true;
  }

  #takePlain(keys: Key[]): void {
    // deno-lint-ignore no-control-regex -- what keys send
    const typed = /^[^\x00-\x1f\x7f-\x9f]+/.exec(this.#pending)?.[0];
    if (typed !== undefined) keys.push({ type: "text", text: typed });
    else keys.push(plainKey(this.#pending.charAt(0)));
    this.#pending = this.#pending.slice(typed?.length ?? 1);
  }
}

function key(name: string, ctrl = false, alt = false, shift = false): Key {
  return { type: "key", name, ctrl, alt, shift };
}

/** A single character as a key: control characters are Ctrl and a letter, but for those with keys of their own. */
function plainKey(character: string): Key {
  const code = character.codePointAt(0) ?? 0;
  if (code === 0x0d) return key("enter");
  if (code === 0x09) return key("tab");
  if (code === 0x7f || code === 0x08) return key("backspace");
  if (code < 0x20) return key(String.fromCharCode(code + 0x60), true);
  return { type: "text", text: code >= 0x80 && code <= 0x9f ? "" : character };
}

function withAlt(typed: Key): Key {
  if (typed.type === "key") return { ...typed, alt: true };
  return key(typed.text.toLowerCase(), false, true);
}

/** The key of a CSI or SS3 sequence, by xterm's and kitty's conventions; none when it is not known. */
function sequenceKey(parameters: string, final: string): Key[] {
  const numbers = parameters.split(";");
  const modifier = Math.max(0, Number(numbers[1] ?? "1") - 1);
  const make = (name: string) => [
    key(name, (modifier & 4) !== 0, (modifier & 2) !== 0, (modifier & 1) !== 0),
  ];
  if (final === "Z") return [key("tab", false, false, true)];
  if (final === "~" && numbers[0] === "27") return codeKey(numbers[2] ?? "", make);
  if (final === "u") return codeKey(numbers[0] ?? "", make);
  const name = final === "~" ? TILDE_NAMES[numbers[0] ?? ""] : FINAL_NAMES[final];
  return name === undefined ? [] : make(name);
}

function codeKey(code: string, make: (name: string) => Key[]): Key[] {
  const name = CODE_NAMES[code];
  if (name !== undefined) return make(name);
  const number = Number(code);
  return number > 0x20 && number < 0x7f ? make(String.fromCharCode(number).toLowerCase()) : [];
}

/** The length of `text` without what may be the beginning of `marker` at its end. */
function keepBack(text: string, marker: string): number {
  for (let length = Math.min(marker.length - 1, text.length); length > 0; length--) {
    if (marker.startsWith(text.slice(-length))) return text.length - length;
  }
  return text.length;
}

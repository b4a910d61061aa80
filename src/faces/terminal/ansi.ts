/**
 * Colours and styles: text with names of styles in, text with escape sequences out.
 * Rule: the only place that writes SGR sequences; text from outside is stripped here once more.
 */
import type { Environment } from "../../platform/environment.ts";
import { stripControlSequences } from "../../platform/text.ts";

const SGR = {
  bold: 1,
  dim: 2,
  italic: 3,
  underline: 4,
  inverse: 7,
  strikethrough: 9,
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  magenta: 35,
  cyan: 36,
} as const;

/** A colour or a style that {@linkcode Paint} knows. */
export type StyleName = keyof typeof SGR;

/** A run of text in one style. */
export interface Span {
  text: string;
  styles: readonly StyleName[];
}

/** Gives `text`, without control sequences, in `styles`. What it gives must not be painted again. */
export type Paint = (text: string, ...styles: readonly StyleName[]) => string;

/** Whether output to a terminal should be coloured: not with NO_COLOR (no-color.org) or a dumb terminal. */
export function wantsColour(isTerminal: boolean, environment: Environment): boolean {
  return isTerminal && environment.NO_COLOR === undefined && environment.TERM !== "dumb";
}

/**
 * A {@linkcode Paint} that colours, or one that gives plain text.
 *
 * @example
 * ```ts
 * import { createPaint } from "./ansi.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(createPaint(true)("done", "bold", "green"), "\x1b[1;32mdone\x1b[0m");
 * assert.equal(createPaint(false)("done\x1b[2J", "bold"), "done");
 * ```
 */
export function createPaint(isColour: boolean): Paint {
  return (text, ...styles) => {
    const plain = stripControlSequences(text);
    if (!isColour || styles.length === 0 || plain === "") return plain;
    const codes = styles.map((style) => SGR[style]).join(";");
    return `\x1b[${codes}m${plain}\x1b[0m`;
  };
}

/** Paints a line of spans. */
export function paintSpans(spans: readonly Span[], paint: Paint): string {
  return spans.map((span) => paint(span.text, ...span.styles)).join("");
}

/**
 * Markdown that arrives in pieces, shown as it comes: words at once, and each block in its final form
 * as soon as it is whole. Rule: what the screen shows in the end does not depend on the pieces; the
 * only exception is a block taller than the screen, which stays as it was written.
 */
import { ControlSequenceStripper } from "../../platform/text.ts";
import { createPaint, type Paint, paintSpans } from "./ansi.ts";
import { BlockScanner, type ScannedBlock } from "./block_scanner.ts";
import { LiveTail } from "./live_tail.ts";
import { type BlockStyle, codeRule, renderBlocks } from "./markdown_blocks.ts";
import { expandTabs } from "./width.ts";
import type { SpanLine } from "./wrap.ts";

/** A heading by its mark, or by the line below it. */
const HEADING = /^ {0,3}#{1,6}(?:\s|$)|\n {0,3}(?:=+|-+)[ \t]*$/;

/** How and where Markdown is shown. */
export interface MarkdownOptions {
  /** Columns of the terminal. */
  width: number;
  isColour: boolean;
  /** Rows of the terminal. Without it the text goes to no terminal and is handed on as it was written. */
  rows?: number;
}

/**
 * Takes the pieces of a Markdown text and gives what to write, from the start of an empty row on.
 *
 * @example
 * ```ts
 * import { MarkdownStream } from "./markdown.ts";
 * import assert from "node:assert/strict";
 *
 * const stream = new MarkdownStream({ width: 80, isColour: false });
 * assert.equal(stream.push("Hello\x1b[2J, *you"), "Hello, *you");
 * assert.equal(stream.push("*") + stream.end(), "*\n");
 * ```
 */
export class MarkdownStream {
  readonly #paint: Paint;
  readonly #isLive: boolean;
  readonly #stripper = new ControlSequenceStripper();
  readonly #scanner = new BlockScanner();
  #style: BlockStyle;
  #tail: LiveTail;
  #partialLine = "";
  /** Text of the unfinished block that the tail does not show yet. */
  #unshown = "";
  #hasOutput = false;
  #isAfterHeading = false;
  #endsInNewline = true;

  constructor(options: MarkdownOptions) {
    this.#paint = createPaint(options.isColour);
    this.#isLive = options.rows !== undefined;
    this.#style = { width: options.width, hasStyles: options.isColour };
    this.#tail = new LiveTail(options.width, options.rows ?? 0);
  }

  /** Takes the next piece; gives what to write now. */
  push(delta: string): string {
    return this.#accept(this.#stripper.push(delta));
  }

  /** Ends the text; gives what is left to write. The cursor is then at the start of an empty row. */
  end(): string {
    const output = this.#accept(this.#stripper.end());
    if (!this.#isLive) return output + (this.#endsInNewline ? "" : "\n");
    const line = this.#partialLine;
    this.#partialLine = "";
    const blocks = line === "" ? [] : this.#scanner.push(line);
    blocks.push(...this.#scanner.end());
    if (!this.#tail.isCommitted) return output + this.#tail.erase() + this.#renderAll(blocks);
    this.#tail.reset();
    return output + "\n" + this.#renderAll(blocks.slice(1));
  }

  /** The terminal has another size now. What is on the screen stays; what comes is rendered for the new size. */
  resize(width: number, rows: number): void {
    this.#style = { ...this.#style, width };
    if (this.#tail.isEmpty) this.#tail = new LiveTail(width, rows);
    else this.#tail.commit();
  }

  #accept(text: string): string {
    if (text === "") return "";
    if (!this.#isLive) {
      this.#endsInNewline = text.endsWith("\n");
      return text;
    }
    let output = "";
    const pieces = text.split("\n");
    const rest = pieces.pop() ?? "";
    for (const piece of pieces) output += this.#acceptLineEnd(piece);
    this.#partialLine += rest;
    this.#unshown += rest;
    return output + this.#showTail();
  }

  /** Takes the end of a line, `piece` being what was not taken of it yet. */
  #acceptLineEnd(piece: string): string {
    const blocks = this.#scanner.push(this.#partialLine + piece);
    this.#partialLine = "";
    this.#unshown += piece + "\n";
    const openLines = this.#scanner.openLines;
    if (this.#tail.isCommitted) {
      const shown = this.#showTail();
      if (blocks.length === 0) return shown;
      // The first block stands there already; the line may be the first one of the next.
      const isNextLine = blocks.length > 1 || openLines.length > 0;
      const erased = isNextLine ? this.#tail.eraseLastLine() : "";
      this.#tail.reset();
      this.#unshown = openLines.map((line) => line + "\n").join("");
      return shown + erased + this.#renderAll(blocks.slice(1));
    }
    if (blocks.length === 0 && openLines.length > 0) return "";
    this.#unshown = openLines.map((line) => line + "\n").join("");
    return this.#tail.erase() + this.#renderAll(blocks);
  }

  #showTail(): string {
    const text = this.#unshown;
    this.#unshown = "";
    if (text === "") return "";
    const hasGap = this.#tail.isEmpty && this.#hasOutput && this.#scanner.hasGap;
    const overflow = this.#scanner.isTable ? "hold" : "commit";
    return this.#tail.append(hasGap ? "\n" + text : text, overflow);
  }

  #renderAll(blocks: readonly ScannedBlock[]): string {
    return blocks.map((block) => this.#render(block)).join("");
  }

  #render(block: ScannedBlock): string {
    switch (block.type) {
      case "block": {
        const isHeading = HEADING.test(block.source);
        const gap = this.#gap(block.hasGap || isHeading);
        this.#isAfterHeading = isHeading;
        return gap + this.#paintLines(renderBlocks(block.source, this.#style));
      }
      case "codeOpen":
        return this.#gap(block.hasGap) +
          this.#paintLines([codeRule(block.language, this.#style.width)]);
      case "codeLine":
        return this.#paint(expandTabs(block.text)) + "\n";
      case "codeClose":
        return this.#paintLines([codeRule("", this.#style.width)]);
    }
  }

  /** The empty line between two blocks. */
  #gap(isWanted: boolean): string {
    const gap = this.#hasOutput && (isWanted || this.#isAfterHeading) ? "\n" : "";
    this.#hasOutput = true;
    this.#isAfterHeading = false;
    return gap;
  }

  #paintLines(lines: readonly SpanLine[]): string {
    return lines.map((line) => paintSpans(line, this.#paint) + "\n").join("");
  }
}

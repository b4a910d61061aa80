/**
 * Finds, line by line, where a block of Markdown ends, so that it can be rendered while more comes.
 * Rule: each line is looked at once, and a decision is never taken back.
 */

/** What a line brought to light. */
export type ScannedBlock =
  /** Whole blocks to be parsed. `isItem`: the next item of the list before it. */
  | { type: "block"; source: string; hasGap: boolean; isItem: boolean }
  /** A fenced code block at the top level, which needs no parser. */
  | { type: "codeOpen"; language: string; hasGap: boolean }
  | { type: "codeLine"; text: string }
  | { type: "codeClose" };

interface Fence {
  marker: string;
  indent: number;
}

type Current =
  | { kind: "none" }
  | { kind: "paragraph" | "quote" | "indented" | "html"; lines: string[]; hasGap: boolean }
  | { kind: "item"; lines: string[]; hasGap: boolean; isItem: boolean; item: Item }
  | { kind: "code"; fence: Fence };

/** The list item that lines are being added to. */
interface Item {
  /** The column at which its content begins: lines indented so far belong to it. */
  contentColumn: number;
  fence: Fence | undefined;
  isAfterBlank: boolean;
}

const FENCE = /^( *)(`{3,}(?=[^`]*$)|~{3,})(.*)$/;
const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const THEMATIC_BREAK = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const LIST_ITEM = /^( {0,3})([-+*]|\d{1,9}[.)])([ \t]+(?=\S)|[ \t]*$)/;
const INTERRUPTING_ITEM = /^ {0,3}(?:[-+*]|1[.)])[ \t]+\S/;
const QUOTE = /^ {0,3}>/;
const HTML = /^ {0,3}<[A-Za-z/!?]/;
const SETEXT = /^ {0,3}(?:=+|-+)[ \t]*$/;
const TABLE_DELIMITER = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/** Takes lines without their line break and gives what they finish. */
export class BlockScanner {
  #current: Current = { kind: "none" };
  #isAfterBlank = false;
  #finished: ScannedBlock[] = [];

  /** Takes the next line; gives what it finished, in order. */
  push(line: string): ScannedBlock[] {
    const current = this.#current;
    if (current.kind === "code") this.#continueCode(current.fence, line);
    else if (current.kind === "none") this.#start(line);
    else if (current.kind === "item") this.#continueItem(current, line);
    else this.#continueBlock(current, line);
    return this.#take();
  }

  /** Ends the text; gives what was still open. */
  end(): ScannedBlock[] {
    if (this.#current.kind === "code") this.#finished.push({ type: "codeClose" });
    else this.#finish();
    this.#current = { kind: "none" };
    return this.#take();
  }

  /** The lines of the unfinished block. Empty inside a code block, whose lines are finished one by one. */
  get openLines(): readonly string[] {
    return "lines" in this.#current ? this.#current.lines : [];
  }

  /** Whether an empty line goes before what comes next. */
  get hasGap(): boolean {
    return "hasGap" in this.#current ? this.#current.hasGap : this.#isAfterBlank;
  }

  /** Whether the unfinished block is a table, as far as it can be seen. */
  get isTable(): boolean {
    const current = this.#current;
    return current.kind === "paragraph" && isTable(current.lines);
  }

  #take(): ScannedBlock[] {
    const finished = this.#finished;
    this.#finished = [];
    return finished;
  }

  #start(line: string): void {
    if (line.trim() === "") {
      if (this.#current.kind === "none") this.#isAfterBlank = true;
      return;
    }
    const hasGap = this.#isAfterBlank;
    this.#isAfterBlank = false;
    const fence = openingFence(line);
    if (fence !== undefined) {
      this.#finished.push({ type: "codeOpen", language: fence.language, hasGap });
      this.#current = { kind: "code", fence };
      return;
    }
    if (HEADING.test(line) || THEMATIC_BREAK.test(line)) {
      this.#finished.push({ type: "block", source: line, hasGap, isItem: false });
      return;
    }
    const item = LIST_ITEM.exec(line);
    if (item !== null) return this.#startItem(line, item, hasGap, false);
    this.#current = { kind: startKind(line), lines: [line], hasGap };
  }

  #startItem(line: string, match: RegExpExecArray, hasGap: boolean, isItem: boolean): void {
    const markWidth = (match[1] ?? "").length + (match[2] ?? "").length;
    const spaces = match[3] ?? "";
    // CommonMark: five or more spaces behind the mark begin indented code one column behind it.
    const isOneColumn = spaces.length === 0 || spaces.length > 4 || line.trim() === match[2];
    const contentColumn = markWidth + (isOneColumn ? 1 : spaces.length);
    const fence = openingFence(
      " ".repeat(contentColumn) + line.slice(match[0].length),
      contentColumn,
    );
    const item = { contentColumn, fence, isAfterBlank: false };
    this.#current = { kind: "item", lines: [line], hasGap, isItem, item };
  }

  #continueCode(fence: Fence, line: string): void {
    if (closesFence(line, fence)) {
      this.#finished.push({ type: "codeClose" });
      this.#current = { kind: "none" };
      return;
    }
    const extra = Math.min(fence.indent, indentOf(line));
    this.#finished.push({ type: "codeLine", text: line.slice(extra) });
  }

  #continueBlock(
    current: Extract<Current, { kind: "paragraph" | "quote" | "indented" | "html" }>,
    line: string,
  ): void {
    const isBlank = line.trim() === "";
    if (isBlank) {
      this.#finish();
      this.#isAfterBlank = true;
      return;
    }
    switch (current.kind) {
      case "html":
        current.lines.push(line);
        return;
      case "indented":
        if (indentOf(line) >= 4) current.lines.push(line);
        else this.#restart(line);
        return;
      case "quote":
        if (QUOTE.test(line) || !interruptsParagraph(line)) current.lines.push(line);
        else this.#restart(line);
        return;
      case "paragraph":
        if (SETEXT.test(line) && !isTable(current.lines)) {
          current.lines.push(line);
          // `---` may also be the delimiter row of a table of one column; the parser decides.
          if (!(current.lines.length === 2 && current.lines[0]?.includes("|"))) this.#finish();
          return;
        }
        if (interruptsParagraph(line)) this.#restart(line);
        else current.lines.push(line);
    }
  }

  #continueItem(current: Extract<Current, { kind: "item" }>, line: string): void {
    const { item } = current;
    if (line.trim() === "") {
      current.lines.push(line);
      item.isAfterBlank = true;
      return;
    }
    const indent = indentOf(line);
    if (indent >= item.contentColumn) {
      current.lines.push(line);
      if (item.fence === undefined) item.fence = openingFence(line, item.contentColumn);
      else if (closesFence(line.slice(item.contentColumn), item.fence)) item.fence = undefined;
      item.isAfterBlank = false;
      return;
    }
    const isLazy = !item.isAfterBlank && item.fence === undefined && !interruptsParagraph(line) &&
      !LIST_ITEM.test(line);
    if (isLazy) {
      current.lines.push(line);
      return;
    }
    const next = THEMATIC_BREAK.test(line) ? null : LIST_ITEM.exec(line);
    const hasGap = item.isAfterBlank;
    this.#finish();
    if (next !== null) {
      return this.#startItem(line, next, hasGap, isSameList(current.lines[0], line));
    }
    this.#isAfterBlank = hasGap;
    this.#start(line);
  }

  #restart(line: string): void {
    this.#finish();
    this.#start(line);
  }

  #finish(): void {
    const current = this.#current;
    if (!("lines" in current)) return;
    const source = current.lines.join("\n").trimEnd();
    const isItem = current.kind === "item" && current.isItem;
    this.#finished.push({ type: "block", source, hasGap: current.hasGap, isItem });
    this.#current = { kind: "none" };
  }
}

function startKind(line: string): "paragraph" | "quote" | "indented" | "html" {
  if (indentOf(line) >= 4) return "indented";
  if (QUOTE.test(line)) return "quote";
  return HTML.test(line) ? "html" : "paragraph";
}

function interruptsParagraph(line: string): boolean {
  return openingFence(line) !== undefined || HEADING.test(line) || THEMATIC_BREAK.test(line) ||
    QUOTE.test(line) || INTERRUPTING_ITEM.test(line);
}

function isTable(lines: readonly string[]): boolean {
  const [header, delimiter] = lines;
  return header !== undefined && delimiter !== undefined && header.includes("|") &&
    TABLE_DELIMITER.test(delimiter);
}

function isSameList(first: string | undefined, second: string): boolean {
  const mark = (line: string) => LIST_ITEM.exec(line)?.[2]?.slice(-1);
  return first !== undefined && mark(first) === mark(second);
}

function openingFence(line: string, fromColumn = 0): (Fence & { language: string }) | undefined {
  const match = FENCE.exec(line);
  const indent = (match?.[1] ?? "").length - fromColumn;
  if (match === null || indent < 0 || indent > 3) return undefined;
  return { marker: match[2] ?? "", indent, language: (match[3] ?? "").trim() };
}

function closesFence(line: string, fence: Fence): boolean {
  const text = line.trim();
  return indentOf(line) <= 3 && text.length >= fence.marker.length &&
    text === (fence.marker[0] ?? "").repeat(text.length);
}

/** The columns of white space that `line` begins with; a tab goes to the next stop of four. */
function indentOf(line: string): number {
  let column = 0;
  for (const character of line) {
    if (character === " ") column++;
    else if (character === "\t") column += 4 - (column % 4);
    else break;
  }
  return column;
}

/**
 * Text on one line of Markdown: a table cell, a heading, a list item, the value of a field.
 * Rule: what a person wrote is the text (only escapes and references are resolved, and not in code);
 * what m31a writes is the plainest form that reads back equal and shows all of its characters.
 */
import type { Nodes } from "mdast";
import {
  deepLine,
  descendants,
  type InlineSpan,
  parseMarkdown,
  placeOf,
  spanFrom,
  spanOfChildren,
} from "./markdown.ts";
import { decodeReferences, escapeFully, escapeLightly, hasInvisible } from "./references.ts";

/**
 * The text of a span: code spans and emphasis as they stand, escapes and references resolved
 * outside of code, `<br>` as a newline, a line break of the source as a space.
 */
export function readInline(span: InlineSpan | undefined): string {
  return span === undefined ? "" : joinPieces(span, true);
}

/** The text of a paragraph: as {@linkcode readInline}, but newlines stay and `<br>` is no newline. */
export function readParagraph(span: InlineSpan): string {
  return joinPieces(span, false);
}

function joinPieces(span: InlineSpan, isOneLine: boolean): string {
  let text = "";
  let offset = span.start;
  const takeText = (end: number) => {
    const source = span.source.slice(offset, end);
    text += decodeReferences(isOneLine ? source.replace(/[ \t]*\n[ \t]*/g, " ") : source);
  };
  for (const node of descendants(span.nodes)) {
    const { start, end } = placeOf(node);
    if (start < offset || end > span.end) continue;
    if (node.type === "inlineCode") {
      takeText(start);
      text += codeSource(span, start, end, isOneLine);
      offset = end;
    }
    if (isOneLine && (node.type === "break" || isLineBreakTag(node))) {
      takeText(start);
      text += "\n";
      offset = end;
    }
  }
  takeText(span.end);
  return text;
}

function codeSource(span: InlineSpan, start: number, end: number, isOneLine: boolean): string {
  const source = span.source.slice(start, end);
  const line = isOneLine ? source.replace(/[ \t]*\n[ \t]*/g, " ") : source;
  // In a table a pipe is escaped even in code.
  return span.isTableCell ? line.replaceAll("\\|", "|") : line;
}

/** Whether a node is `<br>`, however it is spelled. */
export function isLineBreakTag(node: Nodes): boolean {
  return node.type === "html" &&
    ["<br>", "<br/>", "<br />"].includes(node.value.toLowerCase());
}

/** Where inline text is put: what stands around it, and how it is found again. */
export interface InlineContext {
  wrap(inline: string): string;
  find(document: string): InlineSpan | undefined;
  isTableCell?: boolean;
}

/** Inline text as the beginning of a paragraph. */
export const PARAGRAPH_CONTEXT: InlineContext = {
  wrap: (inline) => inline,
  find: onlyParagraph,
};

/** Inline text behind something that cannot be the start of a block, such as `**Label:**`. */
export const FIELD_CONTEXT: InlineContext = {
  wrap: (inline) => `**x:** ${inline}`,
  find(document) {
    const span = onlyParagraph(document);
    return span === undefined ? undefined : spanFrom(span, "**x:** ".length);
  },
};

/** Inline text in a heading, behind its number. */
export const HEADING_CONTEXT: InlineContext = {
  wrap: (inline) => `### x. ${inline}`,
  find(document) {
    const [heading, ...rest] = parseMarkdown(document).children;
    if (heading?.type !== "heading" || rest.length > 0) return undefined;
    const span = spanOfChildren(document, heading);
    return span === undefined ? undefined : spanFrom(span, "### x. ".length);
  },
};

/** Inline text as the whole of a list item. */
export const ITEM_CONTEXT: InlineContext = {
  wrap: (inline) => `- ${inline}`,
  find(document) {
    const [list, ...rest] = parseMarkdown(document).children;
    if (list?.type !== "list" || rest.length > 0) return undefined;
    const [paragraph, ...more] = list.children[0]?.children ?? [];
    if (paragraph?.type !== "paragraph" || more.length > 0) return undefined;
    return spanOfChildren(document, paragraph);
  },
};

/** Inline text in a cell of a table. */
export const CELL_CONTEXT: InlineContext = {
  isTableCell: true,
  wrap: (inline) => `| ${inline} |\n| --- |`,
  find(document) {
    const [table, ...rest] = parseMarkdown(document).children;
    if (table?.type !== "table" || rest.length > 0) return undefined;
    const [cell, ...more] = table.children[0]?.children ?? [];
    if (cell === undefined || more.length > 0) return undefined;
    const span = spanOfChildren(document, cell);
    return span === undefined ? undefined : { ...span, isTableCell: true };
  },
};

function onlyParagraph(document: string): InlineSpan | undefined {
  const [paragraph, ...rest] = parseMarkdown(document).children;
  if (paragraph?.type !== "paragraph" || rest.length > 0) return undefined;
  return spanOfChildren(document, paragraph);
}

/** Longer text is escaped without trying whether it could do without. */
const LONGEST_TRIED = 4_000;

/**
 * Writes `text` so that {@linkcode readInline} gives it back in `context`: as it is where that reads
 * back and shows everything; else with the few escapes that this takes; else with all of them.
 */
export function writeInline(text: string, context: InlineContext): string {
  if (text === "" || isOrdinary(text)) return text;
  const finish = (inline: string) => context.isTableCell ? escapePipes(inline) : inline;
  const byLines = (escape: (line: string) => string) => text.split("\n").map(escape).join("<br>");
  if (text.length <= LONGEST_TRIED && deepLine(text) === undefined) {
    const asIs = finish(byLines((line) => line));
    if (!hasInvisible(text.replaceAll("\n", "")) && readsBack(asIs, text, context)) return asIs;
    const light = finish(byLines(escapeLightly));
    if (readsBack(light, text, context)) return light;
  }
  return escapeFully(text);
}

/** Whether `text` is a plain sentence, in which Markdown sees nothing but text wherever it stands. */
function isOrdinary(text: string): boolean {
  return /^\p{L}(?:[\p{L}\p{N} ,.;'"()/?-]*[\p{L}\p{N},.;'"()/?])?$/u.test(text);
}

function escapePipes(inline: string): string {
  return inline.replaceAll("|", "\\|");
}

function readsBack(inline: string, text: string, context: InlineContext): boolean {
  const span = context.find(context.wrap(inline));
  if (span === undefined) return false;
  return readInline(span) === text && showsAll(span.source, span.nodes, true) &&
    isStable(inline, span.nodes);
}

/**
 * Whether a page shows every character of the text that the nodes stand for: no HTML (but `<br>`
 * where it means a newline), and no emphasis made of characters inside of words and paths, as the two
 * `**` of `src/**` and `test/**` would be.
 */
export function showsAll(source: string, nodes: readonly Nodes[], mayBreak: boolean): boolean {
  for (const node of descendants(nodes)) {
    if (node.type === "html" && !(mayBreak && isLineBreakTag(node))) return false;
    if (node.type === "emphasis" || node.type === "strong" || node.type === "delete") {
      const { start, end } = placeOf(node);
      if (/[^\s([{"'>*_~]/.test(source.charAt(start - 1))) return false;
      if (/[\p{L}\p{N}/\\*]/u.test(source.charAt(end))) return false;
    }
  }
  return true;
}

/**
 * Whether inline source means the same beside any link definition that a document may hold: a
 * definition turns brackets into links, and only escapes next to links could then be read otherwise.
 */
export function isStable(inline: string, nodes: readonly Nodes[]): boolean {
  if (!inline.includes("\\") && !inline.includes("&")) return true;
  for (const node of descendants(nodes)) {
    if (node.type === "link" || node.type === "image") return false;
  }
  return true;
}

/** The content of a span that is one code span, such as a command; else its text. */
export function readCode(span: InlineSpan | undefined): string {
  const first = span?.nodes.find((node) => placeOf(node).start === span.start);
  const isWhole = first?.type === "inlineCode" && placeOf(first).end === span?.end;
  return isWhole ? first.value : readInline(span);
}

/** Writes `text` as a code span where it can be one, else as {@linkcode writeInline} does; empty text as nothing. */
export function writeCode(text: string, context: InlineContext): string {
  if (!canBeCode(text)) return text.includes("`") ? escapeFully(text) : writeInline(text, context);
  return context.isTableCell ? `\`${escapePipes(text)}\`` : `\`${text}\``;
}

/** Whether `text` can stand between backticks: not empty, no backtick, nothing that a code span would trim or hide. */
export function canBeCode(text: string): boolean {
  return text !== "" && !text.includes("`") && !text.includes("\\|") && !text.endsWith("\\") &&
    text === text.trim() && !text.includes("\t") && !hasInvisible(text);
}

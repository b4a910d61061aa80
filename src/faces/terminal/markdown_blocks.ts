/**
 * Finished Markdown blocks as lines of styled text.
 * Rule: no line of prose is wider than the width; lines of code are never broken or changed.
 */
import type { List, ListItem, RootContent, Table } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { stripControlSequences } from "../../platform/text.ts";
import type { Span, StyleName } from "./ansi.ts";
import { renderInline } from "./markdown_inline.ts";
import { type Cell, layoutTable } from "./table.ts";
import { expandTabs, pad } from "./width.ts";
import { type SpanLine, spansWidth, wrapSpans } from "./wrap.ts";

/** How blocks are rendered. */
export interface BlockStyle {
  /** Columns. */
  width: number;
  /** Whether styles will be seen; without them code keeps its backticks and headings their marks. */
  hasStyles: boolean;
}

/** Parsing costs more than linearly in some texts, so a longer block is shown as it was written. */
const MAX_PARSED_CHARS = 64 * 1024;
/** Twenty containers inside each other on one line are no writing; parsing them is quadratic and deeply recursive. */
const TOO_DEEP = /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))){20}/m;
const MIN_WIDTH = 8;

/** Renders Markdown that holds whole blocks. */
export function renderBlocks(source: string, style: BlockStyle): SpanLine[] {
  if (source.length > MAX_PARSED_CHARS || TOO_DEEP.test(source)) {
    return source.split("\n").map((line) => [plain(line)]);
  }
  const root = fromMarkdown(source, {
    extensions: [gfm()],
    mdastExtensions: [gfmFromMarkdown()],
  });
  return joinBlocks(root.children, style, true);
}

/** The line above a code block, with its language, or below it. */
export function codeRule(language: string, width: number): SpanLine {
  const name = stripControlSequences(language).split(/\s/)[0] ?? "";
  const label = name === "" ? "" : `── ${name} `;
  const columns = Math.max(MIN_WIDTH, Math.min(width, 60));
  return [{
    text: label + "─".repeat(Math.max(2, columns - spansWidth([plain(label)]))),
    styles: ["dim"],
  }];
}

function joinBlocks(
  nodes: readonly RootContent[],
  style: BlockStyle,
  isLoose: boolean,
): SpanLine[] {
  return nodes.flatMap((node, index) => {
    const lines = renderBlock(node, style);
    return index > 0 && isLoose ? [[], ...lines] : lines;
  });
}

function renderBlock(node: RootContent, style: BlockStyle): SpanLine[] {
  switch (node.type) {
    case "paragraph":
      return wrapSpans(renderInline(node.children, style.hasStyles), style.width);
    case "heading": {
      const mark = style.hasStyles ? "" : "#".repeat(node.depth) + " ";
      const styles: StyleName[] = node.depth === 1 ? ["bold", "underline"] : ["bold"];
      const text = renderInline(node.children, style.hasStyles, styles);
      return wrapSpans([plain(mark), ...text], style.width);
    }
    case "thematicBreak":
      return [[{ text: "─".repeat(Math.min(style.width, 60)), styles: ["dim"] }]];
    case "blockquote":
      return quote(node.children, style);
    case "list":
      return list(node, style);
    case "code":
      return [
        codeRule(node.lang ?? "", style.width),
        ...node.value.split("\n").map((line) => [plain(line)]),
        codeRule("", style.width),
      ];
    case "table":
      return layoutTable(tableContent(node, style), style.width);
    case "html":
      return node.value.split("\n").flatMap((line) => wrapSpans([plain(line)], style.width));
    case "definition":
      return wrapSpans([dim(`[${node.label ?? node.identifier}]: ${node.url}`)], style.width);
    case "footnoteDefinition":
      return indent(node.children, style, [plain(`[^${node.identifier}] `)], true);
    default:
      return [];
  }
}

function quote(children: readonly RootContent[], style: BlockStyle): SpanLine[] {
  const inner = { ...style, width: Math.max(MIN_WIDTH, style.width - 2) };
  return joinBlocks(children, inner, true).map((line) => [dim("│ "), ...line]);
}

function list(node: List, style: BlockStyle): SpanLine[] {
  const start = node.start ?? 1;
  const lastLabel = `${start + node.children.length - 1}. `;
  return node.children.flatMap((item, index) => {
    const label = node.ordered === true
      ? pad(`${start + index}. `, lastLabel.length, "right")
      : "• ";
    const lines = listItem(item, label, style, node.spread === true || item.spread === true);
    return index > 0 && node.spread === true ? [[], ...lines] : lines;
  });
}

function listItem(item: ListItem, label: string, style: BlockStyle, isLoose: boolean): SpanLine[] {
  const mark: Span[] = [{ text: label, styles: ["dim"] }];
  if (typeof item.checked === "boolean") {
    mark.push(item.checked ? { text: "[x] ", styles: ["green"] } : plain("[ ] "));
  }
  return indent(item.children, style, mark, isLoose);
}

/** Blocks behind a mark: the first line follows it, the others stand below the first. */
function indent(
  children: readonly RootContent[],
  style: BlockStyle,
  mark: Span[],
  isLoose: boolean,
): SpanLine[] {
  const columns = spansWidth(mark);
  const inner = { ...style, width: Math.max(MIN_WIDTH, style.width - columns) };
  const lines = joinBlocks(children, inner, isLoose);
  if (lines.length === 0) return [mark];
  return lines.map((line, index): SpanLine => {
    if (index === 0) return [...mark, ...line];
    return line.length === 0 ? [] : [plain(" ".repeat(columns)), ...line];
  });
}

function tableContent(node: Table, style: BlockStyle) {
  const [header, ...rows] = node.children.map((row) =>
    row.children.map((cell): Cell => renderInline(cell.children, style.hasStyles))
  );
  return {
    header: (header ?? []).map((cell) =>
      cell.map((part): Span => ({ text: part.text, styles: ["bold", ...part.styles] }))
    ),
    rows,
    aligns: (node.align ?? []).map((align) => align ?? "left"),
  };
}

function plain(text: string): Span {
  return { text: expandTabs(stripControlSequences(text)), styles: [] };
}

function dim(text: string): Span {
  return { text: stripControlSequences(text), styles: ["dim"] };
}

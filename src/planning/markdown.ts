/**
 * The Markdown syntax tree that every planning document is read from: CommonMark with GitHub's tables.
 * Rule: every node has its place in the source, so that text is taken from the source and never rebuilt.
 */
import type { Nodes, PhrasingContent, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmStrikethroughFromMarkdown } from "mdast-util-gfm-strikethrough";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmStrikethrough } from "micromark-extension-gfm-strikethrough";
import { gfmTable } from "micromark-extension-gfm-table";

/** Parses Markdown. Automatic links are left out on purpose: they would be nodes without a place. */
export function parseMarkdown(source: string): Root {
  const root = fromMarkdown(source, {
    extensions: [gfmTable(), gfmStrikethrough()],
    mdastExtensions: [gfmTableFromMarkdown(), gfmStrikethroughFromMarkdown()],
  });
  endItemsBeforeTheNext(root);
  return root;
}

/**
 * An item whose HTML is not closed is given the line of the next item as well (`* <?` above `* x`): the
 * two would be read, and written, as three.
 */
function endItemsBeforeTheNext(node: Nodes): void {
  if (!("children" in node)) return;
  for (const [at, child] of node.children.entries()) {
    endItemsBeforeTheNext(child);
    const next = node.children[at + 1];
    if (child.type !== "listItem" || child.position === undefined) continue;
    if (next?.position === undefined) continue;
    const { end } = child.position;
    if ((end.offset ?? 0) > (next.position.start.offset ?? 0)) {
      child.position.end = next.position.start;
    }
  }
}

/** Lines that open more blocks in blocks than this are not worth parsing: the time for it grows with their square. */
const DEEPEST = 50;

/**
 * The number, from 1, of the first line of `source` that opens more than 50 quotes and lists in one
 * another; `undefined` when there is none.
 */
export function deepLine(source: string): number | undefined {
  const at = source.split("\n").findIndex((line) => {
    const opening = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t])))*/.exec(line)?.[0] ?? "";
    return opening.length > DEEPEST && (opening.match(/>|[-+*]|\d+[.)]/g)?.length ?? 0) > DEEPEST;
  });
  return at === -1 ? undefined : at + 1;
}

/** Where a node is: offsets into the source, and the line of its start counted from 1. */
export interface Place {
  start: number;
  end: number;
  line: number;
}

/** The place of a node that came out of {@linkcode parseMarkdown}. */
export function placeOf(node: Nodes): Place {
  const start = node.position?.start.offset;
  const end = node.position?.end.offset;
  const line = node.position?.start.line;
  if (start === undefined || end === undefined || line === undefined) {
    throw new Error(`a ${node.type} node has no place in the source`);
  }
  return { start, end, line };
}

/** A stretch of a document that holds inline text: the range, and the nodes that lie in it. */
export interface InlineSpan {
  /** The whole document. */
  source: string;
  start: number;
  end: number;
  line: number;
  nodes: readonly Nodes[];
  /** In a table's cell `\\|` is a pipe, also in code. */
  isTableCell?: boolean;
}

/** The span of the children of a paragraph, heading or table cell; `undefined` when it has none. */
export function spanOfChildren(
  source: string,
  parent: { children: readonly PhrasingContent[] },
): InlineSpan | undefined {
  const first = parent.children[0];
  const last = parent.children.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const { start, line } = placeOf(first);
  return { source, start, end: placeOf(last).end, line, nodes: parent.children };
}

/** The part of a span that begins at `start`, blanks passed over. */
export function spanFrom(span: InlineSpan, start: number): InlineSpan {
  let from = start;
  while (from < span.end && isBlank(span.source.charAt(from))) from++;
  return { ...span, start: from };
}

/** Whether a character is a space, tab or newline. */
export function isBlank(character: string): boolean {
  return character === " " || character === "\t" || character === "\n";
}

/** All nodes below `nodes`, parents before their children. */
export function* descendants(nodes: readonly Nodes[]): Generator<Nodes> {
  for (const node of nodes) {
    yield node;
    if ("children" in node) yield* descendants(node.children);
  }
}

/**
 * A section that is a list of texts, one an item: the risks and the verification of a plan.
 * Rule: lists with any marker are read, and paragraphs too; written are lines that begin with `-`.
 */
import type { ListItem, RootContent } from "mdast";
import { sourceOfBlocks } from "./block_text.ts";
import { ITEM_CONTEXT, readInline, writeInline } from "./inline_text.ts";
import { placeOf, spanOfChildren } from "./markdown.ts";
import type { Part, Section, SectionedDocument } from "./sections.ts";

/** Reads the items of a section; blocks that are neither lists nor paragraphs are kept. */
export function readBulletList(document: SectionedDocument, section: Section): string[] {
  const items: string[] = [];
  const hasItems = section.nodes.some((node) =>
    node.type === "list" || node.type === "paragraph" || isIndentedCode(document.source, node)
  );
  for (const node of section.nodes) {
    if (node.type === "paragraph") {
      items.push(readInline(spanOfChildren(document.source, node)));
    } else if (node.type === "list") {
      items.push(...node.children.map((item) => readListItem(document.source, item)));
    } else if (isIndentedCode(document.source, node)) {
      // Written behind a list it would become part of that list's last item.
      items.push(sourceOfBlocks(document.source, [node]).trim());
    } else document.keep(section.name, hasItems && items.length === 0 ? "before" : "after", [node]);
  }
  return items;
}

function isIndentedCode(source: string, node: RootContent): boolean {
  return node.type === "code" && /^(?: {4}|\t| {1,3}\t)/.test(sourceOfBlocks(source, [node]));
}

/** The text of an item: of its paragraph, or, when there is more to it, its lines without their indentation. */
function readListItem(source: string, item: ListItem): string {
  const [first, ...more] = item.children;
  if (first === undefined) return "";
  if (first.type === "paragraph" && more.length === 0) {
    return readInline(spanOfChildren(source, first));
  }
  return sourceOfItem(source, item, placeOf(first).start);
}

/** The lines of a list item from the offset `start` on, without the indentation that `start` has. */
export function sourceOfItem(source: string, item: ListItem, start: number): string {
  const indentation = start - (source.lastIndexOf("\n", start - 1) + 1);
  const [head, ...lines] = source.slice(start, placeOf(item).end).split("\n");
  const dedented = lines.map((line) => {
    let blanks = 0;
    while (blanks < indentation && line.charAt(blanks) === " ") blanks++;
    return line.slice(blanks);
  });
  return [head, ...dedented].join("\n").replace(/\n+$/, "");
}

/** The part that {@linkcode readBulletList} reads as `items`. */
export function bulletListPart(name: string, items: readonly string[]): Part {
  const lines = items.map((item) => item === "" ? "-" : `- ${writeInline(item, ITEM_CONTEXT)}`);
  return { name, blocks: lines.length === 0 ? [] : [lines.join("\n")] };
}

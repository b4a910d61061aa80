/**
 * The inline part of Markdown (emphasis, code, links) as styled text.
 * Rule: a link shows where it leads; nothing becomes a terminal hyperlink.
 */
import type { PhrasingContent } from "mdast";
import { stripControlSequences } from "../../platform/text.ts";
import type { Span, StyleName } from "./ansi.ts";

/** Renders inline nodes in `styles`; `hasStyles` false keeps the backticks of code, which colour replaces. */
export function renderInline(
  nodes: readonly PhrasingContent[],
  hasStyles: boolean,
  styles: readonly StyleName[] = [],
): Span[] {
  return nodes.flatMap((node) => renderNode(node, hasStyles, styles));
}

function renderNode(
  node: PhrasingContent,
  hasStyles: boolean,
  styles: readonly StyleName[],
): Span[] {
  const inside = (children: PhrasingContent[], ...added: StyleName[]) =>
    renderInline(children, hasStyles, [...styles, ...added]);
  switch (node.type) {
    case "text":
      return [span(node.value.replace(/[ \t]*\n[ \t]*/g, " "), styles)];
    case "html":
      return [span(node.value, styles)];
    case "inlineCode":
      return [span(hasStyles ? node.value : "`" + node.value + "`", [...styles, "cyan"])];
    case "strong":
      return inside(node.children, "bold");
    case "emphasis":
      return inside(node.children, "italic");
    case "delete":
      return inside(node.children, "strikethrough");
    case "break":
      return [span("\n", styles)];
    case "link":
      return withTarget(inside(node.children, "underline"), node.url, styles);
    case "image":
      return withTarget([span(`[image: ${node.alt ?? ""}]`, styles)], node.url, styles);
    case "linkReference":
      return [span("[", styles), ...inside(node.children), span(`][${node.identifier}]`, styles)];
    case "imageReference":
      return [span(`[image: ${node.alt ?? ""}]`, styles)];
    case "footnoteReference":
      return [span(`[^${node.identifier}]`, styles)];
  }
}

/** A link's text and, unless they say the same, its address. */
function withTarget(text: Span[], url: string, styles: readonly StyleName[]): Span[] {
  const shown = text.map((part) => part.text).join("");
  const target = stripControlSequences(url);
  if (shown === target || `mailto:${shown}` === target || `http://${shown}` === target) return text;
  return [...text, span(` (${target})`, [...styles, "dim"])];
}

function span(text: string, styles: readonly StyleName[]): Span {
  return { text: stripControlSequences(text), styles };
}

/**
 * Labelled values: `**Files:** …` as a paragraph or `- **Phase:** …` as a list item.
 * Rule: a label is known by its text alone; bold or not, the colon inside or outside, in any case.
 */
import type { Paragraph } from "mdast";
import { sourceOfItem } from "./bullet_list.ts";
import { FIELD_CONTEXT, readInline, writeInline } from "./inline_text.ts";
import { type InlineSpan, placeOf, spanFrom, spanOfChildren } from "./markdown.ts";
import type { Part, Section, SectionedDocument } from "./sections.ts";

/** The label of a paragraph that is one of `labels`, and the span of the value behind it. */
export function readField<Label extends string>(
  source: string,
  paragraph: Paragraph,
  labels: readonly Label[],
): { label: Label; value: InlineSpan; line: number } | undefined {
  const span = spanOfChildren(source, paragraph);
  const [first] = paragraph.children;
  if (span === undefined || first === undefined) return undefined;
  const found = first.type === "strong"
    ? labelOfStrong(span, spanOfChildren(source, first))
    : labelOfText(span);
  if (found === undefined) return undefined;
  const text = found.text.trim().toLowerCase();
  const label = labels.find((known) => known.toLowerCase() === text);
  if (label === undefined) return undefined;
  return { label, value: spanFrom(span, found.valueStart), line: span.line };
}

interface FoundLabel {
  text: string;
  valueStart: number;
}

function labelOfStrong(span: InlineSpan, inner: InlineSpan | undefined): FoundLabel | undefined {
  const [strong] = span.nodes;
  if (strong === undefined || inner === undefined) return undefined;
  const { end } = placeOf(strong);
  const text = readInline(inner);
  if (text.endsWith(":")) return { text: text.slice(0, -1), valueStart: end };
  return span.source.charAt(end) === ":" ? { text, valueStart: end + 1 } : undefined;
}

function labelOfText(span: InlineSpan): FoundLabel | undefined {
  const colon = span.source.indexOf(":", span.start);
  if (colon === -1 || colon >= span.end) return undefined;
  return { text: span.source.slice(span.start, colon), valueStart: colon + 1 };
}

/** A field as a paragraph or the content of a list item. `inline` is what FIELD_CONTEXT was written for. */
export function writeField(label: string, inline: string): string {
  return inline === "" ? `**${label}:**` : `**${label}:** ${inline}`;
}

/** The fields of a section that is a list of them. */
export interface FieldList<Label extends string> {
  values: ReadonlyMap<Label, string>;
  /** The source of the items that are no known field, without their indentation. */
  others: readonly string[];
}

/**
 * Reads a section of fields. Items that are none are kept in `others`, other blocks beside the list.
 *
 * @throws {PlanningError} when a field is there twice
 */
export function readFieldList<Label extends string>(
  document: SectionedDocument,
  section: Section,
  labels: readonly Label[],
): FieldList<Label> {
  const values = new Map<Label, string>();
  const others: string[] = [];
  for (const node of section.nodes) {
    if (node.type !== "list") continue;
    for (const item of node.children) {
      const [paragraph, ...more] = item.children;
      const field = paragraph?.type === "paragraph" && more.length === 0
        ? readField(document.source, paragraph, labels)
        : undefined;
      if (field === undefined) {
        others.push(sourceOfItem(document.source, item, placeOf(item).start));
        continue;
      }
      if (values.has(field.label)) {
        throw document.fault(field.line, `"${field.label}" is given twice; leave one`);
      }
      values.set(field.label, readInline(field.value));
    }
  }
  const list = { values, others };
  keepBesideList(document, section, isEmpty(list));
  return list;
}

/** Keeps what is no list where it is; behind the list when that will not be written. */
function keepBesideList(document: SectionedDocument, section: Section, isGone: boolean): void {
  const first = section.nodes.findIndex((node) => node.type === "list");
  section.nodes.forEach((node, at) => {
    if (node.type === "list") return;
    document.keep(section.name, at < first && !isGone ? "before" : "after", [node]);
  });
}

function isEmpty<Label extends string>(list: FieldList<Label>): boolean {
  return [...list.values.values()].every((value) => value === "") && list.others.length === 0;
}

/** The part that {@linkcode readFieldList} reads as `list`: every known field, also the empty ones. */
export function fieldListPart<Label extends string>(
  name: string,
  labels: readonly Label[],
  list: FieldList<Label>,
): Part {
  const valueOf = (label: Label) => list.values.get(label) ?? "";
  if (isEmpty(list)) return { name, blocks: [] };
  const lines = labels.map((label) =>
    `- ${writeField(label, writeInline(valueOf(label), FIELD_CONTEXT))}`
  );
  return { name, blocks: [[...lines, ...list.others].join("\n")] };
}

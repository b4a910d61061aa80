/**
 * Lists on one line: task IDs, file names.
 * Rule: items are separated by commas (or `<br>`) outside of code; any text can be an item.
 */
import {
  canBeCode,
  type InlineContext,
  isLineBreakTag,
  readCode,
  writeCode,
} from "./inline_text.ts";
import { descendants, type InlineSpan, isBlank, placeOf, spanFrom } from "./markdown.ts";
import { escapeFully, reference } from "./references.ts";

/** What people put into a cell to say that there is nothing. */
const NOTHING = ["-", "–", "—"];

/** The item that is the empty text, as it is written. */
const EMPTY_ITEM = '""';

/** The items of a span. Empty ones are passed over; `""` is an empty text; a span that is only a dash has none. */
export function readItems(span: InlineSpan | undefined): string[] {
  if (span === undefined) return [];
  const items: string[] = [];
  for (const piece of splitAtCommas(span)) {
    const source = piece.source.slice(piece.start, piece.end);
    if (source === "" || NOTHING.includes(source)) continue;
    items.push(source === EMPTY_ITEM ? "" : readCode(piece));
  }
  return items;
}

function splitAtCommas(span: InlineSpan): InlineSpan[] {
  const pieces: InlineSpan[] = [];
  let start = span.start;
  const close = (end: number) => {
    pieces.push(trimmedSpan(span, start, end));
  };
  let offset = span.start;
  const searchText = (end: number) => {
    for (; offset < end; offset++) {
      if (span.source.charAt(offset) !== ",") continue;
      close(offset);
      start = offset + 1;
    }
  };
  for (const node of descendants(span.nodes)) {
    const place = placeOf(node);
    if (place.start < offset) continue;
    if (node.type === "inlineCode") {
      searchText(place.start);
      offset = place.end;
    }
    if (isLineBreakTag(node)) {
      searchText(place.start);
      close(place.start);
      offset = start = place.end;
    }
  }
  searchText(span.end);
  close(span.end);
  return pieces;
}

function trimmedSpan(span: InlineSpan, from: number, to: number): InlineSpan {
  let end = to;
  while (end > from && isBlank(span.source.charAt(end - 1))) end--;
  const { start } = spanFrom({ ...span, end }, from);
  const nodes = [...descendants(span.nodes)].filter((node) => {
    const place = placeOf(node);
    return place.start >= start && place.end <= end;
  });
  return { ...span, start, end, nodes };
}

/** Writes `items` so that {@linkcode readItems} gives them back: `code` ones between backticks, as file names are. */
export function writeItems(
  items: readonly string[],
  style: "plain" | "code",
  context: InlineContext,
): string {
  return items.map((item) => writeItem(item, style, context)).join(", ");
}

function writeItem(item: string, style: "plain" | "code", context: InlineContext): string {
  if (item === "") return EMPTY_ITEM;
  if (style === "code" && canBeCode(item)) return writeCode(item, context);
  if (/^[A-Za-z0-9][A-Za-z0-9._/-]*$/.test(item)) return item;
  if (NOTHING.includes(item)) return reference(item);
  return item.split(",").map(escapeFully).join("&#44;");
}

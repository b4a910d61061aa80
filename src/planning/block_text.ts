/**
 * Text of any length as the content of a section: a goal, a summary, the detail of a task.
 * Rule: ordinary text is ordinary Markdown; what would not read back equal goes into a fenced block.
 */
import type { RootContent } from "mdast";
import { hasConflictMark } from "./conflict_marks.ts";
import {
  isStable,
  PARAGRAPH_CONTEXT,
  readParagraph,
  showsAll,
  writeInline,
} from "./inline_text.ts";
import { deepLine, parseMarkdown, placeOf, spanOfChildren } from "./markdown.ts";
import { PlanningError } from "./planning_error.ts";
import { hasInvisible } from "./references.ts";

/** The info string of a block that holds text as it is. */
const TEXT_BLOCK = "text";
/** The info string of a block that holds text as one JSON string. */
const JSON_BLOCK = "json string";

/**
 * The text of consecutive blocks of `source`: nothing is the empty text; one block with the info
 * string `text` or `json string` is its content; one paragraph is its source with escapes and
 * references resolved outside of code; anything else is its source, line by line as it stands.
 *
 * @throws {PlanningError} when a `json string` block does not hold a JSON string
 */
export function readBlockText(
  path: string,
  source: string,
  nodes: readonly RootContent[],
): string {
  const [node, ...more] = nodes;
  if (node === undefined) return "";
  if (more.length > 0) return sourceOfBlocks(source, nodes);
  if (node.type === "code") {
    const info = [node.lang, node.meta].filter((word) => word).join(" ");
    if (info === TEXT_BLOCK) return node.value;
    if (info === JSON_BLOCK) return parseJsonString(path, placeOf(node).line + 1, node.value);
  }
  const span = node.type === "paragraph" ? spanOfChildren(source, node) : undefined;
  return span === undefined ? sourceOfBlocks(source, nodes) : readParagraph(span);
}

/** The lines of consecutive blocks, from the first one's to the last one's. */
export function sourceOfBlocks(source: string, nodes: readonly RootContent[]): string {
  const [first] = nodes;
  const last = nodes.at(-1);
  if (first === undefined || last === undefined) return "";
  // A heading that follows a link definition without an empty line claims its lines too.
  const heading = first.type === "heading" ? spanOfChildren(source, first) : undefined;
  const offset = heading?.start ?? placeOf(first).start;
  const start = offset === 0 ? 0 : source.lastIndexOf("\n", offset - 1) + 1;
  const lineEnd = source.indexOf("\n", placeOf(last).end);
  // A block that is left open at the end of the file reaches over the empty lines there.
  return source.slice(start, lineEnd === -1 ? source.length : lineEnd).replace(/\n+$/, "");
}

function parseJsonString(path: string, line: number, json: string): string {
  const fault = new PlanningError(
    path,
    line,
    "this block must hold one JSON string and nothing else",
  );
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === "string") return value;
  } catch {
    throw fault;
  }
  throw fault;
}

/** How a block text is put into a document, and how its reader finds it again there. */
export interface BlockContext {
  wrap(markdown: string): string;
  /** The text read from a document that `wrap` made, with the blocks it was read from; `undefined` when the document is another one. */
  find(document: string): { text: string; nodes: readonly RootContent[] } | undefined;
}

/**
 * The context of a section whose heading has the given depth: its text ends at the next heading of
 * that depth or above.
 *
 * @param isTaken blocks that the section's reader takes for something else
 */
export function sectionContext(
  depth: 2 | 3,
  isTaken: (source: string, node: RootContent) => boolean = () => false,
): BlockContext {
  const heading = `${"#".repeat(depth)} x`;
  return {
    wrap: (markdown) => `${heading}\n\n${markdown}\n\n${heading}\n`,
    find(document) {
      const all = parseMarkdown(document).children;
      const nodes = all.slice(1, -1);
      if (all.at(-1)?.type !== "heading") return undefined;
      const ends = (node: RootContent) => node.type === "heading" && node.depth <= depth;
      if (nodes.some((node) => ends(node) || isTaken(document, node))) return undefined;
      try {
        return { text: readBlockText("", document, nodes), nodes };
      } catch (error) {
        if (error instanceof PlanningError) return undefined;
        throw error;
      }
    },
  };
}

/** Longer text is not tried as Markdown. */
const LONGEST_TRIED = 10_000;

/** Writes `text` so that {@linkcode readBlockText} gives it back. */
export function writeBlockText(text: string, context: BlockContext): string {
  if (text === "") return "";
  const isTried = text.length <= LONGEST_TRIED && deepLine(text) === undefined;
  if (hasConflictMark(text)) return block(text);
  if (isTried && isPlainMarkdown(text, context)) return text;
  if (!text.includes("\n")) {
    const line = writeInline(text, PARAGRAPH_CONTEXT);
    if (!isTried || readsBack(line, text, context)) return line;
  }
  return block(text);
}

/** Text as it is, or as JSON when not all of it could be seen. */
function block(text: string): string {
  if (hasInvisible(text.replaceAll("\n", ""))) return fenced(JSON_BLOCK, visibleJson(text));
  return fenced(TEXT_BLOCK, text);
}

function isPlainMarkdown(text: string, context: BlockContext): boolean {
  if (hasInvisible(text.replaceAll("\n", ""))) return false;
  if (!text.includes("\n") && !startsPlainly(text)) return false;
  const found = readsBack(text, text, context);
  return found !== undefined && showsAll(context.wrap(text), found.nodes, false) &&
    isStable(text, found.nodes);
}

/** Whether the first block of a single line is text to read and not a rule, a definition or HTML. */
function startsPlainly(line: string): boolean {
  const [node] = parseMarkdown(line).children;
  return node !== undefined && ["paragraph", "list", "blockquote"].includes(node.type);
}

function readsBack(markdown: string, text: string, context: BlockContext) {
  const found = context.find(context.wrap(markdown));
  return found?.text === text ? found : undefined;
}

function visibleJson(text: string): string {
  return [...JSON.stringify(text)].map((character) =>
    hasInvisible(character)
      ? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
      : character
  ).join("");
}

/** A code block whose fence is longer than any run of backticks in it. */
function fenced(info: string, content: string): string {
  let longest = 2;
  let run = 0;
  for (const character of content) {
    run = character === "`" ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  const fence = "`".repeat(longest + 1);
  return `${fence}${info}\n${content}\n${fence}`;
}

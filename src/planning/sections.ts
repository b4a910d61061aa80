/**
 * A document as title, sections (headings of level 2) and what lies between.
 * Rule: each top-level block belongs to exactly one section or is kept; none is lost.
 */
import type { Heading, RootContent } from "mdast";
import { sourceOfBlocks } from "./block_text.ts";
import { conflictLine } from "./conflict_marks.ts";
import { readInline } from "./inline_text.ts";
import { type KeptText, type Layout, START, TITLE } from "./layout.ts";
import { deepLine, parseMarkdown, placeOf, spanOfChildren } from "./markdown.ts";
import { PlanningError } from "./planning_error.ts";

/** A section that m31a knows: the line of its heading and the blocks below it. */
export interface Section {
  name: string;
  line: number;
  nodes: readonly RootContent[];
}

/** A block that no section's reader could use, and where it was. */
interface Leftover {
  place: string;
  at: "before" | "after";
  node: RootContent;
}

/** A document taken apart. Readers take their sections, and hand back the blocks that they could not use. */
export class SectionedDocument {
  readonly path: string;
  readonly source: string;
  readonly #lineEnding: "\n" | "\r\n";
  readonly #sections: ReadonlyMap<string, Section>;
  readonly #leftovers: Leftover[];
  readonly #title: string;
  readonly #places: readonly string[];
  readonly #nodes: readonly RootContent[];

  /**
   * @param text the file's content, with any line endings
   * @param names the sections that are known, besides {@linkcode TITLE}
   * @throws {PlanningError} when a known section is there twice, or a merge was left undecided
   */
  constructor(path: string, text: string, defaultTitle: string, names: readonly string[]) {
    this.path = path;
    this.source = text.replace(/\r\n?/g, "\n").replace(
      /^[\ufeff\s]+/,
      (start) => start.replaceAll("\ufeff", ""),
    );
    const isWindows = text.includes("\r\n") && !/(?:^|[^\r])\n/.test(text);
    this.#lineEnding = isWindows ? "\r\n" : "\n";
    const nodes = this.#parse();
    const undecided = conflictLine(this.source, nodes);
    if (undecided !== undefined) {
      throw this.fault(
        undecided,
        "a merge was left undecided here; keep one side, remove the marks",
      );
    }
    const title = nodes.find((node) => node.type === "heading" && node.depth === 1);
    this.#title = title === undefined ? defaultTitle : sourceOfBlocks(this.source, [title]);
    this.#leftovers = [];
    this.#places = [START, TITLE, ...names];
    this.#nodes = nodes;
    this.#sections = this.#split(nodes, title, names);
  }

  #parse(): readonly RootContent[] {
    try {
      return parseMarkdown(this.source).children;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw this.fault(
        deepLine(this.source) ?? 1,
        "the lists and quotes here are nested too deeply",
      );
    }
  }

  #split(
    nodes: readonly RootContent[],
    title: RootContent | undefined,
    names: readonly string[],
  ): ReadonlyMap<string, Section> {
    const sections = new Map<string, { name: string; line: number; nodes: RootContent[] }>();
    const open = (name: string, line: number) => {
      const earlier = sections.get(name);
      if (earlier !== undefined) {
        throw new PlanningError(
          this.path,
          line,
          `the section "${name}" is here twice, first in line ${earlier.line}; make them one`,
        );
      }
      const section = { name, line, nodes: new Array<RootContent>() };
      sections.set(name, section);
      return section;
    };
    let place = START;
    let current = title === undefined ? open(TITLE, 1) : undefined;
    if (current !== undefined) place = TITLE;
    for (const node of nodes) {
      if (node === title) {
        current = open(TITLE, placeOf(node).line);
        place = TITLE;
        continue;
      }
      if (node.type === "heading" && node.depth <= 2) {
        const name = node.depth === 2 ? this.#knownName(node, names) : undefined;
        current = name === undefined ? undefined : open(name, placeOf(node).line);
        place = name ?? place;
        if (name !== undefined) continue;
      }
      if (current !== undefined) current.nodes.push(node);
      else this.#leftovers.push({ place, at: "after", node });
    }
    return sections;
  }

  #knownName(heading: Heading, names: readonly string[]): string | undefined {
    const text = readInline(spanOfChildren(this.source, heading)).trim().toLowerCase();
    return names.find((name) => name.toLowerCase() === text);
  }

  /** The section of that name, empty when the document has none. */
  section(name: string): Section {
    return this.#sections.get(name) ?? { name, line: 1, nodes: [] };
  }

  /** Keeps all that stands between the title and the first section. */
  keepBody(): void {
    this.keep(TITLE, "after", this.section(TITLE).nodes);
  }

  /** Hands back blocks of a section that mean nothing to its reader. */
  keep(place: string, at: "before" | "after", nodes: readonly RootContent[]): void {
    for (const node of nodes) this.#leftovers.push({ place, at, node });
  }

  /** An error about a line of this document. */
  fault(line: number, reason: string): PlanningError {
    return new PlanningError(this.path, line, reason);
  }

  /** The layout, once all sections are read. */
  layout(): Layout {
    const kept = new Map<string, KeptText>();
    for (const run of this.#runs()) {
      const { place, at } = run[0];
      const key = `${at} ${place}`;
      const source = sourceOfBlocks(this.source, run.map(({ node }) => node));
      // Behind a list even two blanks would make it part of the list.
      const markdown = sealed(source.replace(/^ {1,3}(?=[^ \t])/, ""));
      const earlier = kept.get(key);
      kept.set(key, {
        place,
        at,
        markdown: earlier === undefined ? markdown : `${earlier.markdown}\n\n${markdown}`,
      });
    }
    const inOrder = [...kept.values()].toSorted((a, b) =>
      this.#places.indexOf(a.place) - this.#places.indexOf(b.place)
    );
    return { title: this.#title, lineEnding: this.#lineEnding, kept: inOrder };
  }

  /** The leftovers in the order of the document, neighbours with the same place together. */
  #runs(): [Leftover, ...Leftover[]][] {
    const leftovers = new Map(this.#leftovers.map((leftover) => [leftover.node, leftover]));
    const runs: [Leftover, ...Leftover[]][] = [];
    let isOpen = false;
    for (const node of this.#nodes) {
      const leftover = leftovers.get(node);
      const run = runs.at(-1);
      if (leftover === undefined) {
        isOpen = false;
      } else if (isOpen && run?.[0].place === leftover.place && run[0].at === leftover.at) {
        run.push(leftover);
      } else {
        runs.push([leftover]);
        isOpen = true;
      }
    }
    return runs;
  }
}

/** What ends a block that would otherwise go on to the end of the document: fences, and HTML of each kind. */
const CLOSERS = ["-->", "?>", "]]>", ">", "</script>", "</pre>", "</style>", "</textarea>"];

/** `markdown` with an end put to a code fence or HTML comment that was left open, so that something can follow it. */
function sealed(markdown: string): string {
  if (isClosed(markdown)) return markdown;
  const fences = markdown.split("\n").flatMap((line) => line.match(/`{3,}|~{3,}/)?.[0] ?? []);
  for (const closer of [...fences, ...CLOSERS]) {
    const candidate = `${markdown}\n${closer}`;
    if (isClosed(candidate)) return candidate;
  }
  return markdown;
}

function isClosed(markdown: string): boolean {
  const last = parseMarkdown(`# x\n\n${markdown}\n\n## x`).children.at(-1);
  return last?.type === "heading";
}

/** A part of a document to be written: the content of a section. */
export interface Part {
  name: string;
  /** Markdown blocks, empty ones passed over; a part without any is left out unless kept text stands by it. */
  blocks: readonly string[];
}

/** Writes a document: title, then the parts in their order (one named {@linkcode TITLE} has no heading), kept text in its places. */
export function renderSections(layout: Layout, parts: readonly Part[]): string {
  const kept = (place: string, at: "before" | "after") =>
    layout.kept.filter((text) => text.place === place && text.at === at)
      .map((text) => text.markdown);
  const blocks: string[] = [...kept(START, "after"), layout.title];
  const body = parts.find((part) => part.name === TITLE);
  blocks.push(...kept(TITLE, "before"), ...(body?.blocks ?? []), ...kept(TITLE, "after"));
  for (const part of parts) {
    if (part.name === TITLE) continue;
    const content = [
      ...kept(part.name, "before"),
      ...part.blocks,
      ...kept(part.name, "after"),
    ].filter((block) => block !== "");
    if (content.length > 0) blocks.push(`## ${part.name}`, ...content);
  }
  const text = `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
  return layout.lineEnding === "\n" ? text : text.replaceAll("\n", "\r\n");
}

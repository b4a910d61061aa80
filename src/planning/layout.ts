/**
 * What a person's own hand has made of a document: its title, and the text that m31a does not know.
 * Rule: it is kept as it stands and in its place.
 */

/** A stretch of Markdown that means nothing to m31a. */
export interface KeptText {
  /** The part of the document that it stands by: `start`, `title`, or the name of a section. */
  place: string;
  /** Between that part's heading and its content, or behind its content. */
  at: "before" | "after";
  markdown: string;
}

/** The parts of a document that are the person's own. */
export interface Layout {
  /** The first heading of level 1, as it stands. */
  title: string;
  lineEnding: "\n" | "\r\n";
  kept: readonly KeptText[];
}

/** The place before everything. */
export const START = "start";
/** The place of the title and of what follows it, up to the first section. */
export const TITLE = "title";

/** The layout of a document that m31a begins. */
export function newLayout(title: string): Layout {
  return { title: `# ${title}`, lineEnding: "\n", kept: [] };
}

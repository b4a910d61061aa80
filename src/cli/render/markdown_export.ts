/**
 * A transcript as a Markdown document.
 * Rule: nothing that was said can end its block: fences are longer than any inside, replies close theirs.
 */
import type { Entry, TranscriptFormat } from "./transcript.ts";

export const markdownFormat: TranscriptFormat = {
  begin: (session) => `# Session ${session}\n`,
  entry: (entry) => `\n${blockOf(entry)}\n`,
  end: () => "",
};

function blockOf(entry: Entry): string {
  switch (entry.kind) {
    case "head": {
      const origin = entry.parent === undefined ? "" : `, ${entry.parent}`;
      return `${code(entry.model)}, begun ${entry.startedAt}${origin}`;
    }
    case "summary":
      return `## The conversation so far, in summary\n\n${withClosedFences(entry.text)}`;
    case "user": {
      const source = entry.source === "user" ? "" : ` (${entry.source})`;
      return `## Turn ${entry.turn}${source}\n\n${quoted(entry.text)}`;
    }
    case "reply":
      return withClosedFences(entry.text);
    case "reasoning":
      return `<details><summary>Reasoning</summary>\n\n${fenced(entry.text)}\n\n</details>`;
    case "call":
      return `**→ ${entry.call}** ${code(entry.tool)}\n\n${fenced(entry.input)}`;
    case "result": {
      const state = entry.isError ? " failed" : "";
      return `**← ${entry.call}** ${code(entry.tool)}${state}\n\n${fenced(entry.output)}`;
    }
    case "note":
      return fenced(entry.text);
  }
}

/** `text` in a fence of more backticks than any line of it begins with. */
export function fenced(text: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}\n${text}${text.endsWith("\n") || text === "" ? "" : "\n"}${fence}`;
}

function code(text: string): string {
  const oneLine = text.replaceAll("\n", " ");
  const tick = "`".repeat(longestRun(oneLine) + 1);
  const pad = /^`|`$|^$/.test(oneLine) ? " " : "";
  return `${tick}${pad}${oneLine}${pad}${tick}`;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}

function quoted(text: string): string {
  return text.split("\n").map((line) => line === "" ? ">" : `> ${line}`).join("\n");
}

/** Closes a fence that `text` leaves open; what follows would be taken for code otherwise. */
export function withClosedFences(text: string): string {
  let open: string | undefined;
  for (const line of text.split("\n")) {
    const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (fence === null) continue;
    const [, marks = "", rest = ""] = fence;
    if (open === undefined) {
      if (marks.startsWith("~") || !rest.includes("`")) open = marks;
      continue;
    }
    if (marks.startsWith(open) && rest.trim() === "") open = undefined;
  }
  return open === undefined ? text : `${text}${text.endsWith("\n") ? "" : "\n"}${open}`;
}

/** A transcript for the terminal. Rule: what a tool printed is shortened unless all is asked for; words are not. */
import type { Paint } from "../../faces/terminal/ansi.ts";
import type { Entry, TranscriptFormat } from "./transcript.ts";

/** How many lines of a tool's input or output are shown. */
const SHOWN_LINES = 12;

/** @param isFull show all of what tools were given and printed */
export function plainFormat(paint: Paint, isFull: boolean): TranscriptFormat {
  const shortened = (text: string) => indented(isFull ? text : firstLines(text));
  const entry = (entry: Entry): string => {
    switch (entry.kind) {
      case "head": {
        const origin = entry.parent === undefined ? "" : `, ${entry.parent}`;
        const facts = `${entry.model}, ${entry.startedAt}${origin}`;
        return `${paint(`session ${entry.session}`, "bold")}  ${paint(facts, "dim")}\n`;
      }
      case "summary":
        return `\n${paint("── the conversation so far, in summary", "bold")}\n${entry.text}\n`;
      case "user": {
        const source = entry.source === "user" ? "" : ` (${entry.source})`;
        const title = paint(`── turn ${entry.turn}${source}`, "bold");
        return `\n${title}  ${paint(entry.at, "dim")}\n${entry.text}\n`;
      }
      case "reply":
        return entry.text === "" ? "" : `\n${paint("m31a:", "bold")}\n${entry.text}\n`;
      case "reasoning":
        return entry.text === "" ? "" : `\n${paint(indented(entry.text), "dim")}\n`;
      case "call":
        return `\n→ ${entry.call} ${entry.tool}\n${paint(shortened(entry.input), "dim")}\n`;
      case "result": {
        const title = `← ${entry.call} ${entry.tool}${entry.isError ? " failed" : ""}`;
        return `\n${title}\n${paint(shortened(entry.output), "dim")}\n`;
      }
      case "note":
        return `\n${paint(`· ${entry.text}`, "dim")}\n`;
    }
  };
  return { begin: () => "", entry, end: () => "" };
}

function firstLines(text: string): string {
  const lines = text.replace(/\n$/, "").split("\n");
  if (lines.length <= SHOWN_LINES) return lines.join("\n");
  const hidden = lines.length - SHOWN_LINES;
  return [...lines.slice(0, SHOWN_LINES), `… ${hidden} more lines (--full shows them)`].join("\n");
}

function indented(text: string): string {
  return text.split("\n").map((line) => `  ${line}`).join("\n");
}

/**
 * A transcript as one HTML file that needs nothing else: no script, no font, no network.
 * Rule: every word of a session is escaped, or goes through micromark, which lets no HTML through; a policy
 * in the page forbids scripts and loading besides.
 */
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import type { Entry, TranscriptFormat } from "./transcript.ts";

export const htmlFormat: TranscriptFormat = {
  begin: (session) => HEAD.replaceAll("{title}", () => `Session ${escapeHtml(session)}`),
  entry: (entry) => `${blockOf(entry)}\n`,
  end: () => "</main>\n</body>\n</html>\n",
};

const STYLE = `
:root { color-scheme: light dark; --fg: light-dark(#1c1e21, #e3e5e8); --bg: light-dark(#fff, #16181b);
  --dim: light-dark(#667, #99a); --box: light-dark(#f3f4f6, #22252a); --line: light-dark(#d9dce1, #363a41);
  --user: light-dark(#e8f0fe, #1d2a3f); --bad: light-dark(#b3261e, #ff8a80); }
body { margin: 0; background: var(--bg); color: var(--fg); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 52rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1rem; margin: 2.5rem 0 .5rem; color: var(--dim); }
pre, code { font: .875em/1.5 ui-monospace, monospace; }
pre { background: var(--box); border: 1px solid var(--line); border-radius: 6px; padding: .75rem; overflow-x: auto; }
.user { background: var(--user); border-radius: 8px; padding: .75rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.reply { overflow-wrap: anywhere; } .reply img { max-width: 100%; }
.note, .facts, summary { color: var(--dim); font-size: .875rem; } .note { white-space: pre-wrap; }
details { margin: .5rem 0; } summary { cursor: pointer; } .failed { color: var(--bad); }
table { border-collapse: collapse; } td, th { border: 1px solid var(--line); padding: .25rem .5rem; }
`;

const HEAD = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>{title}</h1>
`;

function blockOf(entry: Entry): string {
  switch (entry.kind) {
    case "head": {
      const origin = entry.parent === undefined ? "" : `, ${entry.parent}`;
      return `<p class="facts">${
        escapeHtml(`${entry.model}, begun ${entry.startedAt}${origin}`)
      }</p>`;
    }
    case "summary":
      return `<h2>The conversation so far, in summary</h2>\n<div class="reply">${
        rendered(entry.text)
      }</div>`;
    case "user": {
      const source = entry.source === "user" ? "" : ` (${entry.source})`;
      const title = escapeHtml(`Turn ${entry.turn}${source} · ${entry.at}`);
      return `<h2 id="turn-${entry.turn}">${title}</h2>\n<div class="user">${
        escapeHtml(entry.text)
      }</div>`;
    }
    case "reply":
      return `<div class="reply">${rendered(entry.text)}</div>`;
    case "reasoning":
      return details("Reasoning", entry.text);
    case "call":
      return details(`→ ${entry.call} ${entry.tool}`, entry.input);
    case "result":
      return details(`← ${entry.call} ${entry.tool}`, entry.output, entry.isError);
    case "note":
      return `<p class="note">${escapeHtml(entry.text)}</p>`;
  }
}

function details(title: string, text: string, isError = false): string {
  const state = isError ? ' <span class="failed">failed</span>' : "";
  return `<details><summary>${escapeHtml(title)}${state}</summary><pre>${
    escapeHtml(text)
  }</pre></details>`;
}

function rendered(markdown: string): string {
  return micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
}

/** `text` as it may stand in an element or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

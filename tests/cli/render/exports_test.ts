import assert from "node:assert/strict";
import { fromMarkdown } from "mdast-util-from-markdown";
import fc from "fast-check";
import { escapeHtml, htmlFormat } from "../../../src/cli/render/html_export.ts";
import {
  fenced,
  markdownFormat,
  withClosedFences,
} from "../../../src/cli/render/markdown_export.ts";
import type { Entry } from "../../../src/cli/render/transcript.ts";

const HOSTILE =
  '<script>alert(1)</script><img src=x onerror="alert(2)">\n```\n</pre></details>\n````\n[a](javascript:alert(3)) ![b](http://example.com/x.png) `';

const ENTRIES: Entry[] = [
  { kind: "head", session: "s", model: HOSTILE, startedAt: "t", parent: undefined },
  { kind: "summary", text: HOSTILE },
  { kind: "user", turn: 1, at: "t", source: "user", text: HOSTILE },
  { kind: "reasoning", text: HOSTILE },
  { kind: "call", call: 1, tool: HOSTILE, input: HOSTILE },
  { kind: "result", call: 1, tool: HOSTILE, output: HOSTILE, isError: true },
  { kind: "note", text: HOSTILE },
  { kind: "reply", text: HOSTILE },
];

Deno.test("fenced() gives a fence that nothing inside can end", () => {
  const lines = fc.array(fc.constantFrom("`", "``", "```", "````", "~~~", "text", "\n", " ")).map((
    parts,
  ) => parts.join(""));
  fc.assert(fc.property(lines, (text) => {
    const { children } = fromMarkdown(`${fenced(text)}\n\nafter`);
    assert.deepEqual(children.map(({ type }) => type), ["code", "paragraph"]);
    const [code] = children;
    assert.equal(code?.type === "code" && code.value.trimEnd(), text.trimEnd());
  }));
});

Deno.test("withClosedFences() closes what a reply leaves open, so that what follows stands outside", () => {
  const lines = fc.array(fc.constantFrom("```js", "```", "````", "~~~", "text", "- item", "> a"))
    .map((parts) => parts.join("\n"));
  fc.assert(fc.property(lines, (text) => {
    const { children } = fromMarkdown(`${withClosedFences(text)}\n\n# after`);
    assert.equal(children.at(-1)?.type, "heading");
  }));
  assert.equal(withClosedFences("```\na\n```\n"), "```\na\n```\n");
});

Deno.test("markdownFormat keeps every block of a hostile session in its place", () => {
  const document = markdownFormat.begin("s") + ENTRIES.map(markdownFormat.entry).join("") +
    markdownFormat.entry({ kind: "user", turn: 2, at: "t", source: "heal", text: "end" });
  const headings = fromMarkdown(document).children.filter(({ type }) => type === "heading");
  assert.equal(headings.length, 4);
});

Deno.test("htmlFormat lets nothing of a hostile session be markup, load, or run", () => {
  const page = htmlFormat.begin("s") + ENTRIES.map(htmlFormat.entry).join("") + htmlFormat.end();
  assert.doesNotMatch(page, /<script|onerror="|<img src=x|href="javascript:/);
  assert.match(page, /default-src 'none'; style-src 'unsafe-inline'/);
  assert.match(page, /color-scheme: light dark/);
  for (const tag of ["details", "pre", "div", "main", "summary"]) {
    const count = (pattern: string) => page.split(pattern).length;
    assert.equal(count(`<${tag}>`) + count(`<${tag} `), count(`</${tag}>`) + 1, tag);
  }
});

Deno.test("htmlFormat renders the Markdown of a reply", () => {
  const html = htmlFormat.entry({
    kind: "reply",
    text: "**bold** and `code`\n\n| a |\n| - |\n| b |",
  });
  assert.match(html, /<strong>bold<\/strong> and <code>code<\/code>/);
  assert.match(html, /<table>/);
});

Deno.test("escapeHtml() escapes what is special in elements and attributes", () => {
  assert.equal(escapeHtml(`<a b="c" d='e'>&`), "&#60;a b=&#34;c&#34; d=&#39;e&#39;&#62;&#38;");
});

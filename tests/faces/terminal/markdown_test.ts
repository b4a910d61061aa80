/** Markdown on a terminal: what each block looks like, and that the pieces it came in do not show. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { MarkdownStream } from "../../../src/faces/terminal/markdown.ts";
import { showOnScreen } from "../../support/virtual_screen.ts";

const SAMPLE = `# A title

Some *emphasis*, **strong** text and \`code\`, a [link](https://example.org/x), and a line that is long enough to be wrapped.
Second line.

- one
- two **bold**
  - nested

    with a paragraph
- [x] done
- [ ] open

3. three
4. four

   \`\`\`sh
   echo "in a list"

   \`\`\`

> quoted
> text
lazily continued

| name | count |
|:-----|------:|
| a **b** | 1 |
| much longer than the others, so that it wraps | 12345 |

\`\`\`ts
const x = "**not bold**";

\tindented();
\`\`\`
Setext
======
    not code, a paragraph before it? no: a heading

    indented code
---
last paragraph, 漢字 and 🎉`;

function render(pieces: readonly string[], width = 40, rows = 24, isColour = false): string {
  const stream = new MarkdownStream({ width, rows, isColour });
  return pieces.map((piece) => stream.push(piece)).join("") + stream.end();
}

async function screenOf(markdown: string, width = 40): Promise<string> {
  return (await showOnScreen(render([markdown], width), width, 24)).join("\n");
}

Deno.test("MarkdownStream renders every kind of block", async () => {
  assert.equal(
    "\n" + await screenOf(SAMPLE) + "\n",
    `
# A title

Some emphasis, strong text and \`code\`, a
link (https://example.org/x), and a line
that is long enough to be wrapped.
Second line.

• one
• two bold
  • nested

    with a paragraph
• [x] done
• [ ] open

3. three
4. four

   ── sh ───────────────────────────────
   echo "in a list"

   ─────────────────────────────────────

│ quoted text lazily continued

name                             │ count
─────────────────────────────────┼──────
a b                              │     1
much longer than the others, so  │ 12345
that it wraps                    │

── ts ──────────────────────────────────
const x = "**not bold**";

        indented();
────────────────────────────────────────

# Setext

────────────────────────────────────────
not code, a paragraph before it? no: a h
eading
────────────────────────────────────────

────────────────────────────────────────
indented code
────────────────────────────────────────
────────────────────────────────────────
last paragraph, 漢字 and 🎉
`,
  );
});

Deno.test("MarkdownStream shows the same in the end wherever the text is split", async () => {
  const whole = await screenOf(SAMPLE);
  for (let cut = 0; cut <= SAMPLE.length; cut++) {
    const output = render([SAMPLE.slice(0, cut), SAMPLE.slice(cut)]);
    assert.equal((await showOnScreen(output, 40, 24)).join("\n"), whole, `cut at ${cut}`);
  }
  const output = render(SAMPLE.split(""));
  assert.equal((await showOnScreen(output, 40, 24)).join("\n"), whole);
});

Deno.test("MarkdownStream shows the same in the end for any text in any pieces", async () => {
  const line = fc.constantFrom(
    "- item",
    "  - nested",
    "1. first",
    "text with *stars* and more words",
    "",
    "",
    "```js",
    "```",
    "  ```",
    "# head",
    "> quote",
    "| a | b |",
    "|---|---|",
    "---",
    "===",
    "    code",
    "<b>html</b>",
    "\tx\ty",
    "漢字漢字漢字漢字漢字漢字漢字漢字",
    "~~~",
    "***",
  );
  const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join("\n"));
  const cuts = fc.array(fc.nat({ max: 200 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(text, cuts, async (source, places) => {
      const sorted = [0, ...places.sort((a, b) => a - b), source.length];
      const pieces = sorted.map((place, index) => source.slice(place, sorted[index + 1] ?? place));
      const output = render([source.slice(0, 0), ...pieces], 24);
      const whole = await screenOf(source, 24);
      assert.equal((await showOnScreen(output, 24, 24)).join("\n"), whole);
    }),
    { numRuns: 150 },
  );
});

Deno.test("MarkdownStream shows words as they come", async () => {
  const stream = new MarkdownStream({ width: 20, rows: 10, isColour: false });
  const output = stream.push("one two three four fi") + stream.push("ve s");
  assert.deepEqual(await showOnScreen(output, 20, 10), ["one two three four", "five s"]);
});

Deno.test("MarkdownStream lets a paragraph taller than the screen stand as it was written", async () => {
  const tall = Array.from({ length: 60 }, (_, index) => `word${index}`).join(" ");
  const output = render(`before\n\n${tall}\n# next\n\nend`.split(""), 20, 6);
  const lines = await showOnScreen(output, 20, 6);
  assert.equal(lines.join(" ").match(/word\d+/g)?.length, 60);
  assert.deepEqual(lines.slice(0, 3), ["before", "", "word0 word1 word2"]);
  assert.deepEqual(lines.slice(-4), ["", "# next", "", "end"]);
});

Deno.test("MarkdownStream holds a table taller than the screen until it is whole", async () => {
  const rows = Array.from({ length: 30 }, (_, index) => `| ${index} | **x** |`);
  const source = ["| a | b |", "|--:|---|", ...rows, "", "end"].join("\n");
  const lines = await showOnScreen(render(source.split(""), 20, 8), 20, 8);
  assert.equal(lines.length, 34);
  assert.equal(lines[31], "29 │ x");
});

Deno.test("MarkdownStream lets no control sequence through, split or written as a character reference", () => {
  const hostile = "a\x1b]52;c;aGk=\x07 &#27;[31m &#x9b;2J [x](http://\x1b[2Jy) `\x1b[1m`\n" +
    "```\x1b]0;t\x07sh\nx\x9b2J\n```\n\n| \x1b[1mh |\n|---|\n| \x1b]8;;u\x1b\\c |\n";
  for (let cut = 0; cut <= hostile.length; cut++) {
    const output = render([hostile.slice(0, cut), hostile.slice(cut)], 40, 24, true)
      // deno-lint-ignore no-control-regex -- what the renderer itself writes
      .replace(/\x1b\[(?:[\d;]*m|\d*A|J|K)|\r/g, "");
    // deno-lint-ignore no-control-regex -- nothing else may be there
    assert.doesNotMatch(output, /[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
  }
});

Deno.test("MarkdownStream hands text on as it was written when there is no terminal", () => {
  const stream = new MarkdownStream({ width: 80, isColour: false });
  assert.equal(stream.push("# a *b*\n\x1b["), "# a *b*\n");
  assert.equal(stream.push("31m- c") + stream.end(), "- c\n");
});

Deno.test("MarkdownStream goes on in the new width after resize()", async () => {
  const stream = new MarkdownStream({ width: 40, rows: 10, isColour: false });
  let output = stream.push("one two ");
  stream.resize(12, 10);
  output += stream.push("three\n\nfour five six seven") + stream.end();
  assert.deepEqual(await showOnScreen(output, 40, 10), [
    "one two three",
    "",
    "four five",
    "six seven",
  ]);
});

Deno.test("MarkdownStream writes a bounded multiple of what it reads, in whatever pieces", () => {
  const source = (SAMPLE + "\n\n").repeat(100);
  const stream = new MarkdownStream({ width: 40, rows: 24, isColour: false });
  let writtenChars = 0;
  for (let index = 0; index < source.length; index += 5) {
    writtenChars += stream.push(source.slice(index, index + 5)).length;
  }
  writtenChars += stream.end().length;
  assert.ok(writtenChars < 5 * source.length, `${writtenChars} for ${source.length}`);
});

Deno.test("MarkdownStream shows text that is nested beyond reason as it was written", () => {
  for (const line of ["> ".repeat(20_000) + "x", "- ".repeat(20_000) + "x"]) {
    assert.ok(render([`${line}\n\nend\n`]).startsWith(`${line}\n`));
  }
});

/** Text that Markdown would like to take for something else, for property tests. */
import fc from "fast-check";
import type { KeptText } from "../../src/planning/layout.ts";

const METACHARACTERS = [
  ..."\\`*_{}[]<>()#+-.!|~&:;=\"'$^,/?@%",
  ..." \t\n\r\0\u0085\u2028\u2029\ufeff\u202e\x1b\x7f",
  ..."abz019éß→語🚀",
];

const FRAGMENTS = [
  "## Session",
  "## Goal",
  "### 1. Task",
  "# Title",
  "- [ ] item",
  "* item",
  "1. item",
  "1) item",
  "> quote",
  "```",
  "~~~",
  "````text",
  "```text\n",
  "```json string\n",
  "---",
  "===",
  "***",
  "| a | b |\n| --- | --- |\n| c | d |",
  "\\|",
  "\\\\|",
  "<br>",
  "<br/>",
  "<div>",
  "<!-- ",
  "-->",
  "<script>",
  "<?",
  "&amp;",
  "&#0;",
  "&#10;",
  "&#xD800;",
  "&nbsp;",
  "[a]: http://x",
  "[a](b)",
  "![a](b)",
  "[^1]: x",
  "**Files:** ",
  "Files: a, b",
  "Acceptance:",
  "- **Phase:** x",
  "**",
  "~~",
  "__",
  "`a|b`",
  "``",
  "src/**/*.ts",
  "List<String>",
  "\r\n",
  "\n\n",
  "\n",
  "    ",
  "  \n",
  "\\\n",
  '""',
  "—",
  ", ",
  "www.example.com",
  "a@b.co",
  "https://x.y/*_*",
  "R&D",
  "the plan",
  "<<<<<<< HEAD",
  "=======\n",
  "\n>>>>>>> other",
];

const hostilePiece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...METACHARACTERS) },
  { weight: 4, arbitrary: fc.constantFrom(...FRAGMENTS) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 4 }) },
);

/** Any well-formed text, leaning to what Markdown gives a meaning to. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.array(hostilePiece, { maxLength: 8 }).map((parts) => parts.join("")) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme" }) },
  { weight: 1, arbitrary: fc.constantFrom(...FRAGMENTS) },
);

/** A list of such texts. */
export const hostileTexts = fc.array(hostileText, { maxLength: 4 });

/** Valid, unique task IDs. */
export const taskIds = fc.uniqueArray(fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,7}$/), {
  maxLength: 4,
});

const keptSection = fc.constantFrom(
  "## Notes\n- mine\n- `too`",
  "## Ünknown | *section*\n\n```\n## Goal\n```",
  "## Session\n\n[a]: http://x\n\n| a |\n| - |\n| 1 |",
  "# Another title\n\n<!-- open\n\nand closed -->",
  "Setext\n---\n\ntext   with trailing blanks",
);

/** Sections of a person's own behind the parts named, in the order of the document. */
export function keptTexts(places: readonly string[]): fc.Arbitrary<KeptText[]> {
  return fc.array(fc.option(keptSection, { nil: undefined }), {
    minLength: places.length,
    maxLength: places.length,
  }).map((sections) =>
    sections.flatMap((markdown, index) =>
      markdown === undefined ? [] : [{ place: places[index] ?? "", at: "after" as const, markdown }]
    )
  );
}

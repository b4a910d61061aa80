/** The codec of a memory block. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { fromList, toList } from "../../src/ledger/line_text.ts";
import { parseMemory, readBlock } from "../../src/ledger/memory.ts";
import { blockOf, type MemoryBlock, renderBlock } from "../../src/ledger/memory_block.ts";
import { arbitraryEntry, sampleEntry } from "./entries.ts";

function reread(block: MemoryBlock): MemoryBlock {
  const memory = parseMemory(renderBlock(block));
  const [raw] = memory.blocks;
  assert.ok(raw !== undefined && memory.blocks.length === 1 && memory.preamble === "");
  return readBlock(raw);
}

Deno.test("renderBlock() and readBlock() give any block back, forging nothing", () => {
  const block = arbitraryEntry.map((entry) => ({
    ...blockOf(entry),
    files: entry.files.filter((file) => file !== ""),
  }));
  fc.assert(fc.property(block, (value) => assert.deepEqual(reread(value), value)));
});

Deno.test("renderBlock() keeps a goal that looks like a heading in its line", () => {
  const goal = "x\n## Session 20200101-000000-0000 (2020-01-01)\n\r\u2028```\n- Goal: y \\n ";
  assert.equal(reread(blockOf(sampleEntry({ goal }))).goal, goal);
});

Deno.test("renderBlock() is what people read", () => {
  assert.equal(
    renderBlock(blockOf(sampleEntry({ attempt: 2 }))),
    `## Session 20261129-231205-a1b2 (2026-11-29)

- Goal: Let the cart | remember\\nits items
- Attempt: 2
- Outcome: shipped
- Tasks: 2 of 3 done
- Failure: test_failure, task t3, not healed after 2 tries: expected "1"\\ngot 2
- Files: .ts (4), .md (1)
- Changed: README.md, src/cart.ts
- Duration: 10 min 0 s
- Model: anthropic:sonnet
`,
  );
});

Deno.test("readBlock() understands what it can of a block that was edited by hand", () => {
  const edited = renderBlock(blockOf(sampleEntry()))
    .replace("- Outcome: shipped", "- Outcome: great")
    .replace("- Failure: test_failure", "- Failure: bad_luck")
    .replaceAll("\n", "\r\n") + "\r\nA thought of mine.\r\n";
  const [raw] = parseMemory(edited).blocks;
  assert.ok(raw !== undefined);
  const block = readBlock(raw);
  assert.equal(block.model, "anthropic:sonnet");
  assert.deepEqual(block.failures, []);
  assert.equal(block.outcome, "abandoned");
});

Deno.test("toList() and fromList() keep commas, spaces and backslashes within an item", () => {
  const item = fc.string({ unit: "binary", minLength: 1 }).map((text) => text.toWellFormed());
  fc.assert(fc.property(fc.array(item), (items) => {
    assert.deepEqual(fromList(toList(items)), items);
  }));
});

Deno.test("blockOf() marks a goal and a detail that it cuts", () => {
  const goal = "g".repeat(600);
  const failure = { cause: "timeout", heals: 0, healed: false, task: "1", detail: goal } as const;
  const block = blockOf(sampleEntry({ goal, failures: [failure] }));
  assert.equal(block.goal, `${"g".repeat(499)}…`);
  assert.equal(block.failures[0]?.detail, block.goal);
});

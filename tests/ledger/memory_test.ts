/** MEMORY.md as a document: splitting, adding, rotating. */
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  addBlock,
  KEPT_BLOCKS,
  type Memory,
  MEMORY_LIMIT_BYTES,
  parseMemory,
  renderMemory,
  rotate,
} from "../../src/ledger/memory.ts";
import { blockOf } from "../../src/ledger/memory_block.ts";
import { sampleEntry } from "./entries.ts";

function session(n: number): string {
  return `20261129-2312${String(n % 60).padStart(2, "0")}-${n.toString(16).padStart(4, "0")}`;
}

function block(n: number, attempt = 1) {
  return blockOf(sampleEntry({ session: session(n), attempt }));
}

function memoryOf(count: number, sizeBytes: number): Memory {
  const blocks = Array.from({ length: count }, (_, n) => {
    const heading = `## Session ${session(n)} (2026-11-29)\n`;
    return {
      session: session(n),
      date: "2026-11-29",
      text: `${heading}${"ä".repeat((sizeBytes - heading.length - 1) / 2)}\n`,
    };
  });
  return { preamble: "My own words.\n\n", blocks };
}

function ids(memory: Memory): string[] {
  return memory.blocks.map((raw) => raw.session);
}

Deno.test("parseMemory() and renderMemory() give any text back byte for byte", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("\n", "\r\n", "```\n", "## Session 20261129-231205-a1b2 (2026-11-29)\n"),
  );
  fc.assert(fc.property(fc.array(piece), (pieces) => {
    const text = pieces.join("");
    assert.equal(renderMemory(parseMemory(text)), text);
  }));
});

Deno.test("parseMemory() takes an example in a fence for the user's words", () => {
  const example = "~~~\n```\n## Session 20261129-231205-a1b2 (2026-11-29)\n~~~\n";
  const text = renderMemory(addBlock(parseMemory(`Notes\n${example}`), block(1)));
  const memory = parseMemory(text);
  assert.deepEqual(ids(memory), [session(1)]);
  assert.ok(memory.preamble.startsWith(`Notes\n${example}`));
});

Deno.test("parseMemory() does not let a fence that is never closed hide the blocks", () => {
  const memory = addBlock(parseMemory("```\nhalf an example\n"), block(1));
  assert.deepEqual(ids(parseMemory(renderMemory(memory))), [session(1)]);
});

Deno.test("addBlock() keeps a preamble without a final newline and sets the block apart", () => {
  const text = renderMemory(addBlock(parseMemory("Be kind."), block(1)));
  assert.ok(text.startsWith(`Be kind.\n\n## Session ${session(1)} (`));
});

Deno.test("addBlock() adds the same session and attempt once", () => {
  const once = addBlock(parseMemory(""), block(1));
  assert.equal(addBlock(once, block(1)), once);
});

Deno.test("addBlock() puts a later attempt in the earlier one's place, as the newest", () => {
  const memory = addBlock(addBlock(addBlock(parseMemory(""), block(1)), block(2)), block(1, 2));
  assert.deepEqual(ids(memory), [session(2), session(1)]);
  assert.equal(addBlock(memory, block(1, 1)), memory);
});

Deno.test("rotate() leaves a memory within the limit alone", () => {
  const memory = memoryOf(40, 1_000);
  assert.deepEqual(rotate(memory), { kept: memory, moved: [] });
});

Deno.test("rotate() of 600 KB with 21 blocks keeps the newest 20 in order when they fit", () => {
  const memory = memoryOf(21, 24_000);
  const [first] = memory.blocks;
  assert.ok(first !== undefined);
  first.text += "x".repeat(96_000);
  const { kept, moved } = rotate(memory);
  assert.deepEqual(ids(kept), ids(memory).slice(1));
  assert.equal(kept.blocks.length, KEPT_BLOCKS);
  assert.deepEqual(moved, [first]);
  assert.equal(kept.preamble, memory.preamble);
});

Deno.test("rotate() keeps fewer than 20 when they are too many bytes", () => {
  const { kept, moved } = rotate(memoryOf(21, 30_000));
  assert.equal(kept.blocks.length, 17);
  assert.equal(moved.length, 4);
  assert.ok(new TextEncoder().encode(renderMemory(kept)).length <= MEMORY_LIMIT_BYTES);
});

Deno.test("rotate() always keeps the newest block, be it over the limit alone", () => {
  const { kept, moved } = rotate(memoryOf(3, 600_000));
  assert.deepEqual(ids(kept), [session(2)]);
  assert.equal(moved.length, 2);
});

/**
 * MEMORY.md as a whole: the user's preamble, then a block a session, oldest first; and its rotation.
 * Rule: pure; every byte that the user wrote is kept, in MEMORY.md or in the archive.
 */
import { type MemoryBlock, parseBlock, renderBlock } from "./memory_block.ts";
import { utf8ByteLength } from "../platform/text.ts";

/** A block as it stands in the file. */
export interface RawBlock {
  session: string;
  /** `YYYY-MM-DD`. */
  date: string;
  /** From its heading up to the next block's, byte for byte. */
  text: string;
}

/** The parts of MEMORY.md; joined they are its text. */
export interface Memory {
  preamble: string;
  blocks: RawBlock[];
}

/** Above this many bytes after an append, MEMORY.md is rotated. */
export const MEMORY_LIMIT_BYTES = 512 * 1024;

/** How many blocks stay when MEMORY.md is rotated, if they fit. */
export const KEPT_BLOCKS = 20;

const HEADING = /^## Session (\d{8}-\d{6}-[0-9a-f]{4}) \((\d{4}-\d{2}-\d{2})\)[ \t]*\r?$/gm;

/** Splits MEMORY.md. A heading within a closed fence of code is text of whatever it stands in. */
export function parseMemory(text: string): Memory {
  const fences = fencedRanges(text);
  const headings = [...text.matchAll(HEADING)].filter((match) =>
    !fences.some(([start, end]) => match.index > start && match.index < end)
  );
  const blocks = headings.map((match, index) => ({
    session: match[1] ?? "",
    date: match[2] ?? "",
    text: text.slice(match.index, headings[index + 1]?.index ?? text.length),
  }));
  return { preamble: text.slice(0, headings[0]?.index ?? text.length), blocks };
}

/** Where fences of code start and end. One that is never closed is none. */
function fencedRanges(text: string): [number, number][] {
  const ranges: [number, number][] = [];
  let open: { index: number; fence: string } | undefined;
  for (const match of text.matchAll(/^ {0,3}(`{3,}|~{3,})([^\n]*)$/gm)) {
    const fence = match[1] ?? "";
    if (open === undefined) {
      open = { index: match.index, fence };
      continue;
    }
    if (!fence.startsWith(open.fence) || (match[2] ?? "").trim() !== "") continue;
    ranges.push([open.index, match.index]);
    open = undefined;
  }
  return ranges;
}

/** Writes MEMORY.md. */
export function renderMemory(memory: Memory): string {
  return memory.preamble + memory.blocks.map((block) => block.text).join("");
}

/** What a block says. */
export function readBlock(raw: RawBlock): MemoryBlock {
  return parseBlock({ session: raw.session, date: raw.date }, raw.text);
}

/**
 * Puts a block at the end. The same session and attempt again changes nothing; a later attempt of a
 * session takes the earlier one's place.
 */
export function addBlock(memory: Memory, block: MemoryBlock): Memory {
  const earlier = memory.blocks.filter((raw) => raw.session === block.session).map(readBlock);
  if (earlier.some((known) => known.attempt >= block.attempt)) return memory;
  const kept = memory.blocks.filter((raw) => raw.session !== block.session);
  const raw = { session: block.session, date: block.date, text: renderBlock(block) };
  const last = kept.at(-1);
  if (last === undefined) return { preamble: separated(memory.preamble), blocks: [raw] };
  const blocks = [...kept.slice(0, -1), { ...last, text: separated(last.text) }, raw];
  return { preamble: memory.preamble, blocks };
}

/** `text` with what it takes for a heading to follow after an empty line. */
function separated(text: string): string {
  if (text === "" || /\n\r?\n$/.test(text)) return text;
  return text.endsWith("\n") ? `${text}\n` : `${text}\n\n`;
}

/** What {@linkcode rotate} gives: what stays, and the blocks that go to the archive, oldest first. */
export interface Rotation {
  kept: Memory;
  moved: RawBlock[];
}

/**
 * When `memory` is over `limitBytes`, keeps the newest {@linkcode KEPT_BLOCKS} blocks in their order,
 * or as many fewer as it takes to be within the limit; the newest always stays.
 */
export function rotate(memory: Memory, limitBytes: number = MEMORY_LIMIT_BYTES): Rotation {
  const sizes = memory.blocks.map((block) => utf8ByteLength(block.text));
  const preambleBytes = utf8ByteLength(memory.preamble);
  const totalBytes = sizes.reduce((sum, size) => sum + size, preambleBytes);
  if (totalBytes <= limitBytes) return { kept: memory, moved: [] };
  let count = 0;
  let keptBytes = preambleBytes;
  for (const size of sizes.toReversed().slice(0, KEPT_BLOCKS)) {
    if (count > 0 && keptBytes + size > limitBytes) break;
    keptBytes += size;
    count++;
  }
  const first = memory.blocks.length - count;
  return {
    kept: { preamble: memory.preamble, blocks: memory.blocks.slice(first) },
    moved: memory.blocks.slice(0, first),
  };
}

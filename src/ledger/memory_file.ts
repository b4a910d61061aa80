/**
 * MEMORY.md and its archive on disk.
 * Rule: one lock around append and rotation; the archive is written first and MEMORY.md is replaced
 * last, in one step, so a block is in MEMORY.md until it is safely in the archive.
 */
import { dirname, join } from "@std/path";
import {
  ensureDirectory,
  readTextIfExists,
  refuseSymlinks,
  writeAtomically,
} from "../platform/files.ts";
import { withLockedFile } from "./locked_file.ts";
import {
  addBlock,
  type Memory,
  parseMemory,
  type RawBlock,
  readBlock,
  renderMemory,
  rotate,
} from "./memory.ts";
import type { MemoryBlock } from "./memory_block.ts";
import { archivePath, MEMORY_PATH } from "./paths.ts";

/** The project's memory; a missing file is an empty one. */
export function readMemory(root: string): Memory {
  return readMemoryFile(root, MEMORY_PATH);
}

function readMemoryFile(root: string, path: string): Memory {
  refuseSymlinks(root, path);
  return parseMemory(readTextIfExists(join(root, path)) ?? "");
}

/**
 * Adds a session's block to MEMORY.md and moves older ones to the archive when it has grown too large.
 * Doing it again for the same session and attempt changes nothing.
 *
 * @param root the project's folder
 * @returns the sessions whose blocks went to the archive
 * @throws {FileInUse} when another process holds MEMORY.md's lock
 */
export async function appendMemory(root: string, block: MemoryBlock): Promise<string[]> {
  refuseSymlinks(root, MEMORY_PATH);
  const path = join(root, MEMORY_PATH);
  ensureDirectory(dirname(path));
  return await withLockedFile(path, () => {
    const memory = readMemory(root);
    const added = isArchived(root, block) ? memory : addBlock(memory, block);
    const { kept, moved } = rotate(added);
    archiveBlocks(root, moved);
    if (kept !== memory) writeAtomically(path, renderMemory(kept));
    return moved.map((raw) => raw.session);
  });
}

function isArchived(root: string, block: MemoryBlock): boolean {
  return readMemoryFile(root, archivePath(block.session)).blocks.some((raw) =>
    raw.session === block.session && readBlock(raw).attempt >= block.attempt
  );
}

/** Appends blocks to their months' files, each replaced in one step. A text that is there is not added again. */
function archiveBlocks(root: string, moved: readonly RawBlock[]): void {
  for (const [path, blocks] of Map.groupBy(moved, (raw) => archivePath(raw.session))) {
    const archive = readMemoryFile(root, path);
    const known = new Set(archive.blocks.map((raw) => raw.text.trimEnd()));
    const fresh = blocks.filter((raw) => !known.has(raw.text.trimEnd()));
    if (fresh.length === 0) continue;
    ensureDirectory(dirname(join(root, path)));
    const texts = [renderMemory(archive), ...fresh.map((raw) => raw.text)];
    const text = texts.filter((part) => part !== "").map((part) => `${part.trimEnd()}\n`);
    writeAtomically(join(root, path), text.join("\n"));
  }
}

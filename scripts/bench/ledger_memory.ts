/**
 * Rotation and digest of a MEMORY.md of 5 MB.
 * Rule: on a real file, with its locks and syncs.
 */
import { join } from "@std/path";
import { madeUpEntry } from "./ledger/made_up_ledger.ts";
import { appendMemory } from "../../src/ledger/memory_file.ts";
import { blockOf, renderBlock } from "../../src/ledger/memory_block.ts";
import { MEMORY_PATH } from "../../src/ledger/paths.ts";
import { projectDigest } from "../../src/ledger/project_digest.ts";
import { median, type Row, timeMs } from "./benchmark.ts";

const SIZE_BYTES = 5_000_000;
const RUNS = 5;
const GOAL_MS = 200;
const DIGEST_TOKENS = 2_000;

export const name = "memory";

export async function run(): Promise<Row[]> {
  const totalsMs: number[] = [];
  for (let turn = 0; turn < RUNS; turn++) totalsMs.push(await measureOnce());
  const value = median(totalsMs);
  return [{
    what: `memory: digest and rotation of a 5 MB MEMORY.md, median of ${RUNS}`,
    value,
    unit: "ms",
    goal: "at most 0.2 s",
    isGoalMet: value <= GOAL_MS,
  }];
}

async function measureOnce(): Promise<number> {
  const root = Deno.makeTempDirSync({ prefix: "m31a-bench-" });
  try {
    Deno.mkdirSync(join(root, "planning"));
    const blocks: string[] = [];
    for (let sizeBytes = 0; sizeBytes < SIZE_BYTES;) {
      const block = `${renderBlock(blockOf(madeUpEntry(blocks.length, 20_000)))}\n`;
      blocks.push(block);
      sizeBytes += block.length;
    }
    Deno.writeTextFileSync(join(root, MEMORY_PATH), blocks.join(""));
    const newest = blockOf(madeUpEntry(blocks.length, 20_000));
    return await timeMs(async () => {
      await projectDigest(root, "fix the login page and its cache", DIGEST_TOKENS);
      await appendMemory(root, newest);
    });
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
}

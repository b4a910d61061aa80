/** MEMORY.md and its archive on disk, killed and failing at every step. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import { appendMemory, readMemory } from "../../src/ledger/memory_file.ts";
import { MEMORY_LIMIT_BYTES, parseMemory } from "../../src/ledger/memory.ts";
import { blockOf, renderBlock } from "../../src/ledger/memory_block.ts";
import { archivePath, MEMORY_PATH } from "../../src/ledger/paths.ts";
import { withTemporaryFolder } from "../support/temporary.ts";
import { sampleEntry } from "./entries.ts";

const PREAMBLE = "# What I want m31a to know\r\n\r\nUse tabs.\n\n";
const NEW = "20270102-030405-00ff";

function session(n: number): string {
  return `2026${n < 12 ? "11" : "12"}29-2312${String(n).padStart(2, "0")}-0000`;
}

/** A MEMORY.md of 25 blocks, just under the limit. */
function fill(root: string): void {
  Deno.mkdirSync(join(root, "planning"), { recursive: true });
  const sizeBytes = Math.floor((MEMORY_LIMIT_BYTES - PREAMBLE.length) / 25);
  const blocks = Array.from({ length: 25 }, (_, n) => {
    const block = renderBlock(blockOf(sampleEntry({ session: session(n) })));
    return `${block}${"x".repeat(sizeBytes - block.length - 2)}\n\n`;
  });
  Deno.writeTextFileSync(join(root, MEMORY_PATH), PREAMBLE + blocks.join(""));
}

function idsIn(root: string, path: string): string[] {
  try {
    return parseMemory(Deno.readTextFileSync(join(root, path))).blocks.map((raw) => raw.session);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

function allIds(): string[] {
  return [...Array.from({ length: 25 }, (_, n) => session(n)), NEW];
}

function assertWhole(root: string): void {
  const memory = readMemory(root);
  const archived = [
    ...idsIn(root, archivePath(session(0))),
    ...idsIn(root, archivePath(session(24))),
  ];
  const kept = memory.blocks.map((raw) => raw.session);
  assert.equal(memory.preamble, PREAMBLE);
  assert.deepEqual([...archived, ...kept], allIds());
  assert.deepEqual(kept, allIds().slice(-20));
}

Deno.test("appendMemory() starts a memory where there is none", async () => {
  await withTemporaryFolder(async (root) => {
    assert.deepEqual(await appendMemory(root, blockOf(sampleEntry())), []);
    assert.equal(
      Deno.readTextFileSync(join(root, MEMORY_PATH)),
      renderBlock(blockOf(sampleEntry())),
    );
  });
});

Deno.test("appendMemory() moves the oldest blocks to the archive of their months", async () => {
  await withTemporaryFolder(async (root) => {
    fill(root);
    const moved = await appendMemory(root, blockOf(sampleEntry({ session: NEW })));
    assert.deepEqual(moved, allIds().slice(0, 6));
    assertWhole(root);
  });
});

Deno.test("appendMemory() changes nothing for a session that is in the file or in the archive", async () => {
  await withTemporaryFolder(async (root) => {
    fill(root);
    await appendMemory(root, blockOf(sampleEntry({ session: NEW })));
    const before = Deno.readTextFileSync(join(root, MEMORY_PATH));
    const inode = Deno.statSync(join(root, MEMORY_PATH)).ino;
    await appendMemory(root, blockOf(sampleEntry({ session: NEW })));
    await appendMemory(root, blockOf(sampleEntry({ session: session(0) })));
    assert.equal(Deno.readTextFileSync(join(root, MEMORY_PATH)), before);
    assert.equal(Deno.statSync(join(root, MEMORY_PATH)).ino, inode);
  });
});

Deno.test("appendMemory() at the same time from several loses no block", async () => {
  await withTemporaryFolder(async (root) => {
    await Promise.all(
      Array.from(
        { length: 10 },
        (_, n) => appendMemory(root, blockOf(sampleEntry({ session: session(n) }))),
      ),
    );
    assert.equal(readMemory(root).blocks.length, 10);
  });
});

Deno.test("appendMemory() refuses an archive that is a symbolic link", async () => {
  await withTemporaryFolder(async (root) => {
    fill(root);
    Deno.mkdirSync(join(root, "outside"));
    Deno.symlinkSync(join(root, "outside"), join(root, "planning", "archive"));
    await assert.rejects(
      appendMemory(root, blockOf(sampleEntry({ session: NEW }))),
      /symbolic link/,
    );
    assert.deepEqual([...Deno.readDirSync(join(root, "outside"))], []);
    assert.equal(readMemory(root).blocks.length, 25);
  });
});

function hasStrace(): boolean {
  try {
    return new Deno.Command("strace", { args: ["-o", "/dev/null", "true"] }).outputSync().success;
  } catch {
    return false;
  }
}

/** Runs one append in a process of its own, in which the `nth` of a system call meets `fault`. */
function appendUnderFault(
  root: string,
  call: string,
  fault: string,
  nth: number,
): Deno.CommandOutput {
  const here = new URL(".", import.meta.url).href;
  const script = `
    import { appendMemory } from "${here}../../src/ledger/memory_file.ts";
    import { blockOf } from "${here}../../src/ledger/memory_block.ts";
    import { sampleEntry } from "${here}entries.ts";
    await appendMemory(Deno.args[0], blockOf(sampleEntry({ session: "${NEW}" })));`;
  return new Deno.Command("strace", {
    args: [
      ...["-f", "-qq", "-o", "/dev/null", "-e", `trace=${call}`],
      ...["-e", `inject=${call}:${fault}:when=${nth}`],
      ...[Deno.execPath(), "eval", "--no-check", script, root],
    ],
    env: { RUST_BACKTRACE: "0", DENO_NO_UPDATE_CHECK: "1" },
  }).outputSync();
}

/** Fails the `nth` call, checks that no block is lost, tries again; whether there was such a call. */
async function survivesFault(call: string, fault: string, nth: number): Promise<boolean> {
  return await withTemporaryFolder(async (root) => {
    fill(root);
    const before = Deno.readTextFileSync(join(root, MEMORY_PATH));
    const { success } = appendUnderFault(root, call, fault, nth);
    const present = new Set([
      ...readMemory(root).blocks.map((raw) => raw.session),
      ...idsIn(root, archivePath(session(0))),
      ...idsIn(root, archivePath(session(24))),
    ]);
    for (const id of allIds().slice(0, -1)) assert.ok(present.has(id), `${id} is lost`);
    // Until MEMORY.md is replaced it is what it was; afterwards all is done.
    if (Deno.readTextFileSync(join(root, MEMORY_PATH)) !== before) assertWhole(root);
    await appendMemory(root, blockOf(sampleEntry({ session: NEW })));
    assertWhole(root);
    return !success;
  });
}

for (const fault of ["signal=SIGKILL", "error=ENOSPC"]) {
  for (const call of ["rename", "fsync"]) {
    Deno.test({
      name: `appendMemory() with ${fault} at each ${call} loses no block, and again finishes`,
      ignore: !hasStrace(),
      fn: async () => {
        let faults = 0;
        while (await survivesFault(call, fault, faults + 1)) faults++;
        assert.ok(faults >= 2, `only ${faults} steps met the fault`);
      },
    });
  }
}

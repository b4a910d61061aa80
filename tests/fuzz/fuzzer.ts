/**
 * What a fuzzer is, and how one is run for a time.
 * Rule: it begins with its seeds as they are, and what it finds it makes as small as it can.
 */
import fc from "fast-check";
import { messageOf } from "../../src/platform/errors.ts";
import { edited, editsWith } from "./edits.ts";

/** A fuzzer. Its seeds are the files of tests/fuzz/seeds/<name>/. */
export interface Fuzzer {
  name: string;
  /** What is put into inputs more often than anything else. */
  words: readonly string[];
  /**
   * Tries an input; throws when something is wrong.
   *
   * @param choice decides what else there is to decide, such as which protocol; 0: all that there is
   */
  check(input: Uint8Array, choice: number): Promise<void> | void;
  /** Frees what the checks share. */
  close?(): Promise<void>;
}

/** A seed: its file's name and its bytes. */
export interface Seed {
  name: string;
  bytes: Uint8Array;
}

/** The seeds of a fuzzer, in the order of their names. */
export function seedsOf(name: string): Seed[] {
  const folder = new URL(`./seeds/${name}/`, import.meta.url);
  return [...Deno.readDirSync(folder)].map((entry) => entry.name).sort()
    .map((file) => ({ name: file, bytes: Deno.readFileSync(new URL(file, folder)) }));
}

/** How long one input may take, in milliseconds: a thousand times what it needs. */
const SLOW_MS = 10_000;

/** What a fuzzer found: the smallest input that it could make of it. */
export class Found extends Error {
  readonly input: Uint8Array;

  constructor(input: Uint8Array, cause: unknown) {
    super(`${messageOf(cause)}\nwith ${JSON.stringify(new TextDecoder().decode(input))}`, {
      cause,
    });
    this.input = input;
  }
}

/**
 * Tries inputs for `seconds`.
 *
 * @param onInput called with each input before it is tried
 * @returns how many were tried
 * @throws {Found}
 */
export async function fuzz(
  fuzzer: Fuzzer,
  { seconds, seed }: { seconds: number; seed: number },
  onInput: (bytes: Uint8Array) => void,
): Promise<number> {
  const seeds = seedsOf(fuzzer.name);
  let tried = 0;
  let found: Found | undefined;
  const attempt = async (bytes: Uint8Array, choice: number) => {
    tried++;
    onInput(bytes);
    const startedMs = performance.now();
    try {
      await fuzzer.check(bytes, choice);
      const tookMs = Math.round(performance.now() - startedMs);
      if (tookMs > SLOW_MS) throw new Error(`took ${tookMs} ms for ${bytes.length} bytes`);
    } catch (error) {
      // Of those that fail while one is made smaller, the last is the smallest.
      throw found = new Found(bytes, error);
    }
  };
  for (const { bytes } of seeds) await attempt(bytes, 0);
  const input = fc.record({
    from: fc.nat(seeds.length - 1),
    edits: editsWith(fuzzer.words),
    choice: fc.integer({ min: 1 }),
  });
  const property = fc.asyncProperty(input, async ({ from, edits, choice }) => {
    await attempt(edited(seeds[from]?.bytes ?? new Uint8Array(), edits), choice);
  });
  await fc.check(property, {
    seed,
    numRuns: Number.MAX_SAFE_INTEGER,
    interruptAfterTimeLimit: seconds * 1000,
    markInterruptAsFailure: false,
  });
  if (found !== undefined) throw found;
  return tried;
}

/**
 * Whether a large file's beginning is still what it was, without reading all of it.
 * Rule: for what may err towards reading again: appending leaves the hash alone, whatever moves a byte changes it.
 */
import { sha256Hex } from "../platform/canonical_json.ts";

const SAMPLES = 32;
const SAMPLE_BYTES = 8 * 1024;

/**
 * A hash of pieces of the file's first `sizeBytes`, the first and the last among them. A change that moves
 * anything shows in the last piece; one in place that keeps every length may not, if the file has
 * grown since then.
 */
export function sampleHash(file: Deno.FsFile, sizeBytes: number): string {
  const sample = new Uint8Array(SAMPLES * SAMPLE_BYTES);
  const last = Math.max(0, sizeBytes - SAMPLE_BYTES);
  for (let index = 0; index < SAMPLES; index++) {
    const start = Math.floor(last * index / (SAMPLES - 1));
    file.seekSync(start, Deno.SeekMode.Start);
    const length = Math.min(SAMPLE_BYTES, sizeBytes - start);
    file.readSync(sample.subarray(index * SAMPLE_BYTES, index * SAMPLE_BYTES + length));
  }
  return sha256Hex(sample);
}

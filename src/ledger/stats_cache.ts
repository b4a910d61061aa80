/**
 * A fold kept between two calls, so that the second one reads only what is new.
 * Rule: derived and thrown away at the first doubt, never a source of truth; failing to keep it is no error.
 */
import { join } from "@std/path";
import { refuseSymlinks, removeIfExists } from "../platform/files.ts";
import { keepInCache } from "./cache_folder.ts";
import { KeySet } from "./key_set.ts";
import { type FoldData, LedgerFold } from "./ledger_fold.ts";
import { sampleHash } from "./sample_hash.ts";
import type { ScanPosition } from "./stats_scan.ts";

/** Where the fold of the project's own ledger is kept. */
const CACHE_PATH = "planning/.cache/ledger-stats";

/** Of another format, a cache is not read. */
const CACHE_FORMAT = 3;

/** What a kept fold must have in common with the file that it is used for. */
interface LedgerIdentity {
  dev: number;
  ino: number | null;
  /** Where the fold had got to. */
  position: ScanPosition;
  /** The file's size and time of change when it was folded; when the size is the same, so must be the time. */
  sizeBytes: number;
  changedMs: number;
  /** See {@linkcode sampleHash}. */
  sample: string;
}

interface CacheHeader extends LedgerIdentity {
  format: number;
  keys: number;
  data: FoldData;
}

/** A fold and how far it had come. */
export interface KeptFold {
  fold: LedgerFold;
  position: ScanPosition;
}

/** The kept fold of `file`, the project's ledger; `undefined` when there is none or it is not of this file's beginning. */
export function loadFold(root: string, file: Deno.FsFile): KeptFold | undefined {
  try {
    refuseSymlinks(root, CACHE_PATH);
    const bytes = Deno.readFileSync(join(root, CACHE_PATH));
    const newline = bytes.indexOf(10);
    const header: CacheHeader = JSON.parse(new TextDecoder().decode(bytes.subarray(0, newline)));
    if (header.format !== CACHE_FORMAT || !isOf(header, file)) return undefined;
    const slots = new Int32Array(bytes.slice(newline + 1).buffer);
    const keys = new KeySet(slots, header.keys);
    return { fold: new LedgerFold({}, header.data, keys), position: header.position };
  } catch {
    // Missing, cut off, of another shape: all the same, the ledger is read from its beginning.
    return undefined;
  }
}

/** Keeps the fold of `file`, the project's ledger, up to `position`. */
export function saveFold(
  root: string,
  file: Deno.FsFile,
  fold: LedgerFold,
  position: ScanPosition,
): void {
  const header: CacheHeader = {
    format: CACHE_FORMAT,
    ...identityOf(file, position),
    keys: fold.keys.size,
    data: fold.toData(),
  };
  const head = new TextEncoder().encode(`${JSON.stringify(header)}\n`);
  const { slots } = fold.keys;
  const bytes = new Uint8Array(head.byteLength + slots.byteLength);
  bytes.set(head);
  bytes.set(new Uint8Array(slots.buffer), head.byteLength);
  keepInCache(root, CACHE_PATH, bytes);
}

/** Throws the kept fold away. */
export function dropFold(root: string): void {
  refuseSymlinks(root, CACHE_PATH);
  removeIfExists(join(root, CACHE_PATH));
}

function isOf(header: LedgerIdentity, file: Deno.FsFile): boolean {
  const { dev, ino, size, mtime } = file.statSync();
  if (header.dev !== dev || header.ino !== ino || size < header.sizeBytes) return false;
  if (size === header.sizeBytes && header.changedMs !== mtime?.getTime()) return false;
  return header.sample === sampleHash(file, header.position.bytes);
}

function identityOf(file: Deno.FsFile, position: ScanPosition): LedgerIdentity {
  const { dev, ino, size, mtime } = file.statSync();
  return {
    dev,
    ino,
    position,
    sizeBytes: size,
    changedMs: mtime?.getTime() ?? 0,
    sample: sampleHash(file, position.bytes),
  };
}

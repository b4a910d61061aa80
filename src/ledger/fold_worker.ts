/**
 * Folds the second half of a large ledger on another core, while the first half is folded here.
 * Rule: only ever faster: whatever goes wrong on the other side, the caller folds that half itself.
 *
 * The module starts itself as the worker, so that the compiled executable has its code.
 */
import { type EntryFilter, type FoldData, LedgerFold } from "./ledger_fold.ts";
import { KeySet } from "./key_set.ts";
import type { ByteSource } from "../platform/byte_lines.ts";
import { foldLines } from "./stats_scan.ts";

/** A part of a ledger that begins and ends where lines do. */
export interface LedgerPart {
  path: string;
  /** In bytes. */
  from: number;
  to: number;
  filter: EntryFilter;
}

/** What the worker sends back. */
interface FoldedPart {
  data: FoldData;
  slots: Int32Array<ArrayBuffer>;
  keys: number;
  lines: number;
}

/** A part folded on the other core. */
export interface FoldedElsewhere {
  fold: LedgerFold;
  lines: number;
}

/** The bytes of `file` from its position up to `to`. */
export function partOf(file: Deno.FsFile, from: number, to: number): ByteSource {
  let left = to - from;
  return {
    readSync(into) {
      if (left === 0) return null;
      const read = file.readSync(into.subarray(0, Math.min(into.byteLength, left)));
      left -= read ?? left;
      return read;
    },
  };
}

/** Folds a part in a worker; `undefined` when that did not succeed, for whatever reason. */
export async function foldElsewhere(part: LedgerPart): Promise<FoldedElsewhere | undefined> {
  const worker = new Worker(import.meta.url, { type: "module" });
  const { port1, port2 } = new MessageChannel();
  try {
    const folded = await new Promise<FoldedPart | undefined>((resolve) => {
      worker.onerror = (event) => {
        event.preventDefault();
        resolve(undefined);
      };
      // An undefined value arrives as null.
      port1.onmessage = (event: MessageEvent<FoldedPart | null>) =>
        resolve(event.data ?? undefined);
      worker.postMessage(part, [port2]);
    });
    if (folded === undefined) return undefined;
    const keys = new KeySet(folded.slots, folded.keys);
    return { fold: new LedgerFold(part.filter, folded.data, keys), lines: folded.lines };
  } finally {
    port1.close();
    worker.terminate();
  }
}

async function foldPart(part: LedgerPart): Promise<FoldedPart | undefined> {
  const file = Deno.openSync(part.path);
  try {
    file.seekSync(part.from, Deno.SeekMode.Start);
    const fold = new LedgerFold(part.filter);
    const end = await foldLines(partOf(file, part.from, part.to), part.path, fold);
    if (end.isTorn) return undefined;
    return {
      data: fold.toData(),
      slots: fold.keys.slots,
      keys: fold.keys.size,
      lines: end.lines,
    };
  } catch {
    // Damage is named by the caller, who then folds this part and knows the lines before it.
    return undefined;
  } finally {
    file.close();
  }
}

if ("DedicatedWorkerGlobalScope" in globalThis) {
  globalThis.addEventListener("message", async (event) => {
    if (!(event instanceof MessageEvent)) return;
    const [port] = event.ports;
    const folded = await foldPart(event.data);
    port?.postMessage(folded, folded === undefined ? [] : [folded.slots.buffer]);
  });
}

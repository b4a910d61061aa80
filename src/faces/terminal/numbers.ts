/** Numbers for people. Rule: short, with the unit, never more precise than what can be compared at a glance. */

/**
 * A count in at most four digits: `950`, `1.2k`, `34k`, `5.6M`.
 *
 * @example
 * ```ts
 * import { formatCount, formatDuration, formatPercent } from "./numbers.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(formatCount(1234), "1.2k");
 * assert.equal(formatDuration(192_000), "3m 12s");
 * assert.equal(formatPercent(0.449), "45 %");
 * ```
 */
export function formatCount(count: number): string {
  const magnitude = Math.abs(count);
  if (magnitude < 999.5) return String(Math.round(count));
  for (const [unit, size] of [["k", 1e3], ["M", 1e6], ["G", 1e9]] as const) {
    const scaled = magnitude / size;
    if (scaled < 999.5 || unit === "G") {
      const digits = scaled < 9.95 ? scaled.toFixed(1).replace(/\.0$/, "") : scaled.toFixed(0);
      return (count < 0 ? "-" : "") + digits + unit;
    }
  }
  return String(count);
}

/** A duration: `850ms`, `4.2s`, `3m 12s`, `2h 5m`, `3d 4h`. */
export function formatDuration(durationMs: number): string {
  if (durationMs < 999.5) return `${Math.round(durationMs)}ms`;
  if (durationMs < 9950) return `${(durationMs / 1000).toFixed(1).replace(/\.0$/, "")}s`;
  const seconds = Math.round(durationMs / 1000);
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return twoUnits(seconds, 60, "m", "s");
  const minutes = Math.round(seconds / 60);
  if (minutes < 24 * 60) return twoUnits(minutes, 60, "h", "m");
  return twoUnits(Math.round(minutes / 60), 24, "d", "h");
}

function twoUnits(count: number, size: number, large: string, small: string): string {
  const rest = count % size;
  return `${Math.floor(count / size)}${large}${rest === 0 ? "" : ` ${rest}${small}`}`;
}

/** A share (0 to 1) in per cent: `45 %`. A share that is not quite nothing or all is not called so. */
export function formatPercent(share: number): string {
  if (!Number.isFinite(share)) return "–";
  const percent = share * 100;
  if (percent > 0 && percent < 0.5) return "<1 %";
  if (percent < 100 && percent >= 99.5) return ">99 %";
  return `${Math.round(percent)} %`;
}

/**
 * The filters of `ledger` commands, from words to values.
 * Rule: what cannot be understood is refused with an example of what can.
 */
import { UsageError } from "../../platform/errors.ts";
import { dayOf } from "../../ledger/entry_view.ts";
import type { EntryFilter } from "../../ledger/ledger_fold.ts";
import { OUTCOMES } from "../../ledger/names.ts";

/** The filters as they were typed. */
export interface FilterOptions {
  since?: string | undefined;
  until?: string | undefined;
  model?: string | undefined;
  outcome?: string | undefined;
}

/** @throws {UsageError} when a day or an outcome is not one */
export function filterOf(options: FilterOptions, now: Date): EntryFilter {
  const outcome = OUTCOMES.find((known) => known === options.outcome);
  if (options.outcome !== undefined && outcome === undefined) {
    throw new UsageError(`--outcome ${options.outcome}: is one of ${OUTCOMES.join(", ")}.`);
  }
  return {
    ...(options.since === undefined ? {} : { sinceDay: dayFrom("--since", options.since, now) }),
    ...(options.until === undefined ? {} : { untilDay: dayFrom("--until", options.until, now) }),
    ...(options.model === undefined ? {} : { model: options.model }),
    ...(outcome === undefined ? {} : { outcome }),
  };
}

/** `2026-11-29`, or an age: `30d`, `12w`. Days since 1970-01-01. */
function dayFrom(option: string, value: string, now: Date): number {
  const today = dayOf(now.toISOString());
  const age = /^(\d{1,5})([dw])$/.exec(value);
  if (age !== null) return today - Number(age[1]) * (age[2] === "w" ? 7 : 1);
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
  if (!isDate) {
    throw new UsageError(
      `${option} ${value}: is a day like 2026-11-29, or an age like 30d or 12w.`,
    );
  }
  return dayOf(value);
}

/**
 * What changed since the week before, in a sentence.
 * Rule: pure; it compares the last two weeks that the statistics have, and says so of a week that is not over.
 */
import type { GroupStats } from "./stats.ts";

/** The sentence; undefined where there are no two weeks. */
export function sinceLastWeek(weeks: readonly GroupStats[]): string | undefined {
  const [before, last] = weeks.slice(-2);
  if (before === undefined || last === undefined) return undefined;
  if (before.attempts === 0) {
    return `${last.name}: ${counted(last)}, after a week without any.`;
  }
  const parts = [
    `${counted(last)}, ${changed(last.attempts, before.attempts)} the week before`,
    ...(last.shipRate === null || before.shipRate === null
      ? []
      : [`${percent(last.shipRate)} shipped (before: ${percent(before.shipRate)})`]),
    `$${last.cost.toFixed(2)} (before: $${before.cost.toFixed(2)})`,
  ];
  return `${last.name}: ${parts.join("; ")}.`;
}

function counted({ attempts }: GroupStats): string {
  return attempts === 1 ? "1 attempt" : `${attempts} attempts`;
}

function changed(now: number, before: number): string {
  if (now === before) return "as many as";
  return now > before ? `${now - before} more than` : `${before - now} fewer than`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** What can be asked of a team's ledger, part by part. Rule: nothing is imported here, so that a command line costs nothing. */

/** What can be computed, each on its own; the trend is the weeks without their percentiles. */
export const TEAM_PARTS = [
  "memory",
  "model",
  "project",
  "author",
  "week",
  "trend",
  "extension",
  "work",
  "phase",
  "cause",
] as const;
/** One of {@linkcode TEAM_PARTS}. */
export type TeamPart = typeof TEAM_PARTS[number];

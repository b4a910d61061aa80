/**
 * What the records say of a verification: the checks, what they were run for, their tests, the caveats.
 * Rule: what was seen is said here as facts; whether it suffices is decided where the records are read.
 */
import { z } from "zod";
import { commandLine } from "./patterns.ts";

const count = z.int().nonnegative();

/** A command that proves something about the project, and where it was found. */
export const projectCheck = z.strictObject({
  name: z.string(),
  command: commandLine,
  source: z.string(),
});

/**
 * What a check is run for: an attempt's verdict, to know before the plan how it stands, to judge a candidate that
 * did not pass, the proof of a commit on its own, what the tests say as they were.
 */
export const checkPurpose = z.enum(["attempt", "baseline", "candidate", "proof", "old_tests"]);

/** How many tests a check has run, where its output tells. */
export const testCount = z.strictObject({
  ran: count,
  failed: count,
  skipped: count,
  /** What the runner counts. */
  unit: z.enum(["tests", "packages"]),
  /** Part of the output was left out, so that more may have run. */
  isLowerBound: z.boolean(),
});

/** What is to be known of a verification: a sentence, and the places or the lines of a difference that it is about. */
export const caveat = z.strictObject({
  kind: z.enum(["definition", "tests", "old_tests"]),
  text: z.string(),
  lines: z.array(z.string()),
});
export type Caveat = z.infer<typeof caveat>;

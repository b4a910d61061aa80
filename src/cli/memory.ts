/**
 * `m31a memory show`: what a model would be given of the past.
 * Rule: exactly the digest that a session with this goal would have in its baseline.
 */
import { type ExitCode, UsageError } from "../platform/errors.ts";
import { stripControlSequences } from "../platform/text.ts";
import { projectDigest } from "../ledger/project_digest.ts";
import type { Baseline } from "../session/baseline.ts";
import { printLine, write } from "./output.ts";

/** How many tokens a digest may take, unless said otherwise. */
const DIGEST_TOKENS = 2_000;

/**
 * What a session with this goal is given of the past; null when there is nothing.
 *
 * @throws {LedgerDamaged} when the newest part of the ledger is damaged
 */
export async function memoryFor(root: string, goal: string): Promise<Baseline["memory"]> {
  const { text, sessions } = await projectDigest(root, goal, DIGEST_TOKENS);
  return text === "" ? null : { text, blocks: sessions };
}

/** Prints the digest for a goal. */
export async function show(
  options: { goal: string; budget?: string | undefined; json?: true | undefined },
): Promise<ExitCode> {
  const budgetTokens = Number(options.budget ?? DIGEST_TOKENS);
  if (!Number.isSafeInteger(budgetTokens) || budgetTokens < 1) {
    throw new UsageError(`--budget ${options.budget}: is a number of tokens, such as 2000.`);
  }
  const digest = await projectDigest(".", options.goal, budgetTokens);
  if (options.json) {
    printLine(JSON.stringify({ goal: options.goal, ...digest }));
    return 0;
  }
  if (digest.text === "") {
    printLine("Nothing is remembered yet. Finished sessions are; the first plan goes without.");
    return 0;
  }
  write(stripControlSequences(digest.text));
  return 0;
}

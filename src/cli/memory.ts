/**
 * `m31a memory show`: what a model would be given of the past.
 * Rule: exactly the digest that a session with this goal would have in its baseline.
 */
import { DIGEST_TOKENS, type Memory, memoryDigest } from "../agent/memory.ts";
import type { Environment } from "../platform/environment.ts";
import { type ExitCode, UsageError } from "../platform/errors.ts";
import { stripControlSequences } from "../platform/text.ts";
import { LEDGER_PATH, MEMORY_PATH } from "../ledger/paths.ts";
import { printLine, write } from "../platform/output.ts";

/** Prints the digest for a goal, and on stderr where it comes from. */
export async function show(
  options: { goal: string; budget?: string | undefined; json?: true | undefined },
  environment: Environment,
): Promise<ExitCode> {
  const budgetTokens = Number(options.budget ?? DIGEST_TOKENS);
  if (!Number.isSafeInteger(budgetTokens) || budgetTokens < 1) {
    throw new UsageError(`--budget ${options.budget}: is a number of tokens, such as 2000.`);
  }
  const memory = await memoryDigest(".", environment, options.goal, budgetTokens);
  if (options.json) {
    printLine(JSON.stringify({ goal: options.goal, ...memory }));
    return 0;
  }
  for (const notice of memory.notices) console.error(stripControlSequences(notice));
  if (memory.text === "") {
    printLine("Nothing is remembered yet: no session has finished here, and there are no commits.");
    return 0;
  }
  write(stripControlSequences(memory.text));
  write(stripControlSequences(`\n${originsOf(memory).join("\n")}\n`));
  return 0;
}

/** Where the lines of a digest come from, in their order. This is for the user: it is no part of the digest. */
function originsOf({ causes, sessions, commits, files, relevant, commitsKnown }: Memory): string[] {
  const mark = (id: string) => relevant.includes(id) ? id : `${id} (for being recent)`;
  const known = `${commitsKnown.toLocaleString("en-US")} commits are known`;
  const parts: [string, readonly string[]][] = [
    [`Sessions, from ${MEMORY_PATH} and ${LEDGER_PATH} (m31a ledger show)`, sessions.map(mark)],
    [`Commits, from the repository (git show); ${known}`, commits.map(mark)],
  ];
  return [
    "Where this comes from:",
    ...(causes.length === 0
      ? []
      : [`- Failures: all sessions in ${MEMORY_PATH} and ${LEDGER_PATH}`]),
    ...parts.flatMap(([title, ids]) => ids.length === 0 ? [] : [`- ${title}: ${ids.join(", ")}`]),
    ...(files.length === 0
      ? []
      : [`- Files: named by the commits and sessions that are closest to the goal; ${known}`]),
  ];
}

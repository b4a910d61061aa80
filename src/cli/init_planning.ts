/**
 * What is to become of planning/ in git: along with each ship's commit, or out of git's sight.
 * Rule: one question, and a flag for scripts; a configuration that the user has written is changed in one line or not at all.
 */
import { CONFIGURATION_PATH } from "../agent/configuration.ts";
import { parseConfiguration } from "../agent/configuration_file.ts";
import { looseSettings, trustedText } from "../agent/trust.ts";
import { isTrusted, recordTrust } from "../agent/trust_store.ts";
import { Git } from "../git/run.ts";
import type { Environment } from "../platform/environment.ts";
import { UsageError } from "../platform/errors.ts";
import {
  pathExists,
  readTextIfExists,
  refuseSymlinks,
  replaceFile,
  writeAtomically,
} from "../platform/files.ts";
import { isPlanningUndecided } from "../ship/planning_files.ts";
import { isInteractive } from "../faces/terminal/terminal_device.ts";
import { printLine } from "../platform/output.ts";

const IGNORE_PATH = "planning/.gitignore";

/** What can become of it, and how that is put in the question. */
const FATES = [
  ["commit", "commit it along with the work: goals, plans, memory and ledger are the team's"],
  ["ignore", "ignore it: git does not see it, it stays on this machine"],
  ["leave", "leave it as it is"],
] as const;
type Fate = (typeof FATES)[number][0];

/**
 * Reads `--planning`.
 *
 * @throws {UsageError} for another word than commit, ignore or leave
 */
export function planningFate(given: string | undefined): Fate | undefined {
  if (given === undefined) return undefined;
  const known = FATES.find(([fate]) => fate === given);
  if (known !== undefined) return known[0];
  throw new UsageError(
    `--planning ${given}: is none of ${FATES.map(([fate]) => fate).join(", ")}`,
  );
}

/** Does with planning/ what is given; without that, asks where somebody can be asked and it is open. */
export async function settlePlanning(
  root: string,
  environment: Environment,
  given: Fate | undefined,
): Promise<void> {
  const isOpen = pathExists(`${root}/.git`) &&
    await isPlanningUndecided(new Git(root, environment));
  const fate = given ?? (isOpen ? await ask(environment) : "leave");
  if (fate === "commit") return await commitAlong(root, environment);
  if (fate === "ignore") return ignore(root);
  if (given === undefined && isOpen) {
    printLine("What is to become of planning/ in git: `m31a init --planning commit` or `ignore`.");
  }
}

async function ask(environment: Environment): Promise<Fate> {
  if (!isInteractive()) return "leave";
  const { choose } = await import("./ask.ts");
  const labels = FATES.map(([, label]) => label);
  const chosen = await choose("What is to become of planning/ in git?", labels, environment);
  return FATES[chosen ?? -1]?.[0] ?? "leave";
}

function ignore(root: string): void {
  refuseSymlinks(root, IGNORE_PATH);
  if (pathExists(`${root}/${IGNORE_PATH}`)) {
    return printLine(`${IGNORE_PATH} is there already: left as it is`);
  }
  writeAtomically(`${root}/${IGNORE_PATH}`, "*\n");
  printLine(`${IGNORE_PATH} created: git ignores planning/, but for what it tracks already`);
}

async function commitAlong(root: string, environment: Environment): Promise<void> {
  const before = readTextIfExists(`${root}/${CONFIGURATION_PATH}`) ?? "";
  const read = parseConfiguration(before);
  if (read.file.ship.planning_files) {
    return printLine(`${CONFIGURATION_PATH} says so already: planning/ is committed along`);
  }
  const after = before.replace(/^#planning_files = false$/m, "planning_files = true");
  const isChanged = after !== before && parseConfiguration(after).file.ship.planning_files;
  if (isChanged) replaceFile(`${root}/${CONFIGURATION_PATH}`, after);
  printLine(
    isChanged
      ? `${CONFIGURATION_PATH}: planning_files = true: planning/ is committed along with each ship`
      : `${CONFIGURATION_PATH} is your own: write planning_files = true below [ship], ` +
        "then `m31a config --trust`",
  );
  if (!isChanged) return;
  // The user has just said this one thing; it brings no trust in what else the file may ask for.
  const wasTrusted = looseSettings(read).length === 0 || isTrusted(root, trustedText(root, read));
  if (wasTrusted) {
    return await recordTrust(root, environment, trustedText(root, parseConfiguration(after)));
  }
  printLine("It is in force after `m31a config --trust`.");
}

/**
 * Whether the checks are still those that the session began with.
 * Rule: only what the session itself has changed counts. Alone, a change blocks; a user at the gates is asked, and what
 * is allowed is recorded and told with the commit.
 */
import { cleanText } from "../agent/clean.ts";
import { listFiles } from "../git/listing.ts";
import type { Caveat } from "../session/verification.ts";
import { definitionOf, type TreeReader } from "./checks/definition.ts";
import { compareDefinitions } from "./checks/definition_change.ts";
import { folderReader } from "./detect/folder_reader.ts";
import type { ChangedFile } from "./files_before.ts";
import { isSameCheck } from "./fold_checks.ts";
import type { Check } from "./run_checks.ts";
import type { Work } from "./work.ts";

/** The answer that allows a change. */
const ALLOW = "yes, it belongs to the goal";
const REFUSE = "no, stop here";

/**
 * Compares what defines the checks with what did when the session began.
 *
 * @returns why they prove nothing; undefined when they are the same, or the user allows the change
 */
export async function settleDefinitions(
  work: Work,
  changed: readonly ChangedFile[],
): Promise<string | undefined> {
  const found = changed.length === 0 ? [] : await changesOfDefinitions(work, changed);
  const isKnown = ({ text, lines }: Caveat) =>
    work.state.caveats.some((known) =>
      known.kind === "definition" && known.text === text &&
      known.lines.join("\n") === lines.join("\n")
    );
  const allowed = work.state.caveats.filter(({ kind }) => kind === "definition");
  const others = work.state.caveats.filter(({ kind }) => kind !== "definition");
  if (found.every(isKnown)) {
    // What was allowed once and is not there any more is not told.
    if (allowed.length > found.length) {
      work.append({ type: "caveats", items: [...found, ...others] });
    }
    return undefined;
  }
  const { gates } = work.parts.link;
  const list = found.map(({ text, lines }) =>
    [text, ...lines.map((line) => `  ${line}`)].join("\n")
  );
  if (gates === undefined) {
    const { id } = work.parts.conversation.session;
    return `not verified: ${
      found.map(({ text, lines }) => `${text} (${lines.join(" ")})`).join("; ")
    }. ` +
      "What passes now is not the check that the session began with. Put it back and verify again, " +
      `or allow it: m31a chat --resume ${id}, /verify`;
  }
  const question = `The session has changed what defines the checks:\n${list.join("\n")}\n` +
    "Do the checks count as they are now?";
  const answer = await gates.ask({ question, options: [REFUSE, ALLOW] });
  if (answer !== ALLOW) {
    return `not verified: ${found.map(({ text }) => text).join("; ")}, and that was not allowed`;
  }
  work.append({ type: "caveats", items: [...found, ...others] });
  return undefined;
}

async function changesOfDefinitions(
  work: Work,
  changed: readonly ChangedFile[],
): Promise<Caveat[]> {
  const now = await treeReader(work);
  const then = readerBefore(now, changed);
  const { secrets } = work.parts.conversation.world;
  const found = new Map<string, Caveat>();
  for (const check of work.state.project?.checks ?? []) {
    const before = await definitionOf(check.command, then);
    if (before.length === 0 && !couldRunBefore(work, check)) continue;
    const changes = compareDefinitions(before, await definitionOf(check.command, now));
    for (const { words, difference } of changes) {
      found.set(words, {
        kind: "definition",
        text: cleanText(words, secrets),
        lines: difference.map((line) => cleanText(line, secrets)),
      });
    }
  }
  return [...found.values()];
}

/** A check that the session had to make first was not there to be weakened. */
function couldRunBefore({ state }: Work, check: Check): boolean {
  const before = state.baseline.find((known) => isSameCheck(known, check));
  return before !== undefined && before.standing !== "machine";
}

async function treeReader({ git, root, signal }: Work): Promise<TreeReader> {
  const { paths } = await listFiles(git, [], Infinity, signal);
  const reader = folderReader(root);
  return {
    files: () => Promise.resolve(paths),
    read: (path) => Promise.resolve(reader.read(path)),
  };
}

function readerBefore(now: TreeReader, changed: readonly ChangedFile[]): TreeReader {
  const before = new Map(changed.map((file) => [file.path, file.before]));
  return {
    files: async () => {
      const kept = (await now.files()).filter((path) => !before.has(path));
      return [...kept, ...[...before].flatMap(([path, text]) => text === null ? [] : [path])];
    },
    read: async (path) => {
      const text = before.get(path);
      return text === undefined ? await now.read(path) : text ?? undefined;
    },
  };
}

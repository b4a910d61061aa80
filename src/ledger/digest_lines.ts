/**
 * The lines of a digest: causes, sessions, commits, files.
 * Rule: pure, one line an item; text from outside stays within its line, that of commits in quotation marks.
 */
import { toLine, toList } from "./line_text.ts";
import type { MemoryBlock } from "./memory_block.ts";
import type { CommitNote } from "./past/commits.ts";
import { quoted } from "./quote.ts";
import type { ChangedTogether } from "./together.ts";

/** Failures of one cause make it a recurring one from this many on. */
const RECURRING_FROM = 3;

/** How many characters of a failure's detail, or of a commit's subject, are given. */
const DETAIL_CHARACTERS = 200;

/** The causes that came up {@linkcode RECURRING_FROM} times or more, most frequent first. */
export function recurringCauses(past: readonly MemoryBlock[]): { cause: string; line: string }[] {
  const failures = past.flatMap((block) => block.failures);
  const byCause = [...Map.groupBy(failures, (failure) => failure.cause)]
    .filter(([, group]) => group.length >= RECURRING_FROM)
    .sort(([a, m], [b, n]) => n.length - m.length || (a < b ? -1 : 1));
  return byCause.map(([cause, group]) => {
    const healed = group.filter((failure) => failure.healed).length;
    const last = group.at(-1)?.detail ?? "";
    const detail = last === "" ? "" : ` The last one: ${shortLine(last)}`;
    return { cause, line: `- ${cause}: ${group.length} times, ${healed} of them healed.${detail}` };
  });
}

/** A session that bears on the goal. */
export function sessionLine(block: MemoryBlock): string {
  const parts = [
    `- ${block.date}, ${block.outcome}, ${block.tasks.done} of ${block.tasks.total} tasks: ${
      shortLine(block.goal)
    }`,
    ...(block.files.length === 0 ? [] : [`  Changed: ${toList(block.files.slice(0, 12))}`]),
    ...block.failures.slice(0, 3).map((failure) =>
      `  Failed: ${failure.cause}, ${failure.healed ? "healed" : "not healed"} after ` +
      `${failure.heals} tries: ${shortLine(failure.detail)}`
    ),
  ];
  return parts.join("\n");
}

function shortLine(text: string): string {
  const characters = [...text.slice(0, DETAIL_CHARACTERS * 2)];
  const isShort = text.length <= DETAIL_CHARACTERS * 2 && characters.length <= DETAIL_CHARACTERS;
  return toLine(isShort ? text : `${characters.slice(0, DETAIL_CHARACTERS).join("")}…`);
}

/** A commit that bears on the goal. */
export function commitLine({ id, subject, isReverted }: CommitNote, seconds: number): string {
  const day = new Date(seconds * 1000).toISOString().slice(0, 10);
  const end = isReverted ? " (was reverted: it did not hold)" : "";
  return `- ${day} ${id.slice(0, 12)} ${quoted(subject, DETAIL_CHARACTERS)}${end}`;
}

/** Files, a line a folder, in the order in which the folders come up. */
export function fileLines(paths: readonly string[]): string[] {
  const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/") + 1);
  return [...Map.groupBy(paths, folderOf)].map(([folder, files]) => {
    const [only] = files;
    if (only !== undefined && files.length === 1) return `- ${shownPath(only)}`;
    const names = files.map((path) => shownPath(path.slice(folder.length))).join(", ");
    return `- ${folder === "" ? "" : `${shownPath(folder)}: `}${names}`;
  });
}

/** A path as it is where it looks like one, else in quotation marks. */
function shownPath(path: string): string {
  return /^[\w./@+-]+$/.test(path) ? path : quoted(path, DETAIL_CHARACTERS);
}

/** What changes together with a file. */
export function togetherLine(path: string, { path: other, together, changes }: ChangedTogether) {
  return `- ${toList([path])} changed together with ${
    toList([other])
  } in ${together} of ${changes}`;
}

/** @jsxImportSource preact */
/**
 * A change of a file, line by line.
 * Rule: what was and what is are told apart by a sign as well as by a colour.
 */
import { structuredPatch } from "diff";
import type { Diff } from "./protocol.ts";

/** The lines around the change, with their numbers. */
export function FileDiff({ path, oldText, newText }: Diff) {
  const { hunks } = structuredPatch(path, path, oldText ?? "", newText, "", "", { context: 3 });
  return (
    <figure class="diff">
      <figcaption>{path}</figcaption>
      <pre tabIndex={0}>
        {hunks.map(({ oldStart, newStart, lines }) => numbered(oldStart, newStart, lines))}
      </pre>
    </figure>
  );
}

const KINDS: Record<string, string> = { "+": "added", "-": "removed" };

function numbered(oldStart: number, newStart: number, lines: readonly string[]) {
  let before = oldStart;
  let after = newStart;
  return lines.filter((line) => !line.startsWith("\\")).map((line) => {
    const sign = line[0] ?? " ";
    const number = sign === "-" ? before : after;
    if (sign !== "+") before++;
    if (sign !== "-") after++;
    return (
      <span class={KINDS[sign] ?? "same"}>
        {`${String(number).padStart(4)} ${sign} ${line.slice(1)}\n`}
      </span>
    );
  });
}

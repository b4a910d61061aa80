/**
 * search_files: lines of the project's files that match a pattern.
 * Rule: git searches, within a time limit; the answer is capped and says so.
 */
import { z } from "zod";
import { GitError } from "../../git/errors.ts";
import { type FoundLine, searchFiles as search } from "../../git/listing.ts";
import { Git } from "../../git/run.ts";
import { capText } from "../../platform/text.ts";
import { done, failed, orFailed } from "../outcome.ts";
import { isPrivatePath } from "../paths.ts";
import { pathspecsOf } from "../pathspecs.ts";
import type { Tool } from "../tool.ts";

const TIMEOUT_MS = 20_000;
const MAX_LINES = 300;
const MAX_LINE_BYTES = 400;

const input = z.object({
  pattern: z.string().min(1),
  kind: z.enum(["regex", "text", "perl"]).optional().describe(
    "Extended regular expression (the default), plain text or Perl's.",
  ),
  ignore_case: z.boolean().optional(),
  path: z.string().optional().describe(
    "A folder or file; the whole project by default.",
  ),
  glob: z.string().min(1).optional().describe(
    "Only files whose path matches, such as `*.ts` or `src/**/*.md`.",
  ),
  context_lines: z.int().min(0).max(10).optional().describe(
    "Lines to show around each match, up to 10.",
  ),
});

/** Searches the project's files. */
export const searchFiles: Tool<z.infer<typeof input>> = {
  name: "search_files",
  description:
    "Search the text files of the project, line by line; ignored and binary files are left out. " +
    `Gives path:line:text, at most ${MAX_LINES} lines.`,
  input,
  effect: "read",
  run: ({ pattern, kind, ignore_case, path, glob, context_lines }, context) =>
    orFailed(async () => {
      if (`${pattern}${glob ?? ""}`.includes("\0")) return failed("a pattern cannot hold NUL");
      const query = {
        pattern,
        kind: kind ?? "regex",
        ignoreCase: ignore_case ?? false,
        contextLines: context_lines ?? 0,
        pathspecs: pathspecsOf(context.root, path, glob),
        maxLines: MAX_LINES,
        timeoutMs: TIMEOUT_MS,
        signal: context.signal,
      };
      try {
        const found = await search(new Git(context.root, context.environment), query);
        return done(render(found.lines, found.isComplete));
      } catch (error) {
        if (!(error instanceof GitError)) throw error;
        return failed(explain(error));
      }
    }),
};

function render(found: readonly FoundLine[], isComplete: boolean): string {
  const lines = found.filter(({ path }) => !isPrivatePath(path)).map(({ path, line, text }) =>
    `${path}:${line}:${capText(text.replace(/\r$/, ""), MAX_LINE_BYTES).text.replaceAll("\n", " ")}`
  );
  if (lines.length === 0) return "No matches.";
  if (!isComplete) lines.push(`[… more than ${MAX_LINES} lines: narrow the search …]`);
  return lines.join("\n");
}

function explain(error: GitError): string {
  if (error.timedOut) {
    return `The search took longer than ${TIMEOUT_MS / 1000} s and was stopped. ` +
      "Use a simpler pattern, kind text, or a path or glob.";
  }
  return `The search failed: ${error.stderr}`;
}

/**
 * list_files: the files of the project.
 * Rule: what .gitignore hides stays hidden; the answer is capped and says so.
 */
import { z } from "zod";
import { NoGit, NotARepository } from "../../git/errors.ts";
import { listFiles as listTracked } from "../../git/listing.ts";
import { Git } from "../../git/run.ts";
import { pathExists } from "../../platform/files.ts";
import { matchesGlob } from "../glob.ts";
import { done, failed, orFailed } from "../outcome.ts";
import { isPrivatePath, readablePath } from "../paths.ts";
import { pathspecsOf } from "../pathspecs.ts";
import type { Tool, ToolContext } from "../tool.ts";
import { walkFiles } from "../walk.ts";

const MAX_FILES = 1_000;
const MAX_WALK_ENTRIES = 20_000;

const input = z.object({
  path: z.string().optional().describe("A folder; the whole project by default."),
  glob: z.string().min(1).optional().describe(
    "Only paths below it that match, such as `*.ts` (at any depth) or `src/**/*.md`.",
  ),
});

/** Lists the project's files. */
export const listFiles: Tool<z.infer<typeof input>> = {
  name: "list_files",
  description:
    `List the files of the project, or of one folder, without those that git ignores. At most ${MAX_FILES}.`,
  input,
  effect: "read",
  run: ({ path, glob }, context) =>
    orFailed(async () => {
      if (glob?.includes("\0")) return failed("a glob cannot hold NUL");
      const place = readablePath(context.root, path ?? ".");
      if (!pathExists(place.real)) return failed(`${place.path}: there is no such folder`);
      const { paths, isComplete } = await list(context, path, glob);
      const shown = paths.slice(0, MAX_FILES);
      if (shown.length === 0) return done("No files.");
      const isWhole = isComplete && shown.length === paths.length;
      const more = `\n[… more than ${shown.length} files: narrow it by path or glob …]`;
      return done(shown.map(printable).join("\n") + (isWhole ? "" : more));
    }),
};

async function list(
  context: ToolContext,
  path: string | undefined,
  glob: string | undefined,
): Promise<{ paths: string[]; isComplete: boolean }> {
  const specs = pathspecsOf(context.root, path, glob);
  const git = new Git(context.root, context.environment);
  try {
    const { paths, isComplete } = await listTracked(git, specs, MAX_FILES + 100, context.signal);
    // git also lists tracked files that are deleted from the tree.
    const there = paths.filter((file) =>
      !isPrivatePath(file) && pathExists(`${context.root}/${file}`)
    );
    return { paths: there, isComplete };
  } catch (error) {
    if (!(error instanceof NotARepository || error instanceof NoGit)) throw error;
    return await walk(context, path, glob);
  }
}

async function walk(
  context: ToolContext,
  path: string | undefined,
  glob: string | undefined,
): Promise<{ paths: string[]; isComplete: boolean }> {
  const folder = readablePath(context.root, path ?? ".").path;
  const found = await walkFiles(context.root, folder, MAX_WALK_ENTRIES, context.signal);
  if (glob === undefined) return found;
  const pattern = glob.includes("/") ? glob.replace(/^(?:\.?\/)+/, "") : `**/${glob}`;
  const below = folder === "." ? 0 : folder.length + 1;
  const paths = found.paths.filter((file) => matchesGlob(file.slice(below), pattern));
  return { paths, isComplete: found.isComplete };
}

/** A name on one line; names with control characters are quoted. */
function printable(path: string): string {
  return /[\p{Cc}"]/u.test(path) ? JSON.stringify(path) : path;
}

/**
 * git_diff: what has changed in the tree.
 * Rule: only git's own diff; no external program, no text conversion, nothing of sessions/.
 */
import { z } from "zod";
import { GitError, NotARepository } from "../../git/errors.ts";
import { listFiles } from "../../git/listing.ts";
import { Git } from "../../git/run.ts";
import { decodeLossy } from "../../platform/text.ts";
import { done, failed, orFailed } from "../outcome.ts";
import { isPrivatePath, readablePath } from "../paths.ts";
import type { Tool, ToolContext } from "../tool.ts";

const MAX_OUTPUT_BYTES = 60 * 1024;
const MAX_UNTRACKED = 50;

const input = z.object({
  against: z.string().min(1).optional().describe(
    "A commit, branch or tag to compare with; the index by default.",
  ),
  staged: z.boolean().optional().describe("Compare what is staged, not the tree."),
  paths: z.array(z.string()).max(100).optional(),
  stat: z.boolean().optional().describe("Only the number of changed lines of each file."),
});

/** Shows what has changed. */
export const gitDiff: Tool<z.infer<typeof input>> = {
  name: "git_diff",
  description:
    "Show what has changed in the working tree (or what is staged), as a unified diff; untracked files " +
    "are named below it.",
  input,
  effect: "read",
  run: (query, context) =>
    orFailed(async () => {
      try {
        return await diff(query, context);
      } catch (error) {
        if (error instanceof NotARepository || !(error instanceof GitError)) throw error;
        return failed(`git diff failed: ${error.stderr}`);
      }
    }),
};

async function diff(
  { against, staged, paths, stat }: z.infer<typeof input>,
  context: ToolContext,
) {
  const git = new Git(context.root, context.environment);
  const { signal } = context;
  // Outside a repository git diff would compare any two files; this throws NotARepository instead.
  await git.read(["rev-parse", "--git-dir"], { signal });
  const specs = (paths ?? []).map((given) => {
    const { path } = readablePath(context.root, given);
    return path === "." ? "." : `:(literal)${path}`;
  });
  if (specs.length === 0) specs.push(".");
  specs.push(":(exclude,icase)sessions");
  const commit = against === undefined ? undefined : await commitOf(git, against, signal);
  if (against !== undefined && commit === undefined) {
    return failed(`${against}: is not a commit, branch or tag of this repository`);
  }
  const args = [
    "-c",
    "core.quotePath=false",
    "diff",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--submodule=short",
    "--ignore-submodules=dirty",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    ...(stat ? ["--stat=100"] : []),
    ...(staged ? ["--cached"] : []),
    ...(commit === undefined ? [] : [commit]),
    "--",
    ...specs,
  ];
  const shown = decodeLossy(
    await git.read(args, { signal, pathspecs: "magic", maxOutputBytes: MAX_OUTPUT_BYTES }),
  );
  const untracked = staged ? "" : await untrackedNote(git, specs, signal);
  return done(`${shown === "" ? "No changes in tracked files.\n" : shown}${untracked}`.trimEnd());
}

async function commitOf(git: Git, name: string, signal: AbortSignal): Promise<string | undefined> {
  if (name.includes("\0")) return undefined;
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
  return await git.readLineIfAny(args, { signal });
}

async function untrackedNote(
  git: Git,
  specs: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const { paths, isComplete } = await listFiles(git, specs, MAX_UNTRACKED, signal, "untracked");
  const names = paths.filter((path) => !isPrivatePath(path));
  if (names.length === 0) return "";
  return `\nUntracked files:\n${names.join("\n")}${isComplete ? "" : "\n[… and more …]"}\n`;
}

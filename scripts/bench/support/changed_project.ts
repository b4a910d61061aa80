/**
 * A repository of many files with a session in it that has changed some of them.
 * Rule: changed, new and deleted files in the proportions of everyday work; the same every time.
 */
import { join } from "@std/path";
import type { KeptChange } from "../../../src/agent/kept_change.ts";
import type { KeptFile } from "../../../src/git/blob.ts";
import { blobId, readFileState } from "../../../src/git/file_state.ts";
import { Git } from "../../../src/git/run.ts";
import type { Baseline } from "../../../src/session/baseline.ts";
import type { RecordDraft } from "../../../src/session/records.ts";
import { makeSessionOf } from "./sessions.ts";

/** The project. */
export interface ChangedProject {
  root: string;
  git: Git;
  /** The files that were changed. */
  paths: string[];
  /** A commit with the changes, on no branch. */
  commit: string;
}

/** How many files a folder has. */
const FILES_A_FOLDER = 250;

/** Makes a repository of `count` files. */
export async function makeProject(root: string, count: number): Promise<ChangedProject> {
  for (let number = 0; number < count; number++) {
    if (number % FILES_A_FOLDER === 0) {
      Deno.mkdirSync(join(root, pathOf(number), ".."), { recursive: true });
    }
    Deno.writeTextFileSync(join(root, pathOf(number)), contentOf(number));
  }
  Deno.writeTextFileSync(join(root, ".gitignore"), "planning/\nsessions/\n");
  const git = new Git(root, { PATH: Deno.env.get("PATH") });
  const longMs = { timeoutMs: 600_000 };
  await git.write(["init", "--quiet", "--initial-branch=main"]);
  await git.write(["config", "user.name", "a"]);
  await git.write(["config", "user.email", "a@example.org"]);
  await git.write(["add", "--all"], longMs);
  await git.write(["commit", "--quiet", "--message=all"], longMs);
  return { root, git, paths: [], commit: "" };
}

function pathOf(number: number): string {
  return `src/part_${Math.floor(number / FILES_A_FOLDER)}/file_${number}.ts`;
}

function contentOf(number: number): string {
  const line = (at: number) => `export const value_${number}_${at} = ${number * at};\n`;
  return Array.from({ length: 40 }, (_, at) => line(at)).join("");
}

/** Changes `count` files as a session does: of ten, eight are edited, one is new, one deleted. */
export async function changeFiles(
  project: ChangedProject,
  count: number,
  repository: Baseline["repository"],
): Promise<void> {
  const { root, paths } = project;
  const changes: KeptChange[] = [];
  for (let number = 0; number < count; number++) {
    const path = number % 10 === 0 ? `src/new/file_${number}.ts` : pathOf(number * 10);
    const before = keptFile(root, path);
    change(root, path, number);
    changes.push({ path, before, after: keptFile(root, path) });
    paths.push(path);
  }
  const kept: RecordDraft[] = changes.map((change, index) => (
    { type: "intent", call: index + 1, done: "done", changes: [change] }
  ));
  await makeSessionOf(root, repository, [
    { type: "goal", text: "Change much", mode: "run" },
    ...kept,
    { type: "phase", phase: "verify", status: "entered", detail: "" },
    { type: "phase", phase: "verify", status: "done", detail: "" },
  ]);
  project.commit = await commitApart(project);
}

/** The content itself is in git's store once everything is committed. */
function keptFile(root: string, path: string): KeptFile | null {
  const state = readFileState(root, path);
  return state === undefined ? null : { mode: state.mode, blob: blobId(state.bytes) };
}

function change(root: string, path: string, number: number): void {
  const full = join(root, path);
  if (number % 10 === 0) {
    Deno.mkdirSync(join(full, ".."), { recursive: true });
    return Deno.writeTextFileSync(full, contentOf(-number));
  }
  if (number % 10 === 1) return Deno.removeSync(full);
  const text = Deno.readTextFileSync(full);
  Deno.writeTextFileSync(full, text.replace(/^.*_7 = .*$/m, "// changed\n$&\n// and more"));
}

/** Commits everything, and takes the branch and the index back to where they were. */
async function commitApart({ git }: ChangedProject): Promise<string> {
  const longMs = { timeoutMs: 600_000 };
  await git.write(["add", "--all"], longMs);
  await git.write(["commit", "--quiet", "--message=changed"], longMs);
  const commit = (await git.readText(["rev-parse", "HEAD"])).trim();
  await git.write(["reset", "--quiet", "HEAD~1"], longMs);
  return commit;
}

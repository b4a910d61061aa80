/** Commits as git streams them: names of every kind, renames, merges, shallow clones, time that runs out. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import { GitError } from "../../src/git/errors.ts";
import { headCommit, type HistoryCommit, readHistory } from "../../src/git/history.ts";
import { Git } from "../../src/git/run.ts";
import { withGitFolder } from "../support/git_folder.ts";
import { type Project, withProject } from "../support/project.ts";
import { wrappedGit } from "../support/wrapped_git.ts";

const ALL = { known: [], skip: 0, limit: 1_000, timeoutMs: 60_000 };

const gitOf = (project: Project, root = project.root) => new Git(root, project.variables);

async function commit(project: Project, subject: string, files: Record<string, string>) {
  project.write(files);
  await project.git("add", "-A");
  await project.git("commit", "--quiet", "--allow-empty", "-m", subject);
}

async function read(git: Git, more: Partial<Parameters<typeof readHistory>[1]> = {}) {
  const commits: HistoryCommit[] = [];
  const head = await headCommit(git) ?? "";
  const reading = await readHistory(git, { head, ...ALL, ...more }, (one) => commits.push(one));
  return { commits, reading };
}

Deno.test("headCommit() is undefined in a repository without a commit and outside of one", () =>
  withProject(async (project) => {
    assert.equal(await headCommit(gitOf(project)), undefined);
    assert.equal(await headCommit(gitOf(project, project.outside)), undefined);
  }));

Deno.test("readHistory() gives subjects and names byte for byte, whatever is in them", () =>
  withProject(async (project) => {
    const names = ["a\ttab", 'a"quote', "R100", "\x01mark", "new\nline", "ü.md", "M"];
    await commit(project, "first", {});
    await commit(
      project,
      "\x01hostile A\tB",
      Object.fromEntries(names.map((name) => [name, name])),
    );
    await commit(project, "nothing in it", {});
    const { commits, reading } = await read(gitOf(project));
    assert.deepEqual(commits.map(({ subject }) => subject), [
      "nothing in it",
      "\x01hostile A\tB",
      "first",
    ]);
    assert.deepEqual(commits.map(({ files }) => files.toSorted()), [
      [],
      names.toSorted(),
      ["README.md", "src/greet.ts"],
    ]);
    assert.deepEqual(reading, { read: 3, isComplete: true });
  }));

Deno.test("readHistory() leaves merges out and tells renames", () =>
  withProject(async (project) => {
    await commit(project, "first", {});
    await project.git("switch", "--quiet", "-c", "side");
    await project.git("mv", "src/greet.ts", "src/hello.ts");
    await commit(project, "rename", {});
    await project.git("switch", "--quiet", "main");
    await commit(project, "other", { "other.md": "x" });
    await project.git("merge", "--quiet", "--no-ff", "-m", "merge", "side");
    const { commits } = await read(gitOf(project));
    assert.deepEqual(commits.map(({ subject }) => subject).toSorted(), [
      "first",
      "other",
      "rename",
    ]);
    const renamed = commits.find(({ subject }) => subject === "rename");
    assert.deepEqual(renamed?.files, ["src/hello.ts"]);
    assert.deepEqual(renamed?.renames, [{ from: "src/greet.ts", to: "src/hello.ts" }]);
  }));

Deno.test("readHistory() passes over the newest, stops at a limit, and leaves out what is known", () =>
  withProject(async (project) => {
    for (const n of [1, 2, 3, 4]) await commit(project, `c${n}`, { [`f${n}`]: "x" });
    const git = gitOf(project);
    const subjects = async (more: Parameters<typeof read>[1]) =>
      (await read(git, more)).commits.map(({ subject }) => subject);
    assert.deepEqual(await subjects({ skip: 1, limit: 2 }), ["c3", "c2"]);
    const known = (await project.git("rev-parse", "HEAD~2")).trim();
    assert.deepEqual(await subjects({ known: [known] }), ["c4", "c3"]);
    await assert.rejects(read(git, { known: ["0".repeat(40)] }), GitError);
  }));

Deno.test("readHistory() knows no files of the commit where a shallow clone ends", () =>
  withProject(async (project) => {
    for (const n of [1, 2, 3]) await commit(project, `c${n}`, { [`f${n}`]: "x" });
    const clone = join(project.outside, "clone");
    await project.git("clone", "--quiet", "--depth=2", `file://${project.root}`, clone);
    const { commits } = await read(gitOf(project, clone));
    assert.deepEqual(commits.map(({ subject, files }) => [subject, files]), [
      ["c3", ["f3"]],
      ["c2", []],
    ]);
  }));

/** A git whose log tells of one commit and the half of another, and then says nothing more. */
const SLOW_LOG = `case "$*" in
*" log "*) printf '\\001w\\000p\\0001\\000whole\\000\\nM\\000a\\000\\001h\\000p\\0001\\000half\\000\\nM\\000b'; exec sleep 600;;
esac`;

Deno.test("readHistory() ends with whole commits when its time is over", () =>
  withGitFolder(async (folder) => {
    const git = new Git(folder.root, wrappedGit(folder, SLOW_LOG));
    const commits: HistoryCommit[] = [];
    const request = { head: "HEAD", ...ALL, timeoutMs: 4_000 };
    const reading = await readHistory(git, request, (one) => commits.push(one));
    assert.deepEqual(commits.map(({ subject, files }) => [subject, files]), [["whole", ["a"]]]);
    assert.deepEqual(reading, { read: 1, isComplete: false });
  }));

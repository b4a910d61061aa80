/** Where m31a's own programs are taken from: real folders, a real PATH. */
import assert from "node:assert/strict";
import { type Programs, programsFor, setWritableFolders } from "../../src/platform/programs.ts";
import { canBeNobody, testWhere } from "../support/machine.ts";
import { withTemporaryFolder } from "../support/temporary.ts";

/** Makes a folder with an executable `git` in it. */
function withGit(folder: string): string {
  Deno.mkdirSync(folder, { recursive: true });
  Deno.writeTextFileSync(`${folder}/git`, "#!/bin/sh\n", { mode: 0o755 });
  Deno.chmodSync(`${folder}/git`, 0o755);
  return folder;
}

async function look(folder: string, path: readonly string[]): Promise<Programs> {
  Deno.mkdirSync(`${folder}/project`, { recursive: true });
  return await programsFor(`${folder}/project`, { PATH: path.join(":") });
}

/** Why each folder was skipped, by its path below `folder`. */
function reasons({ skipped }: Programs, folder: string): Record<string, string> {
  const short = (text: string) => text.replaceAll(`${folder}/`, "");
  return Object.fromEntries(skipped.map(({ folder, why }) => [short(folder), short(why)]));
}

Deno.test("programsFor() takes a program from the first folder of PATH that can be trusted", async () => {
  await withTemporaryFolder(async (folder) => {
    const inside = withGit(`${folder}/project/.venv/bin`);
    const [first, second] = [withGit(`${folder}/first`), withGit(`${folder}/second`)];
    Deno.symlinkSync(inside, `${folder}/linked`);
    const programs = await look(folder, [
      inside,
      `${folder}/linked`,
      "node_modules/.bin",
      "",
      `${folder}/not there`,
      first,
      second,
      first,
    ]);
    assert.equal(programs.found.get("git"), `${first}/git`);
    assert.equal(programs.searchPath, `${first}:${second}`);
    const written = "it is in project, which commands may write to";
    const relative = "it is not absolute, so it is another folder in each project";
    assert.deepEqual(reasons(programs, folder), {
      "node_modules/.bin": relative,
      "": relative,
      "project/.venv/bin": written,
      linked: written,
    });
  });
});

Deno.test("programsFor() follows a link to where the program really is", async () => {
  await withTemporaryFolder(async (folder) => {
    const inside = withGit(`${folder}/project/tools`);
    for (const name of ["bin", "good"]) Deno.mkdirSync(`${folder}/${name}`);
    const real = withGit(`${folder}/real`);
    Deno.symlinkSync(`${inside}/git`, `${folder}/bin/git`);
    Deno.symlinkSync("../real/git", `${folder}/good/git`);
    const programs = await look(folder, [`${folder}/bin`, `${folder}/good`, real]);
    assert.equal(programs.found.get("git"), `${folder}/good/git`);
    assert.deepEqual(reasons(programs, folder), {
      bin: "its project/tools/git is in project, which commands may write to",
    });
  });
});

Deno.test("programsFor() passes over what anybody may change", async () => {
  await withTemporaryFolder(async (folder) => {
    Deno.chmodSync(folder, 0o755);
    const [open, below, file] = ["open", "above/bin", "file"].map((name) =>
      withGit(`${folder}/${name}`)
    );
    Deno.chmodSync(`${folder}/open`, 0o777);
    Deno.chmodSync(`${folder}/above`, 0o777);
    Deno.chmodSync(`${folder}/file/git`, 0o777);
    const programs = await look(folder, [open ?? "", below ?? "", file ?? ""]);
    assert.equal(programs.found.get("git"), undefined);
    assert.equal(programs.searchPath, "");
    assert.deepEqual(reasons(programs, folder), {
      open: "it can be changed by anybody",
      "above/bin": "it is in above, which can be changed by anybody",
      file: "its file/git can be changed by anybody",
    });
  });
});

testWhere(
  canBeNobody,
  "needs root",
  "programsFor() passes over what belongs to another user",
  async () => {
    await withTemporaryFolder(async (folder) => {
      Deno.chmodSync(folder, 0o755);
      const theirs = withGit(`${folder}/theirs`);
      const mine = withGit(`${folder}/mine`);
      Deno.chownSync(theirs, 65534, 65534);
      const programs = await look(folder, [theirs, mine]);
      assert.equal(programs.found.get("git"), `${mine}/git`);
      assert.deepEqual(reasons(programs, folder), { theirs: "it belongs to another user" });
    });
  },
);

Deno.test("programsFor() passes over the folders that the configuration lets commands write to", async () => {
  await withTemporaryFolder(async (folder) => {
    const cargo = withGit(`${folder}/home/.cargo/bin`);
    const other = withGit(`${folder}/other`);
    Deno.symlinkSync(`${folder}/home`, `${folder}/house`);
    setWritableFolders(() => Promise.resolve([`${folder}/house/.cargo`, `${folder}/not there`]));
    try {
      const programs = await look(folder, [cargo, other]);
      assert.equal(programs.found.get("git"), `${other}/git`);
      assert.deepEqual(reasons(programs, folder), {
        "home/.cargo/bin": "it is in home/.cargo, which commands may write to",
      });
    } finally {
      setWritableFolders(() => Promise.resolve([]));
    }
  });
});

Deno.test("programsFor() refuses a folder whose name holds a line break", async () => {
  await withTemporaryFolder(async (folder) => {
    const odd = withGit(`${folder}/a\nfolder /`);
    const programs = await look(folder, [odd]);
    assert.equal(programs.found.size, 0);
    assert.deepEqual(programs.skipped.map(({ why }) => why), [
      "its name holds a control character",
    ]);
  });
});

Deno.test("programsFor() takes the system's folders where there is no PATH", async () => {
  await withTemporaryFolder(async (folder) => {
    const { found } = await programsFor(folder, {});
    assert.match(found.get("git") ?? "", /^\/.*\/git$/);
  });
});

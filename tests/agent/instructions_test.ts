/** AGENTS.md and CLAUDE.md of a project, and the user's own. */
import assert from "node:assert/strict";
import { dirname, join } from "@std/path";
import { readInstructions } from "../../src/agent/instructions.ts";
import { Git } from "../../src/git/run.ts";
import { withTemporaryFolder } from "../support/temporary.ts";

/** Reads the instructions of a repository with `files` in it; what begins with `~/` is in the user's home. */
function instructionsOf<T>(
  files: Readonly<Record<string, string>>,
  test: (found: Awaited<ReturnType<typeof readInstructions>>, folder: string) => T,
  prepare: (folder: string) => void = () => {},
): Promise<T> {
  return withTemporaryFolder(async (folder) => {
    const root = join(folder, "project");
    await new Deno.Command("git", { args: ["init", "--quiet", root] }).output();
    for (const [path, text] of Object.entries(files)) {
      const full = path.startsWith("~/") ? join(folder, "home", path.slice(2)) : join(root, path);
      Deno.mkdirSync(dirname(full), { recursive: true });
      Deno.writeTextFileSync(full, text);
    }
    prepare(folder);
    const environment = { PATH: Deno.env.get("PATH"), HOME: join(folder, "home") };
    return test(await readInstructions(new Git(root, environment), environment), folder);
  });
}

Deno.test("readInstructions() gives the root's file as it is, and nothing where there is none", async () => {
  assert.deepEqual(await instructionsOf({ "AGENTS.md": "Be brief.\n" }, (found) => found), {
    project: "Be brief.\n",
    user: null,
    notices: [],
  });
  assert.deepEqual(await instructionsOf({ "README.md": "x" }, (found) => found), {
    project: null,
    user: null,
    notices: [],
  });
});

Deno.test("readInstructions() takes CLAUDE.md where a folder has no AGENTS.md, and what is below the root under its folder", () =>
  instructionsOf({
    "CLAUDE.md": "Root.",
    "web/AGENTS.md": "Web.",
    "web/CLAUDE.md": "Not this one.",
    "a/deep/CLAUDE.md": "Deep.",
    "ignored/AGENTS.md": "Not in git.",
    ".gitignore": "ignored/",
    "~/.config/m31a/AGENTS.md": "Mine.",
  }, (found) => {
    assert.equal(
      found.project,
      "(From CLAUDE.md.)\n\nRoot.\n\n" +
        "## Instructions for what is in web/ (web/AGENTS.md)\n\nWeb.\n\n" +
        "## Instructions for what is in a/deep/ (a/deep/CLAUDE.md)\n\nDeep.",
    );
    assert.equal(found.user, "Mine.");
    assert.deepEqual(found.notices, []);
  }));

Deno.test("readInstructions() says what it cut, and names to the model what there is no room for", () => {
  const files = Object.fromEntries(
    Array.from({ length: 45 }, (_, index) => [`f${index + 10}/AGENTS.md`, "y".repeat(2_000)]),
  );
  return instructionsOf({ "AGENTS.md": "x".repeat(40_000), ...files }, ({ project, notices }) => {
    assert.match(project ?? "", /x\n\[… \d+ bytes left out …\]\nx/);
    assert.match(
      project ?? "",
      /Read these before you work in their folders:\n\n- f10\/AGENTS\.md\n/,
    );
    assert.match(project ?? "", /- f49\/AGENTS\.md\n- and 5 more: list_files finds them$/);
    assert.equal(notices.length, 2);
    assert.match(
      notices[0] ?? "",
      /^AGENTS\.md has 40000 bytes; the model is given its beginning and its end, 32768/,
    );
    assert.match(
      notices[1] ?? "",
      /of 45 files the model is given the path alone \(f10\/AGENTS\.md, .*, …\)/,
    );
  });
});

Deno.test("readInstructions() says which file it cannot give and why, and gives the others", () =>
  instructionsOf(
    { "AGENTS.md": "Root.", "~/.config/m31a/AGENTS.md": "z".repeat(32 * 1024 + 1) },
    ({ project, user, notices }, folder) => {
      assert.deepEqual([project, user], ["Root.", null]);
      assert.equal(notices.length, 3);
      assert.match(
        notices[0] ?? "",
        /home\/\.config\/m31a\/AGENTS\.md: it has more than 32768 bytes; shorten it\.$/,
      );
      assert.match(
        notices[1] ?? "",
        /^The model is not given bytes\/AGENTS\.md\. .*is not UTF-8 text/,
      );
      assert.match(
        notices[2] ?? "",
        /^The model is not given out\/AGENTS\.md\. .*leads out of the project/,
      );
      assert.ok(!notices.join().includes(join(folder, "secret")));
    },
    (folder) => {
      Deno.writeTextFileSync(join(folder, "secret"), "secret");
      for (const name of ["bytes", "out"]) Deno.mkdirSync(join(folder, "project", name));
      Deno.writeFileSync(join(folder, "project", "bytes", "AGENTS.md"), new Uint8Array([0xff]));
      Deno.symlinkSync(join(folder, "secret"), join(folder, "project", "out", "AGENTS.md"));
    },
  ));

Deno.test("readInstructions() says that there are too many to look at, and which is no file", () =>
  instructionsOf({ "AGENTS.md": "Root." }, ({ user, notices }) => {
    assert.equal(user, null);
    assert.match(notices[0] ?? "", /m31a\/AGENTS\.md: it is no file that you may read\.$/);
    assert.match(
      notices[1] ?? "",
      /^There are more than 2000 files named AGENTS\.md or CLAUDE\.md/,
    );
  }, (folder) => {
    Deno.mkdirSync(join(folder, "home/.config/m31a/AGENTS.md"), { recursive: true });
    for (let index = 0; index <= 2_000; index++) {
      Deno.mkdirSync(join(folder, `project/${index}`));
      Deno.writeTextFileSync(join(folder, `project/${index}/AGENTS.md`), "");
    }
  }));

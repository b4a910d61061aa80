/** Commands that run on a checkout in the project's place: under bubblewrap, and without a sandbox. */
import assert from "node:assert/strict";
import { isDependency, wroteToBorrowed } from "../../src/agent/sandbox_proof.ts";
import type { GitFolder } from "../support/git_folder.ts";
import { confined, withSandbox } from "../support/sandboxes.ts";

const IGNORED = ["node_modules", "packages/a/node_modules", ".venv", "dist", ".coverage"];

/** A project with dependencies, things that were built and work of the user's, and a checkout of its commit. */
function projectWithProof(folder: GitFolder): string {
  folder.write(".gitignore", IGNORED.join("\n"));
  folder.write("source.txt", "committed\n");
  folder.write("packages/a/index.txt", "a\n");
  folder.commitAll();
  folder.write("source.txt", "the user's\n");
  folder.write("untracked.txt", "the user's\n");
  folder.write("node_modules/dep/index.txt", "dep\n");
  folder.write("packages/a/node_modules/inner/index.txt", "inner\n");
  folder.write(".venv/bin/tool", "tool\n");
  folder.write("dist/built.txt", "built before\n");
  folder.write(".coverage", "before\n");
  const proof = `${folder.root}/sessions/s/proof`;
  Deno.mkdirSync(proof, { recursive: true });
  folder.run(`--work-tree=${proof}`, "checkout-index", "-a", `--prefix=${proof}/`);
  return proof;
}

/** Everything below the project but what is m31a's and git's, with its contents. */
function treeOf(root: string, below = ""): Record<string, string> {
  const entries: Record<string, string> = {};
  for (const { name, isDirectory } of Deno.readDirSync(`${root}${below}`)) {
    const path = `${below}/${name}`;
    if (["/.git", "/sessions", "/planning"].includes(path)) continue;
    entries[path] = isDirectory ? "a folder" : Deno.readTextFileSync(`${root}${path}`);
    if (isDirectory) Object.assign(entries, treeOf(root, path));
  }
  return entries;
}

confined(
  "a proof stands at the project's own path with what git ignores, and nothing of it reaches the user's tree",
  async () => {
    await withSandbox({}, async (run, folder) => {
      const proof = { folder: projectWithProof(folder), ignored: IGNORED };
      const before = treeOf(folder.root);
      assert.equal(await run("pwd; cat source.txt", { proof }), `0 ${folder.root}\ncommitted`);
      assert.equal(
        await run("ls -A | tr '\\n' ' '; ls -A sessions planning 2>/dev/null", { proof }),
        "2 .coverage .git .gitignore .venv dist node_modules packages source.txt",
      );
      assert.equal(
        await run("cat node_modules/dep/index.txt packages/a/node_modules/inner/index.txt", {
          proof,
        }),
        "0 dep\ninner",
      );
      for (const dependency of ["node_modules", "packages/a/node_modules", ".venv", ".git"]) {
        assert.match(
          await run(`echo x > ${dependency}/planted`, { proof }),
          /Read-only/,
          dependency,
        );
      }
      assert.equal(await run("git log --oneline | wc -l", { proof }), "0 1");
      // What a build writes is there for the next check of the same proof.
      const build =
        "cat dist/built.txt; echo new > dist/built.txt; rm source.txt .coverage; echo x > made";
      assert.equal(await run(build, { proof }), "0 built before");
      assert.equal(
        await run("cat dist/built.txt made; ls source.txt", { proof }).then(firstLines(2)),
        "2 new\nx",
      );
      assert.deepEqual(treeOf(folder.root), before);
      assert.equal(await run("cat source.txt untracked.txt"), "0 the user's\nthe user's");
    });
  },
);

function firstLines(count: number): (text: string) => string {
  return (text) => text.split("\n").slice(0, count).join("\n");
}

confined(
  "a proof with copied dependencies lets a command write there, and the project's stay as they are",
  async () => {
    await withSandbox({}, async (run, folder) => {
      const proof = { folder: projectWithProof(folder), ignored: IGNORED };
      const before = treeOf(folder.root);
      const write = "echo x > node_modules/dep/index.txt && cat node_modules/dep/index.txt";
      const refused = await run(write, { proof });
      assert.ok(
        wroteToBorrowed(
          folder.root,
          proof,
          refused.replaceAll("sh: 1: cannot create ", `${folder.root}/`),
        ),
      );
      const copying = { ...proof, copiesDependencies: true };
      assert.equal(await run(write, { proof: copying }), "0 x");
      assert.equal(
        await run("cat node_modules/dep/index.txt .venv/bin/tool", { proof: copying }),
        "0 x\ntool",
      );
      assert.deepEqual(treeOf(folder.root), before);
    });
  },
);

confined("uv is told to take the environment as it is in a proof, and nowhere else", async () => {
  await withSandbox({}, async (run, folder) => {
    const proof = { folder: projectWithProof(folder), ignored: IGNORED };
    assert.equal(await run('echo "<$UV_NO_SYNC>"', { proof }), "0 <1>");
    assert.equal(await run('echo "<$UV_NO_SYNC>"'), "0 <>");
  });
});

confined(
  "a proof goes through no link that the commit has where the project has a folder",
  async () => {
    await withSandbox({}, async (run, folder) => {
      const proof = { folder: projectWithProof(folder), ignored: ["packages/a/node_modules"] };
      Deno.removeSync(`${proof.folder}/packages`, { recursive: true });
      Deno.symlinkSync("/tmp", `${proof.folder}/packages`);
      await assert.rejects(run("true", { proof }), /packages: is a symbolic link/);
    });
  },
);

confined("a proof that cannot be filled says what could not be copied", async () => {
  await withSandbox({}, async (run, folder) => {
    const proof = { folder: projectWithProof(folder), ignored: ["dist"] };
    Deno.removeSync(proof.folder, { recursive: true });
    Deno.writeTextFileSync(proof.folder, "");
    await assert.rejects(run("true", { proof }), /cannot copy what git ignores into .*proof: /);
  });
});

Deno.test("a proof without a sandbox is the folder that the command runs in", async () => {
  await withSandbox({ mode: "off" }, async (run, folder) => {
    const proof = { folder: projectWithProof(folder), ignored: IGNORED };
    assert.equal(
      await run("pwd; cat source.txt; ls", { proof }),
      `0 ${proof.folder}\ncommitted\npackages\nsource.txt`,
    );
  });
});

Deno.test("isDependency() goes by the last name of a path", () => {
  const paths = [
    "node_modules",
    "a/b/node_modules",
    ".venv",
    "dist",
    "node_modules/.cache",
    "target",
  ];
  assert.deepEqual(paths.map(isDependency), [true, true, true, false, false, false]);
});

Deno.test("wroteToBorrowed() wants the place and the reason in one line", () => {
  const proof = { folder: "/f", ignored: ["node_modules", "dist"] };
  const says = (line: string) => wroteToBorrowed("/p", proof, `first\n${line}\nlast`);
  for (
    const line of [
      "npm error rofs EROFS: read-only file system, unlink '/p/node_modules/.package-lock.json'",
      "error: failed to remove file `/p/node_modules/x`: Read-only file system (os error 30)",
      "OSError: [Errno 30] Read-only file system: '/p/node_modules/x'",
    ]
  ) assert.ok(says(line), line);
  for (
    const line of [
      "EROFS: read-only file system, open '/p/.git/hooks'",
      "EROFS: read-only file system, open '/p/dist/a'",
      "Error in /p/node_modules/x/index.js",
      "EROFS\n/p/node_modules/x",
    ]
  ) assert.ok(!says(line), line);
  assert.ok(
    !wroteToBorrowed("/p", { ...proof, copiesDependencies: true }, "EROFS /p/node_modules/x"),
  );
});

/** git as the user's own git: their identity, their keys, their hooks' variables, and nothing of m31a's. */
import assert from "node:assert/strict";
import { commitPaths } from "../../src/git/commit.ts";
import { gitPath } from "../../src/git/path.ts";
import { whyNotSigned } from "../../src/git/signing.ts";
import { readRepositoryState } from "../../src/git/state.ts";
import { LOCAL_VARIABLES } from "../../src/git/user_environment.ts";
import { decodeLossy } from "../../src/platform/text.ts";
import { type GitFolder, withGitFolder } from "../support/git_folder.ts";
import { canRun, testWhere } from "../support/machine.ts";

/** Sets variables of this process, which a user's git inherits, for as long as `test` runs. */
async function withVariables(
  variables: Readonly<Record<string, string>>,
  test: () => Promise<void>,
): Promise<void> {
  const before = Object.keys(variables).map((name) => [name, Deno.env.get(name)] as const);
  for (const [name, value] of Object.entries(variables)) Deno.env.set(name, value);
  try {
    await test();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) Deno.env.delete(name);
      if (value !== undefined) Deno.env.set(name, value);
    }
  }
}

async function commit(folder: GitFolder): Promise<string> {
  folder.write("a", crypto.randomUUID());
  const { git, scratch } = folder;
  const paths = [gitPath("a")];
  return (await commitPaths(git, { paths, message: "a\n", scratch })).commit;
}

Deno.test("LOCAL_VARIABLES hold all that git calls local to a repository", async () => {
  await withGitFolder((folder) => {
    const names = folder.run("rev-parse", "--local-env-vars").trim().split("\n");
    const patterns = LOCAL_VARIABLES.map((name) => new RegExp(`^${name.replaceAll("*", ".*")}$`));
    assert.deepEqual(names.filter((name) => !patterns.some((pattern) => pattern.test(name))), []);
    return Promise.resolve();
  });
});

Deno.test("commitPaths() commits as the user that the environment names", async () => {
  await withGitFolder(async (folder) => {
    for (const name of ["user.name", "user.email"]) folder.run("config", "--unset-all", name);
    folder.run("config", "user.useConfigOnly", "true");
    assert.equal((await readRepositoryState(folder.git, 0))?.hasIdentity, false);
    const variables = {
      GIT_AUTHOR_NAME: "Ada",
      GIT_AUTHOR_EMAIL: "ada@example.org",
      GIT_COMMITTER_NAME: "Grace",
      GIT_COMMITTER_EMAIL: "grace@example.org",
    };
    await withVariables(variables, async () => {
      assert.equal((await readRepositoryState(folder.git, 0))?.hasIdentity, true);
      const made = await commit(folder);
      assert.equal(
        folder.run("log", "-1", "--format=%an %ae %cn", made).trim(),
        "Ada ada@example.org Grace",
      );
    });
  });
});

Deno.test("commitPaths() gives hooks the user's variables, and neither another repository's nor m31a's nor a key", async () => {
  await withGitFolder(async (folder) => {
    folder.hook("pre-commit", `export -p > "$OUT_OF_THE_WAY"`);
    const out = `${folder.scratch}/hook`;
    const variables = {
      OUT_OF_THE_WAY: out,
      MY_HOOK_VALUE: "line one\nline two",
      SSH_AUTH_SOCK: "/nowhere",
      GITHUB_TOKEN: "for the hook",
      GIT_DIR: "/nonexistent",
      GIT_WORK_TREE: "/nonexistent",
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.hooksPath",
      GIT_CONFIG_VALUE_0: "/nonexistent",
      GIT_EXEC_PATH: "/nonexistent",
      GIT_LITERAL_PATHSPECS: "1",
      M31A_API_KEY: "key-one",
      M31A_OF_A_SERVER: "key-two",
      OPENAI_API_KEY: "key-three",
    };
    await withVariables(variables, async () => void await commit(folder));
    const seen = Deno.readTextFileSync(out);
    for (const text of ["line two", "/nowhere", "for the hook"]) {
      assert.ok(seen.includes(text), text);
    }
    assert.doesNotMatch(
      seen,
      /key-one|key-two|key-three|nonexistent|M31A_|GIT_CONFIG_COUNT|GIT_LITERAL|SHELLOPTS/,
    );
  });
});

testWhere(
  canRun("ssh-keygen", "-?") || canRun("sh", "-c", "command -v ssh-keygen ssh-agent ssh-add"),
  "needs ssh",
  "whyNotSigned() tries the user's agent, and commitPaths() signs with it",
  async () => {
    await withGitFolder(async (folder) => {
      const home = folder.environment["HOME"] ?? "";
      const sh = (script: string) => {
        const { code, stdout, stderr } = new Deno.Command("sh", { args: ["-c", script], cwd: home })
          .outputSync();
        assert.equal(code, 0, decodeLossy(stderr));
        return decodeLossy(stdout);
      };
      sh("ssh-keygen -q -t ed25519 -N '' -f key && ssh-keygen -q -t ed25519 -N '' -f other");
      const agent = sh("ssh-agent -a agent");
      const pid = /AGENT_PID=(\d+)/.exec(agent)?.[1] ?? "";
      try {
        sh("SSH_AUTH_SOCK=$PWD/agent ssh-add -q key && mv key.pub public && rm key");
        const settings = { "gpg.format": "ssh", "user.signingKey": `${home}/public` };
        assert.equal(await whyNotSigned(folder.git), undefined, "nothing is to be signed");
        for (const [name, value] of Object.entries({ ...settings, "commit.gpgSign": "true" })) {
          folder.run("config", name, value);
        }
        await withVariables({ SSH_AUTH_SOCK: `${home}/nobody` }, async () => {
          assert.match(await whyNotSigned(folder.git) ?? "", /key|agent/);
        });
        await withVariables({ SSH_AUTH_SOCK: `${home}/agent` }, async () => {
          assert.equal(await whyNotSigned(folder.git), undefined);
          const made = await commit(folder);
          assert.match(folder.run("cat-file", "commit", made), /^gpgsig -----BEGIN SSH SIGNATURE/m);
          assert.equal(folder.run("rev-list", "--all", "--count").trim(), "1");
        });
      } finally {
        sh(`kill ${pid}`);
      }
    });
  },
);

testWhere(
  canRun("gpg", "--version"),
  "needs gpg",
  "whyNotSigned() uses the user's GNUPGHOME",
  async () => {
    await withGitFolder(async (folder) => {
      const home = `${folder.environment["HOME"]}/gnupg`;
      Deno.mkdirSync(home, { mode: 0o700 });
      const made = new Deno.Command("gpg", {
        args: ["--batch", "--passphrase", "", "--quick-gen-key", "Test <t@example.org>", "default"],
        env: { GNUPGHOME: home },
        stderr: "null",
      }).outputSync();
      assert.ok(made.success);
      folder.run("config", "commit.gpgSign", "true");
      folder.run("config", "user.signingKey", "t@example.org");
      try {
        assert.match(await whyNotSigned(folder.git) ?? "", /gpg|sign/);
        await withVariables({ GNUPGHOME: home }, async () => {
          assert.equal(await whyNotSigned(folder.git), undefined);
        });
      } finally {
        new Deno.Command("gpgconf", { args: ["--kill", "all"], env: { GNUPGHOME: home } })
          .outputSync();
      }
    });
  },
);

Deno.test("whyNotSigned() does not wait for a prompt that nobody answers", async () => {
  await withGitFolder(async (folder) => {
    folder.write("../scratch/ask", "#!/bin/sh\nsleep 60\n", 0o755);
    folder.run("config", "commit.gpgSign", "true");
    folder.run("config", "gpg.program", `${folder.scratch}/ask`);
    assert.equal(await whyNotSigned(folder.git, 300), "the signature was not made within 0.3 s");
  });
});

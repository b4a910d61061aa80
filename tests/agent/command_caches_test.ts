/** Caches of package managers in a real sandbox: what they read, what they write, and where it remains. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { Sandbox, type SandboxSettings } from "../../src/agent/sandbox.ts";
import { type GitFolder, withGitFolder } from "../support/git_folder.ts";
import { AUTO, confined, runWith } from "../support/sandboxes.ts";

type Run = (commandLine: string) => Promise<string>;

/** Runs commands of a user whose home directory, which lies outside of /tmp, is `home`. */
async function withHome(
  test: (
    run: (settings?: Partial<SandboxSettings>) => Promise<Run>,
    home: string,
    folder: GitFolder,
  ) => Promise<void>,
): Promise<void> {
  const home = Deno.realPathSync(Deno.makeTempDirSync({ dir: "/var/tmp" }));
  const sandboxes: Sandbox[] = [];
  try {
    await withGitFolder((folder) =>
      test(
        (settings = {}) => {
          const environment = { ...folder.environment, HOME: home };
          const sandbox = new Sandbox(folder.root, { ...AUTO, ...settings }, environment);
          sandboxes.push(sandbox);
          return Promise.resolve((commandLine) => runWith(sandbox, commandLine, environment));
        },
        home,
        folder,
      )
    );
  } finally {
    for (const sandbox of sandboxes) await sandbox.close();
    Deno.removeSync(home, { recursive: true });
  }
}

function write(path: string, text: string): void {
  Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  Deno.writeTextFileSync(path, text);
}

confined(
  "a cache of a tool is a folder of the project's own, kept from command to command and out of git's sight",
  async () => {
    await withHome(async (open, _home, folder) => {
      const run = await open();
      assert.equal(
        await run(
          'for each in "$UV_CACHE_DIR" "$GOCACHE"; do mkdir -p "$each"; echo kept > "$each/file"; done',
        ),
        "0",
      );
      assert.equal(await run('cat "$UV_CACHE_DIR/file" "$GOCACHE/file"'), "0 kept\nkept");
      const other = await open();
      assert.equal(await other('cat "$UV_CACHE_DIR/file"; ls sessions'), "0 kept");
      const online = await open({ network: true });
      assert.equal(
        await online('ls "$UV_CACHE_DIR" 2>/dev/null; test -n "$CARGO_HOME" && echo "$MAVEN_OPTS"'),
        "0 -Dmaven.repo.local=/run/m31a-caches/online/maven",
      );
      assert.equal(folder.run("status", "--porcelain"), "");
    });
  },
);

confined("a tool reads the user's cache and writes beside it", async () => {
  await withHome(async (open, home) => {
    write(`${home}/.npm/_cacache/content-v2/sha512/aa`, "the user's");
    write(`${home}/.cache/yarn/v6/package/file`, "the user's");
    write(`${home}/.cache/deno/file`, "the user's");
    const run = await open();
    const npm =
      'cd "$npm_config_cache/_cacache" && mkdir -p tmp && echo > tmp/x && cat content-v2/sha512/aa';
    assert.equal(await run(npm), "0 the user's");
    assert.match(
      await run('echo x >> "$npm_config_cache/_cacache/content-v2/sha512/aa"'),
      /Read-only/,
    );
    assert.equal(
      await run('cd "$YARN_CACHE_FOLDER/v6" && mkdir new && cat package/file'),
      "0 the user's",
    );
    assert.equal(await run('echo "${DENO_DIR:-as it is}"'), "0 as it is");
    // What the user has got since is found by the next m31a.
    write(`${home}/.cache/yarn/v6/later/file`, "later");
    assert.equal(await (await open())('cat "$YARN_CACHE_FOLDER/v6/later/file"'), "0 later");
    assert.deepEqual(
      [...Deno.readDirSync(`${home}/.cache/yarn/v6`)].map(({ name }) => name).sort(),
      ["later", "package"],
    );
  });
});

confined("a cache that the configuration makes writable stays the tool's own", async () => {
  await withHome(async (open, home) => {
    write(`${home}/.cache/uv/file`, "");
    const run = await open({ writable: ["~/.cache/uv"] });
    assert.equal(await run('echo "${UV_CACHE_DIR:-the user\'s}"'), "0 the user's");
  });
});

confined(
  "a link that a command has put into the folder of caches leads nobody out of the sandbox",
  async () => {
    await withHome(async (open, home, folder) => {
      write(`${home}/.cache/yarn/v6/package/file`, "");
      Deno.mkdirSync(`${home}/victim`);
      const swap = `cd /run/m31a-caches/offline && rm -r yarn; ln -s ${home}/victim yarn`;
      assert.equal(await (await open())(swap), "0");
      await (await open())("true");
      assert.deepEqual([...Deno.readDirSync(`${home}/victim`)], []);
      Deno.removeSync(`${folder.root}/sessions/caches`, { recursive: true });
      Deno.symlinkSync(`${home}/victim`, `${folder.root}/sessions/caches`);
      await assert.rejects((await open())("true"), /caches: is a symbolic link/);
    });
  },
);

confined("npm ci works without a network from what the user's cache holds", async () => {
  await withHome(async (open, home, folder) => {
    folder.write("dep/package.json", '{"name":"dep","version":"1.0.0"}');
    const npm = async (args: string[], cwd: string) => {
      const { code, stderr } = await new Deno.Command("npm", {
        args,
        cwd,
        // Nothing of an npx that the tests run under: it says where its own cache is.
        clearEnv: true,
        env: { PATH: Deno.env.get("PATH") ?? "", HOME: home, npm_config_audit: "false" },
      }).output();
      assert.equal(code, 0, new TextDecoder().decode(stderr));
    };
    await npm(["pack", "--silent"], `${folder.root}/dep`);
    const tarball = Deno.readFileSync(`${folder.root}/dep/dep-1.0.0.tgz`);
    const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
    const registry = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
      const { origin, pathname } = new URL(request.url);
      if (pathname.endsWith(".tgz")) return new Response(tarball);
      const dist = { tarball: `${origin}/dep.tgz`, integrity };
      return Response.json({
        name: "dep",
        "dist-tags": { latest: "1.0.0" },
        versions: { "1.0.0": { name: "dep", version: "1.0.0", dist } },
      });
    });
    const address = `http://127.0.0.1:${registry.addr.port}/`;
    try {
      folder.write("package.json", '{"name":"p","version":"1.0.0","dependencies":{"dep":"1.0.0"}}');
      folder.write(".npmrc", `registry=${address}\nomit-lockfile-registry-resolved=false\n`);
      await npm(["install", "--silent"], folder.root);
    } finally {
      await registry.shutdown();
    }
    const run = await open();
    const install =
      "rm -r node_modules && npm ci --offline --silent && cat node_modules/dep/package.json";
    assert.match(await run(install), /^0 \{[^]*"dep"/);
  });
});

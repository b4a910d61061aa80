/**
 * Installs the packed m31a as a user would: `deno task pack && deno task try-install`.
 * Rule: real npm, from a registry on this machine, into folders that are removed; the first thing that is not as it should be ends it.
 */
import assert from "node:assert/strict";
import { join } from "@std/path";
import { DIST, PROJECT_ROOT } from "./deno.ts";

/** The newest that runs on Node.js 20. */
const VERDACCIO = "6.8.0";

/** How long the registry may take to answer for the first time. */
const MAX_START_MS = 60_000;

/** A registry that takes every package, of any size, and asks no other one. (YAML takes JSON.) */
function configurationOf(folder: string): string {
  return JSON.stringify({
    storage: join(folder, "storage"),
    max_body_size: "500mb",
    auth: { htpasswd: { file: join(folder, "htpasswd") } },
    uplinks: {},
    packages: { "**": { access: "$all", publish: "$all" } },
    log: { type: "stdout", format: "pretty", level: "error" },
  });
}

/** Runs a command in `cwd` and gives what it printed; its errors are shown. */
async function printed(cwd: string, env: Record<string, string>, command: string[]) {
  const [program = "", ...args] = command;
  console.log(`$ ${command.join(" ")}`);
  const output = new Deno.Command(program, { args, cwd, env, stdin: "null", stderr: "inherit" });
  const { code, stdout } = await output.output();
  assert.equal(code, 0, `${program} ended with exit code ${code}`);
  return new TextDecoder().decode(stdout).trim();
}

/** Installs verdaccio, which is no dependency of the project's: it is needed here alone. */
async function installVerdaccio(folder: string): Promise<string> {
  // It names node-fetch by a tag, which not every mirror of npm has.
  const manifest = { private: true, overrides: { "node-fetch": "2.7.0" } };
  Deno.writeTextFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  const wanted = `verdaccio@${VERDACCIO}`;
  await printed(folder, {}, ["npm", "install", "--silent", "--no-audit", "--no-fund", wanted]);
  return join(folder, "node_modules", "verdaccio", "bin", "verdaccio");
}

/** A port that was free just now. */
function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}

async function isUp(registry: string): Promise<boolean> {
  try {
    const response = await fetch(`${registry}/-/ping`);
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/** Runs `use` with the address of a registry and ends the registry afterwards. */
async function withRegistry(folder: string, use: (registry: string) => Promise<void>) {
  const verdaccio = await installVerdaccio(folder);
  const configuration = join(folder, "verdaccio.yaml");
  Deno.writeTextFileSync(configuration, configurationOf(folder));
  const address = `127.0.0.1:${freePort()}`;
  const server = new Deno.Command("node", {
    args: [verdaccio, "--config", configuration, "--listen", address],
    cwd: folder,
    stdin: "null",
    stdout: "inherit",
  }).spawn();
  let hasEnded = false;
  const ended = server.status.then(() => hasEnded = true);
  try {
    const deadline = Date.now() + MAX_START_MS;
    while (!await isUp(`http://${address}`)) {
      assert.ok(!hasEnded, "verdaccio has ended");
      assert.ok(Date.now() < deadline, `verdaccio did not start within ${MAX_START_MS / 1000} s`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await use(`http://${address}`);
  } finally {
    if (!hasEnded) server.kill("SIGTERM");
    await ended;
  }
}

/** Publishes what was packed, and installs and runs it in the ways that the README names. */
async function tryInstall(folder: string, registry: string): Promise<void> {
  const npmrc = join(folder, "npmrc");
  const token = `${registry.replace("http:", "")}/:_authToken=any`;
  Deno.writeTextFileSync(npmrc, `registry=${registry}/\n${token}\naudit=false\nfund=false\n`);
  const env = {
    npm_config_userconfig: npmrc,
    npm_config_cache: join(folder, "cache"),
    npm_config_prefix: join(folder, "global"),
    npm_config_update_notifier: "false",
  };
  const archives = [...Deno.readDirSync(join(DIST, "npm"))].map(({ name }) => name)
    .filter((name) => name.endsWith(".tgz"));
  assert.ok(archives.length >= 2, "nothing is packed in dist/npm: `deno task pack` comes first");
  for (const archive of archives) {
    await printed(folder, env, ["npm", "publish", "--silent", join(DIST, "npm", archive)]);
  }
  const { version } = JSON.parse(Deno.readTextFileSync(join(PROJECT_ROOT, "deno.json")));
  const project = join(folder, "project");
  await printed(folder, {}, ["git", "init", "--quiet", project]);

  await printed(project, env, ["npm", "install", "--global", "--silent", "m31a"]);
  const installed = join(folder, "global", "bin", "m31a");
  assert.equal(await printed(project, env, [installed, "--version"]), `m31a ${version}`);
  await printed(project, env, [installed, "init", "--planning", "ignore"]);
  assert.ok(Deno.statSync(join(project, "planning", "config.toml")).isFile);

  const byNpx = await printed(project, env, ["npx", "--yes", "m31a", "--version"]);
  assert.equal(byNpx, `m31a ${version}`);
  await printed(project, env, ["npm", "install", "--global", "--silent", "m31a@latest"]);
  await printed(project, env, ["npm", "uninstall", "--global", "--silent", "m31a"]);
  assert.deepEqual([...Deno.readDirSync(join(folder, "global", "bin"))], []);
  console.log(`m31a ${version} was installed with npm i -g, run with npx, upgraded and removed`);
}

if (import.meta.main) {
  const folder = Deno.makeTempDirSync({ prefix: "m31a-install-" });
  try {
    await withRegistry(folder, (registry) => tryInstall(folder, registry));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

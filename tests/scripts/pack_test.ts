/** What `deno task pack` makes: packages that npm installs one of, a launcher that finds it, an installer that checks it. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import {
  launcherManifest,
  packageNameOf,
  platformManifest,
  writeLauncherPackage,
  writePlatformPackage,
} from "../../scripts/pack/npm_packages.ts";
import { type Platform, PLATFORMS } from "../../scripts/pack/platforms.ts";
import { writeCompressed, writeInstaller, writeSums } from "../../scripts/pack/release_files.ts";
import { withTemporaryFolder } from "../support/temporary.ts";

const RELEASE = { version: "9.8.7", repository: "https://example.com/m31a" };
const HERE = PLATFORMS.find(({ target }) => target === Deno.build.target);
const ignore = HERE === undefined; // there is nothing to install where nothing is packed for

/** An executable's stand-in: says how it was called, and ends with a code of its own. */
const EXECUTABLE = '#!/bin/sh\necho "m31a here: $*"\nexit 3\n';

function platformHere(): Platform {
  assert.ok(HERE);
  return HERE;
}

function writeStandIn(folder: string, text = EXECUTABLE): string {
  const path = join(folder, "stand-in");
  Deno.writeTextFileSync(path, text, { mode: 0o755 });
  return path;
}

async function output(command: string, args: string[], env: Record<string, string> = {}) {
  const result = await new Deno.Command(command, { args, env }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code: result.code, stdout: text(result.stdout), stderr: text(result.stderr) };
}

Deno.test("launcherManifest() depends on every platform's package, in its own version", () => {
  const { os, cpu, optionalDependencies } = launcherManifest(RELEASE);
  assert.deepEqual([os, cpu], [["linux", "darwin"], ["x64", "arm64"]]);
  assert.deepEqual(
    optionalDependencies,
    Object.fromEntries(PLATFORMS.map((platform) => [packageNameOf(platform), "9.8.7"])),
  );
});

Deno.test("platformManifest() lets npm install an executable only where it can run", () => {
  const fits = PLATFORMS.map((platform) => {
    const { name, os, cpu, libc } = platformManifest(platform, RELEASE);
    return [name, ...os, ...cpu, ...libc ?? []].join(" ");
  });
  assert.deepEqual(fits, [
    "@m31a/linux-x64 linux x64 glibc",
    "@m31a/linux-arm64 linux arm64 glibc",
    "@m31a/darwin-x64 darwin x64",
    "@m31a/darwin-arm64 darwin arm64",
  ]);
});

Deno.test({
  name: "the launcher becomes the executable that lies below or beside its package",
  ignore,
  fn: () =>
    withTemporaryFolder(async (folder) => {
      const modules = join(folder, "lib of a user", "node_modules");
      const main = join(modules, "m31a");
      writeLauncherPackage(main, RELEASE);
      const link = join(folder, "m31a");
      Deno.symlinkSync(join("lib of a user", "node_modules", "m31a", "bin", "m31a"), link);
      const platform = platformHere();
      const standIn = writeStandIn(folder);

      const missing = await output(link, []);
      assert.equal(missing.code, 2);
      assert.match(
        missing.stderr,
        /package @m31a\/\S+ is not installed beside .*node_modules\/m31a/,
      );
      assert.match(missing.stderr, /--omit=optional/);

      for (const parent of [modules, join(main, "node_modules")]) {
        const installed = join(parent, packageNameOf(platform));
        writePlatformPackage(installed, platform, standIn, RELEASE);
        const { code, stdout } = await output(link, ["run", "two words"]);
        assert.deepEqual([code, stdout], [3, "m31a here: run two words\n"]);
        Deno.removeSync(installed, { recursive: true });
      }
    }),
});

Deno.test({
  name: "install.sh installs what has its checksum, over an older one, and nothing else",
  ignore,
  fn: () =>
    withTemporaryFolder(async (folder) => {
      const platform = platformHere();
      const served = join(folder, "served");
      Deno.mkdirSync(served);
      const sum = writeCompressed(
        served,
        platform,
        writeStandIn(folder, '#!/bin/sh\necho "m31a 9.8.7"\n'),
      );
      const checksums = new Map([[platform.name, sum]]);
      writeSums(served, checksums);
      await using server = Deno.serve(
        { hostname: "127.0.0.1", port: 0, onListen() {} },
        (request) => {
          const name = new URL(request.url).pathname.slice(1);
          return new Response(Deno.readFileSync(join(served, name)));
        },
      );
      const downloads = `http://127.0.0.1:${server.addr.port}`;
      writeInstaller(served, { version: "9.8.7", downloads, checksums });
      const bin = join(folder, "a home", "bin");
      const install = () =>
        output("/bin/sh", [join(served, "install.sh")], {
          M31A_INSTALL_FOLDER: bin,
          no_proxy: "127.0.0.1",
        });

      for (const _ of ["new", "again"]) {
        const { code, stdout, stderr } = await install();
        assert.deepEqual([code, stderr], [0, ""]);
        assert.match(stdout, /installed m31a 9\.8\.7 as .*a home\/bin\/m31a\n.* is not in PATH/);
      }
      assert.deepEqual([...Deno.readDirSync(bin)].map(({ name }) => name), ["m31a"]);
      const sums = Deno.readTextFileSync(join(served, "SHA256SUMS"));
      assert.equal(sums, `${sum}  m31a-${platform.name}.gz\n`);

      Deno.removeSync(join(bin, "m31a"));
      Deno.writeTextFileSync(join(served, `m31a-${platform.name}.gz`), "something else");
      const { code, stderr } = await install();
      assert.equal(code, 1);
      assert.match(stderr, /has SHA-256 [0-9a-f]{64} and not [0-9a-f]{64}: not installed/);
      assert.deepEqual([...Deno.readDirSync(bin)], []);
    }),
});

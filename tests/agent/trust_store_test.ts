/** sessions/trust.json: it counts where it was made and nowhere else. */
import assert from "node:assert/strict";
import { isTrusted, recordTrust, tracksSessions } from "../../src/agent/trust_store.ts";
import { readTrustedConfiguration } from "../../src/agent/configuration.ts";
import { FileError, UsageError } from "../../src/platform/errors.ts";
import { type GitFolder, withGitFolder, withPlainFolder } from "../support/git_folder.ts";

const TEXT = '[tools]\nsandbox = "off"\n';

async function trusted(folder: GitFolder): Promise<void> {
  await recordTrust(folder.root, folder.environment, TEXT);
  assert(isTrusted(folder.root, TEXT));
}

Deno.test("isTrusted() knows exactly the texts that were recorded", async () => {
  await withPlainFolder(async (folder) => {
    assert(!isTrusted(folder.root, TEXT));
    await trusted(folder);
    for (const other of ["", `${TEXT}\n`, `\ufeff${TEXT}`, TEXT.replaceAll("\n", "\r\n")]) {
      assert(!isTrusted(folder.root, other), JSON.stringify(other));
    }
    await recordTrust(folder.root, folder.environment, "other");
    assert(isTrusted(folder.root, TEXT) && isTrusted(folder.root, "other"));
    for (let number = 0; number < 100; number++) {
      await recordTrust(folder.root, folder.environment, `text ${number}`);
    }
    assert(!isTrusted(folder.root, TEXT), "the oldest is forgotten");
  });
});

Deno.test("recordTrust() keeps the record private and out of git", async () => {
  await withGitFolder(async (folder) => {
    await trusted(folder);
    assert.equal((Deno.statSync(`${folder.root}/sessions/trust.json`).mode ?? 0) & 0o777, 0o600);
    assert.equal(folder.run("status", "--porcelain", "--untracked-files=all"), "");
  });
});

Deno.test("isTrusted() does not count a record in another folder sessions/, be it at the same path", async () => {
  await withPlainFolder(async (folder) => {
    await trusted(folder);
    const copy = (from: string, to: string) =>
      new Deno.Command("cp", { args: ["-a", `${folder.root}/${from}`, `${folder.root}/${to}`] })
        .outputSync();
    copy("sessions", "kept");
    Deno.removeSync(`${folder.root}/sessions`, { recursive: true });
    assert(!isTrusted(folder.root, TEXT));
    copy("kept", "sessions");
    assert.equal(
      Deno.readTextFileSync(`${folder.root}/sessions/trust.json`),
      Deno.readTextFileSync(`${folder.root}/kept/trust.json`),
    );
    assert(!isTrusted(folder.root, TEXT));
  });
});

Deno.test("isTrusted() does not count a record after the project has moved", async () => {
  await withPlainFolder(async (folder) => {
    await trusted(folder);
    Deno.renameSync(folder.root, `${folder.root}-moved`);
    assert(!isTrusted(`${folder.root}-moved`, TEXT));
    Deno.renameSync(`${folder.root}-moved`, folder.root);
    assert(isTrusted(folder.root, TEXT));
  });
});

Deno.test("isTrusted() takes a record that is not one for none, and recordTrust() replaces it", async () => {
  await withPlainFolder(async (folder) => {
    for (const content of ["", "{", "[]", '{"trusted":true}', '{"trusted":["*"]}']) {
      folder.write("sessions/trust.json", content);
      assert(!isTrusted(folder.root, TEXT), content);
    }
    await trusted(folder);
  });
});

Deno.test("isTrusted() and recordTrust() refuse a symbolic link", async () => {
  await withPlainFolder(async (folder) => {
    folder.write("elsewhere", '{"trusted":[]}');
    folder.write("sessions/x", "");
    Deno.symlinkSync("../elsewhere", `${folder.root}/sessions/trust.json`);
    assert.throws(() => isTrusted(folder.root, TEXT), FileError);
    await assert.rejects(recordTrust(folder.root, folder.environment, TEXT), FileError);
    assert.equal(folder.read("elsewhere"), '{"trusted":[]}');
  });
});

for (const path of ["sessions/trust.json", "sessions/.gitignore", "Sessions/x"]) {
  Deno.test(`readTrustedConfiguration() believes no record while git tracks ${path}`, async () => {
    await withGitFolder(async (folder) => {
      folder.write("planning/config.toml", TEXT);
      await trusted(folder);
      const stateNow = async () =>
        (await readTrustedConfiguration(folder.root, folder.environment)).trust.state;
      assert.equal(await stateNow(), "trusted");
      if (path.startsWith("S")) folder.write(path, "");
      folder.run("add", "--force", path);
      assert(await tracksSessions(folder.root, folder.environment));
      assert.equal(await stateNow(), "not trusted");
      await assert.rejects(recordTrust(folder.root, folder.environment, TEXT), UsageError);
      folder.run("rm", "-q", "--cached", path);
      assert.equal(await stateNow(), "trusted");
    });
  });
}

Deno.test("tracksSessions() is false without a repository", async () => {
  await withPlainFolder(async (folder) => {
    assert.equal(await tracksSessions(folder.root, folder.environment), false);
  });
});

/** The folder of temporary files: where it may lie, and what is done to it and through it. */
import assert from "node:assert/strict";
import {
  isScratchIntact,
  makeScratch,
  removeScratch,
  type ScratchEnvironment,
} from "../../src/agent/sandbox_scratch.ts";
import { confined, withSandbox } from "../support/sandboxes.ts";
import { withTemporaryFolder } from "../support/temporary.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** The id of a process that has ended. */
async function endedPid(): Promise<number> {
  const child = new Deno.Command("true").spawn();
  await child.status;
  return child.pid;
}

function withTmpdir(TMPDIR: string): ScratchEnvironment {
  return { PATH: Deno.env.get("PATH") ?? "", TMPDIR };
}

Deno.test("makeScratch() removes what killed processes have left, and nothing else", async () => {
  await withTemporaryFolder(async (folder) => {
    const ended = await endedPid();
    const longAgo = new Date(Date.now() - 3 * DAY_MS);
    const [left, fresh, inUse, written] = [
      `m31a-${ended}-leftleft`,
      `m31a-${ended}-fresh678`,
      `m31a-${Deno.pid}-inuse678`,
      `m31a-${ended}-written8`,
    ];
    const foreign = ["m31a-notes-12345678", `m31a-${ended}-short`, "other"];
    for (const name of [left, fresh, inUse, written, ...foreign]) {
      Deno.mkdirSync(`${folder}/${name}/tmp`, { recursive: true });
      if (name !== written) Deno.utimeSync(`${folder}/${name}/tmp`, longAgo, longAgo);
      if (name !== fresh) Deno.utimeSync(`${folder}/${name}`, longAgo, longAgo);
    }
    Deno.chmodSync(`${folder}/${left}/tmp`, 0);
    Deno.mkdirSync(`${folder}/target/kept`, { recursive: true });
    Deno.symlinkSync("target", `${folder}/m31a-${ended}-linklink`);
    const made = await makeScratch("/nowhere", [], withTmpdir(folder));
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    const expected = [fresh, inUse, written, ...foreign, "target", `m31a-${ended}-linklink`];
    const name = made.folder.slice(made.folder.lastIndexOf("/") + 1);
    assert.deepEqual(names, [...expected, name].sort());
    assert(Deno.statSync(`${folder}/target/kept`).isDirectory);
    await removeScratch(made, withTmpdir(""));
    assert.equal([...Deno.readDirSync(folder)].length, expected.length);
  });
});

Deno.test("makeScratch() takes no place that a command or somebody else can change", async () => {
  await withTemporaryFolder(async (folder) => {
    const make = (name: string, mode: number) => {
      Deno.mkdirSync(`${folder}/${name}`);
      Deno.chmodSync(`${folder}/${name}`, mode);
      return `${folder}/${name}`;
    };
    const project = make("project", 0o755);
    const writable = make("writable", 0o700);
    Deno.mkdirSync(`${project}/tmp`);
    Deno.mkdirSync(`${make("open", 0o777)}/below`);
    Deno.symlinkSync(`${project}/tmp`, `${folder}/link`);
    const own = make("own", 0o700);
    const sticky = make("sticky", 0o1777);
    const cases: [string, RegExp | ""][] = [
      [own, ""],
      [sticky, ""],
      [`${project}/tmp`, /project\/tmp: commands can write there/],
      [`${folder}/link`, /project\/tmp: commands can write there/],
      [writable, /writable: commands can write there/],
      [`${folder}/open`, /others can write to .*open, which has no sticky bit/],
      [`${folder}/open/below`, /others can write to .*open, which has no sticky bit/],
      ["project/tmp", /project\/tmp: is no absolute path/],
      [`${folder}/missing`, /missing: cannot be entered/],
    ];
    if (Deno.uid() === 0) {
      const foreign = make("foreign", 0o700);
      Deno.chownSync(foreign, 12345, 12345);
      cases.push([foreign, /foreign belongs to somebody else/]);
    }
    for (const [place, words] of cases) {
      const made = await makeScratch(project, [writable, "/nonexistent"], withTmpdir(place));
      await removeScratch(made, withTmpdir(""));
      assert.equal(made.folder.startsWith(`${place}/`), words === "", place);
      if (words === "") assert.equal(made.passedOver, "");
      if (words !== "") assert.match(made.passedOver, words);
    }
    await assert.rejects(
      makeScratch(project, ["/"], withTmpdir(own)),
      /\/tmp: commands can write there; .*Set TMPDIR to a folder of your own/,
    );
  });
});

Deno.test("removeScratch() neither removes nor changes anything through a link", async () => {
  await withTemporaryFolder(async (folder) => {
    const scratch = await makeScratch("/nowhere", [], withTmpdir(folder));
    assert.equal(await isScratchIntact(scratch), true);
    await Deno.remove(scratch.folder, { recursive: true });
    Deno.mkdirSync(`${folder}/victim/tmp`, { recursive: true });
    Deno.chmodSync(`${folder}/victim/tmp`, 0o500);
    Deno.symlinkSync(`${folder}/victim`, scratch.folder);
    assert.equal(await isScratchIntact(scratch), false);
    await removeScratch(scratch, withTmpdir(""));
    assert.equal((Deno.statSync(`${folder}/victim/tmp`).mode ?? 0) & 0o777, 0o500);
  });
});

confined("a command whose temporary folder was swapped for a link gets a new one", async () => {
  await withTemporaryFolder(async (folder) => {
    await withSandbox({ temporaryFolder: folder }, async (run) => {
      assert.equal(await run("echo kept > /tmp/file"), "0");
      const name = [...Deno.readDirSync(folder)].map(({ name }) => name)
        .find((name) => name.startsWith(`m31a-${Deno.pid}-`));
      Deno.removeSync(`${folder}/${name}`, { recursive: true });
      Deno.mkdirSync(`${folder}/victim/tmp`, { recursive: true });
      Deno.symlinkSync(`${folder}/victim`, `${folder}/${name}`);
      assert.equal(await run("echo planted > /tmp/planted; ls /tmp/file 2>/dev/null"), "2");
      assert.deepEqual([...Deno.readDirSync(`${folder}/victim/tmp`)], []);
    });
  });
});

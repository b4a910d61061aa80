import assert from "node:assert/strict";
import { makeScratchFolder, removeScratchFolder } from "../../src/agent/sandbox_scratch.ts";
import { withTemporaryFolder } from "../support/temporary.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** The id of a process that has ended. */
async function endedPid(): Promise<number> {
  const child = new Deno.Command("true").spawn();
  await child.status;
  return child.pid;
}

Deno.test("makeScratchFolder() removes what killed processes have left, and nothing else", async () => {
  await withTemporaryFolder(async (folder) => {
    const ended = await endedPid();
    const longAgo = new Date(Date.now() - 3 * DAY_MS);
    const [left, fresh, inUse] = [
      `m31a-${ended}-leftleft`,
      `m31a-${ended}-fresh678`,
      `m31a-${Deno.pid}-inuse678`,
    ];
    const foreign = ["m31a-notes-12345678", `m31a-${ended}-short`, "other"];
    for (const name of [left, fresh, inUse, ...foreign]) {
      Deno.mkdirSync(`${folder}/${name}/kept`, { recursive: true });
      if (name !== fresh) Deno.utimeSync(`${folder}/${name}`, longAgo, longAgo);
    }
    Deno.chmodSync(`${folder}/${left}/kept`, 0);
    Deno.mkdirSync(`${folder}/target/kept`, { recursive: true });
    Deno.symlinkSync("target", `${folder}/m31a-${ended}-linklink`);
    const env = { PATH: Deno.env.get("PATH") ?? "", TMPDIR: folder };
    const made = await makeScratchFolder(env);
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    const expected = [fresh, inUse, ...foreign, "target", `m31a-${ended}-linklink`];
    assert.deepEqual(names, [...expected, made.slice(made.lastIndexOf("/") + 1)].sort());
    assert(Deno.statSync(`${folder}/target/kept`).isDirectory);
    await removeScratchFolder(made, env);
    assert.equal([...Deno.readDirSync(folder)].length, expected.length);
  });
});

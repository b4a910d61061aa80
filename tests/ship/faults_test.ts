/** Shipping as a process of its own: killed in the middle of a commit, killed at system calls, and with calls that fail. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { SessionTorn } from "../../src/session/errors.ts";
import { repairSession } from "../../src/session/repair.ts";
import { TEST_SESSION } from "../support/conversations.ts";
import { hasStrace, testWhere } from "../support/machine.ts";
import { checkOf, type Shippable, withShippable } from "./shippable.ts";

const PROGRAM = fileURLToPath(new URL("./ship_program.ts", import.meta.url));
const CONFIG = fileURLToPath(new URL("../../deno.json", import.meta.url));

/** The command line that ships `shippable`. */
function shipCommand({ root, folder }: Shippable): string[] {
  const flags = ["run", "-A", "--quiet", "--no-check", "--cached-only", "--config", CONFIG];
  return [Deno.execPath(), ...flags, PROGRAM, root, folder.environment["HOME"] ?? ""];
}

/** Ships to the end, doing what a person is told to: cut off a torn end, remove the locks of a git that died. */
async function shipAgain(shippable: Shippable): Promise<void> {
  // A git that is killed may leave as many as three: of the index, of HEAD and of the branch.
  for (let tries = 0; tries < 5 && !await isShipped(shippable); tries++);
  await shippable.assertShippedOnce();
  assert.equal(shippable.folder.run("status", "--porcelain"), "");
  const names = [...Deno.readDirSync(`${shippable.root}/sessions/${TEST_SESSION}`)]
    .map(({ name }) => name).filter((name) => name.includes(".index"));
  assert.deepEqual(names, []);
}

/** Ships; where something is in the way that the message tells how to remove, removes it and resolves to false. */
async function isShipped(shippable: Shippable): Promise<boolean> {
  try {
    const outcome = await shippable.ship();
    if (outcome.outcome === "shipped") return true;
    const { places } = checkOf(outcome.checks, "index lock");
    assert.deepEqual(places, [`${shippable.root}/.git/index.lock`]);
    places.forEach((path) => Deno.removeSync(path));
    return false;
  } catch (error) {
    if (error instanceof SessionTorn && error.damage.isTail) {
      await repairSession(shippable.root, TEST_SESSION);
      return false;
    }
    const lock = /Unable to create '(.*\.lock)': File exists/.exec(String(error))?.[1];
    assert.ok(lock, String(error));
    Deno.removeSync(lock);
    return false;
  }
}

Deno.test("ship() killed while a hook runs makes one commit, whoever ends it", async () => {
  await withShippable(async (shippable) => {
    const { folder } = shippable;
    // Each end of a named pipe waits for the other: no time is involved.
    new Deno.Command("mkfifo", { args: ["started.ignored", "go.ignored"], cwd: folder.root })
      .outputSync();
    const [program = "", ...args] = shipCommand(shippable);
    const child = new Deno.Command(program, { args, stdin: "null", stderr: "null" }).spawn();
    assert.equal(folder.read("started.ignored"), "started\n");
    child.kill("SIGKILL");
    await child.status;
    // git and its hook are still there and end what they began.
    Deno.writeTextFileSync(`${folder.root}/go.ignored`, "go\n");
    assert.equal(folder.read("started.ignored"), "done\n");
    for (const hook of ["pre-commit", "post-commit"]) {
      Deno.removeSync(`${folder.root}/.git/hooks/${hook}`);
    }
    await shipAgain(shippable);
  }, (folder) => {
    folder.hook("pre-commit", "echo started > started.ignored; read line < go.ignored");
    folder.hook("post-commit", "echo done > started.ignored");
  });
});

/** How often a ship makes each call, about; a fault at one that it does not make changes nothing. */
const CALLS = { fdatasync: 10, fsync: 16, rename: 7 } as const;

/** Every how many-th call a fault is put in; SHIP_FAULT_STEP=1 tries them all, in some minutes. */
const STEP = Number(Deno.env.get("SHIP_FAULT_STEP") ?? 5);

for (const [call, times] of Object.entries(CALLS)) {
  for (const fault of ["error=EIO", "signal=SIGKILL"]) {
    for (let time = 1; time <= times; time += STEP) {
      testWhere(
        hasStrace,
        "no strace",
        `ship() goes on after ${fault} at its ${call} number ${time}`,
        () =>
          withShippable(async (shippable) => {
            const traced = ["-f", "-qq", "-o", "/dev/null", "-e", `trace=${call}`];
            const injected = ["-e", `inject=${call}:${fault}:when=${time}`];
            new Deno.Command("strace", {
              args: [...traced, ...injected, ...shipCommand(shippable)],
              stdin: "null",
            }).outputSync();
            await shipAgain(shippable);
          }),
      );
    }
  }
}

/** Disks that are full, read-only or fail: an error with the path, and nothing acknowledged is lost. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import { canBeNobody, canMount, hasStrace, mountCommand, testWhere } from "../support/machine.ts";
import { type Project, withProject } from "../support/project.ts";
import { ModelServer, strictly } from "../support/servers/mod.ts";
import { executablePath } from "./executable.ts";
import { openAi } from "./protocols.ts";
import { assertGoesOn, assertSound } from "./soundness.ts";

const NO_MOUNT = "no file system can be mounted here: it takes root";
const NO_USER = "needs root and setpriv";
const NO_STRACE = "needs strace";

/** Answers that say which they are, so that it shows which of them were kept. */
function countingServer(): ModelServer {
  return ModelServer.start(strictly((_, number) => ({ text: `Answer ${number}.` })));
}

/** Runs `test` with the project's sessions on a file system of `size`. */
async function withSmallSessions(
  project: Project,
  size: string,
  test: (sessions: string) => Promise<void>,
): Promise<void> {
  const sessions = join(project.root, "sessions");
  Deno.mkdirSync(sessions, { recursive: true });
  const mounted = await project.runProgram(mountCommand(sessions, size));
  assert.equal(mounted.code, 0, mounted.stderr);
  try {
    await test(sessions);
  } finally {
    const unmounted = await project.runProgram(["umount", sessions]);
    assert.equal(unmounted.code, 0, unmounted.stderr);
  }
}

/** Fills a file system until nothing more goes in. */
function fill(path: string): void {
  const file = Deno.openSync(path, { write: true, create: true });
  try {
    while (file.writeSync(new Uint8Array(4096)) > 0);
  } catch (error) {
    assert.match(String(error), /No space left/);
  } finally {
    file.close();
  }
}

/** Asserts that every answer of which stdout tells is in the session's log. */
function assertAcknowledgedIsKept(project: Project, stdout: string): void {
  const answers = stdout.split("\n").filter((line) => line !== "");
  const log = Deno.readTextFileSync(project.sessionFile("0.jsonl"));
  for (const answer of answers) assert.ok(log.includes(answer), `${answer} is not in the log`);
}

testWhere(
  canMount,
  NO_MOUNT,
  "chat on a full disk ends with the path before anything is sent",
  async () => {
    await using server = countingServer();
    await withProject(async (project) => {
      project.use(openAi(server));
      await withSmallSessions(project, "64k", async (sessions) => {
        fill(join(sessions, "ballast"));
        const { code, stderr } = await project.run(["chat"], { input: "one\n" });
        assert.equal(code, 1);
        assert.match(stderr, /sessions\/\S+: .*No space left on device/);
        assert.equal(server.requests.length, 0);
        assert.deepEqual(project.sessionIds, []);
      });
    });
  },
);

testWhere(
  canMount,
  NO_MOUNT,
  "chat whose disk fills up ends with the path, and goes on when there is room again",
  async () => {
    await using server = countingServer();
    await withProject(async (project) => {
      project.use(openAi(server));
      await withSmallSessions(project, "64k", async (sessions) => {
        const first = await project.run(["chat"], { input: "one\n" });
        assert.equal(first.code, 0, first.stderr);
        const ballast = join(sessions, "ballast");
        fill(ballast);
        const input = `${Array(40).fill("x".repeat(300)).join("\n")}\n`;
        const full = await project.run(["chat", "--continue"], { input });
        assert.equal(full.code, 1);
        assert.match(full.stderr, /0\.jsonl: cannot append: No space left on device/);
        assertAcknowledgedIsKept(project, full.stdout);
        Deno.removeSync(ballast);
        await repairIfTorn(project);
        assertAcknowledgedIsKept(project, first.stdout + full.stdout);
        await assertGoesOn(project);
      });
    });
  },
);

Deno.test("chat under ulimit -f ends with the path, and goes on without the limit", async () => {
  await using server = countingServer();
  await withProject(async (project) => {
    project.use(openAi(server));
    const input = `${Array(40).fill("x".repeat(2000)).join("\n")}\n`;
    const limited = await project.run(["chat"], {
      input,
      under: ["sh", "-c", 'ulimit -f 64; trap "" XFSZ; exec "$@"', "sh"],
    });
    assert.equal(limited.code, 1);
    assert.match(limited.stderr, /0\.jsonl: cannot append: File too large/);
    assert.ok(limited.stdout.startsWith("Answer 0.\n"));
    await repairIfTorn(project);
    assertAcknowledgedIsKept(project, limited.stdout);
    await assertGoesOn(project);
  });
});

testWhere(
  canBeNobody,
  NO_USER,
  "chat of a user who may not write here ends with the path before anything is sent",
  async () => {
    await using server = countingServer();
    await withProject(async (project) => {
      project.use(openAi(server));
      await project.run(["chat"], { input: "one\n" });
      const before = project.sessionBytes();
      const under = await asNobody(project);
      for (const args of [["chat"], ["chat", "--continue"]]) {
        const { code, stderr } = await project.run(args, { input: "two\n", under });
        assert.equal(code, 1, stderr);
        assert.match(stderr, /sessions\S*: .*Permission denied/);
      }
      assert.equal(server.requests.length, 1);
      assert.deepEqual(project.sessionBytes(), before);
    });
  },
);

testWhere(
  canBeNobody,
  NO_USER,
  "chat in a folder in which sessions/ cannot be made ends with the path before anything is sent",
  async () => {
    await using server = countingServer();
    await withProject(async (project) => {
      project.use(openAi(server));
      const under = await asNobody(project);
      const { code, stderr } = await project.run(["chat"], { input: "one\n", under });
      assert.equal(code, 1, stderr);
      assert.match(stderr, /sessions: .*Permission denied/);
      assert.equal(server.requests.length, 0);
    });
  },
);

/** What starts a command as a user who may read the project and write nothing in it. */
async function asNobody(project: Project): Promise<string[]> {
  await project.runProgram(["chmod", "0755", join(project.root, "..")]);
  await project.runProgram(["chmod", "-R", "a+rX", project.root]);
  await project.git("config", "--file", join(project.outside, ".gitconfig"), "safe.directory", "*");
  await project.runProgram(["chmod", "-R", "a+rX", project.outside]);
  // The executable may lie in a folder that only its owner may enter.
  const copy = join(project.outside, "m31a");
  Deno.copyFileSync(executablePath(), copy);
  Deno.chmodSync(copy, 0o755);
  const start = 'shift; exec "$0" "$@"';
  return ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "sh", "-c", start, copy];
}

for (const call of ["write", "fdatasync"]) {
  testWhere(
    hasStrace,
    NO_STRACE,
    `chat whose ${call} fails in the middle of the conversation ends, and nothing acknowledged is lost`,
    async () => {
      await using server = countingServer();
      await withProject(async (project) => {
        project.use(openAi(server));
        await project.run(["chat"], { input: "one\n" });
        const log = project.sessionFile("0.jsonl");
        const failed = await project.run(["chat", "--continue"], {
          input: "two\nthree\nfour\n",
          // A turn writes twice, the message and its answer: it is the second answer that cannot be written.
          under: [
            ...["strace", "-f", "-o", join(project.outside, "trace"), "-P", log],
            ...["-e", `trace=${call}`, "-e", `inject=${call}:error=EIO:when=4`],
          ],
        });
        assert.equal(failed.code, 1, failed.stderr);
        assert.match(failed.stderr, /0\.jsonl: cannot append: Input\/output error/);
        assert.equal(failed.stdout, "Answer 1.\n");
        assert.equal(server.requests.length, 3);
        assertAcknowledgedIsKept(project, `Answer 0.\n${failed.stdout}`);
        await assertSound(project);
        await assertGoesOn(project);
      });
    },
  );
}

/** Does what the message says, where the write that failed has left half a record. */
async function repairIfTorn(project: Project): Promise<void> {
  const { code, stderr } = await project.run(["chat", "--continue"]);
  if (code === 0) return;
  assert.equal(code, 3, stderr);
  assert.match(stderr, /m31a session repair /);
  const repaired = await project.run(["session", "repair", project.sessionId]);
  assert.equal(repaired.code, 0, repaired.stderr);
}

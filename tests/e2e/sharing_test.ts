/** One session and several processes: one writes, the others are refused or only read. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import { withProject } from "../support/project.ts";
import { ModelServer, strictly } from "../support/servers/mod.ts";
import { openAi } from "./protocols.ts";
import { assertGoesOn } from "./soundness.ts";

Deno.test("chat refuses a session that another process has open, and takes it when that one was killed", async () => {
  await using server = ModelServer.start(strictly(() => ({ text: "Answer." })));
  await withProject(async (project) => {
    project.use(openAi(server));
    await using first = project.chat();
    await first.turn("one");
    const before = project.sessionBytes();
    for (const how of [["--continue"], ["--resume", project.sessionId]]) {
      const refused = await project.run(["chat", ...how], { input: "two\n" });
      assert.equal(refused.code, 2);
      assert.ok(refused.stderr.includes(project.sessionId), refused.stderr);
      assert.match(refused.stderr, /is open in another m31a process/);
    }
    assert.equal(server.requests.length, 1);
    assert.deepEqual(project.sessionBytes(), before);
    assert.equal((await first.turn("still mine")).outcome, "replied");
    await first.kill();
    await assertGoesOn(project);
  });
});

Deno.test("session list, show, search, verify and export do not wait while a turn is running", async () => {
  const answers = [{ text: "A first answer." }, { text: "never to its end", isStalled: true }];
  await using server = ModelServer.start(strictly(answers));
  await withProject(async (project) => {
    project.use(openAi(server));
    await using chat = project.chat();
    await chat.turn("one");
    await chat.type("two");
    await chat.until("request_started");
    const { sessionId } = project;
    const commands = [
      ["list"],
      ["show", sessionId],
      ["search", "first answer"],
      ["verify", sessionId],
      ["export", sessionId],
    ];
    for (const command of commands) {
      // The turn cannot end before these have: the server holds its answer back.
      const { code, stdout, stderr } = await project.run(["session", ...command]);
      assert.equal(code, 0, `${command.join(" ")}: ${stderr}`);
      assert.ok(
        stdout.includes(command[0] === "search" ? "first answer" : sessionId) ||
          stdout.includes("A first answer."),
        stdout,
      );
    }
    assert.deepEqual(chat.all("turn_ended").length, 1);
  });
});

Deno.test("chat that is opened and left again leaves every file as it was", async () => {
  await using server = ModelServer.start(strictly(() => ({ text: "Answer." })));
  await withProject(async (project) => {
    project.use(openAi(server));
    await project.run(["chat"], { input: "one\n" });
    const before = project.sessionBytes();
    for (const input of ["", "/exit\n", "/help\n/session\n/tools\n\n"]) {
      const { code, stderr } = await project.run(["chat", "--continue"], { input });
      assert.equal(code, 0, stderr);
      assert.deepEqual(project.sessionBytes(), before);
    }
    assert.equal((await project.run(["chat"], { input: "" })).code, 0);
    assert.deepEqual(project.sessionBytes(), before);
    assert.equal(server.requests.length, 1);
  });
});

Deno.test("chat keeps its folders at 0700 and its files at 0600 under any umask", async () => {
  await using server = ModelServer.start(strictly(() => ({ text: "Answer." })));
  for (const umask of ["022", "000"]) {
    await withProject(async (project) => {
      project.use(openAi(server));
      const { code, stderr } = await project.run(["chat"], {
        input: `one ${"x".repeat(3_000)}\n/compact\ntwo\n`,
        under: ["sh", "-c", `umask ${umask}; exec "$@"`, "sh"],
      });
      assert.equal(code, 0, stderr);
      const modes = modesBelow(join(project.root, "sessions"));
      assert.deepEqual(
        Object.values(modes),
        Object.keys(modes).map((path) => path.endsWith("/") ? 0o700 : 0o600),
      );
      assert.equal(Object.keys(modes).length, 7);
    });
  }
});

/** The permissions of a folder and of everything in it; a folder's path ends with a slash. */
function modesBelow(folder: string): Record<string, number> {
  const modes: Record<string, number> = { [`${folder}/`]: modeOf(folder) };
  for (const entry of Deno.readDirSync(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory) Object.assign(modes, modesBelow(path));
    if (entry.isFile) modes[path] = modeOf(path);
  }
  return modes;
}

function modeOf(path: string): number {
  return (Deno.lstatSync(path).mode ?? 0) & 0o777;
}

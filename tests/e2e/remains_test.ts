/** What sessions leave and share: refs and archives, modes, damage in one of them, sessions that a repository brings. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import { canBeNobody, testWhere } from "../support/machine.ts";
import type { Project } from "../support/project.ts";
import { DEMONSTRATION, type NumbersProject, withNumbers, work } from "./ship/numbers_project.ts";

const WORDS = work("numbers.txt", "2", "5");

/** A verified session that is not shipped. */
async function verified(numbers: NumbersProject): Promise<string> {
  const { code, stdout, stderr } = await numbers.run("Make the second number 5", WORDS, {
    flags: ["--no-ship"],
  });
  assert.equal(code, 0, stdout + stderr);
  return numbers.project.sessionIds.at(-1) ?? "";
}

/** A newer session whose log is not what was written. */
function damaged(project: Project, id: string): string {
  const newer = `2099${id.slice(4)}`;
  const folder = join(project.root, "sessions", newer);
  Deno.mkdirSync(folder);
  for (const name of ["0.baseline.json", "0.jsonl"]) {
    const text = Deno.readTextFileSync(join(project.root, "sessions", id, name));
    Deno.writeTextFileSync(join(folder, name), text);
  }
  return newer;
}

Deno.test("a damaged newest session stops status, undo, ship and --continue for none of the others", () =>
  withNumbers(async (numbers) => {
    const { project, model } = numbers;
    const id = await verified(numbers);
    const newer = damaged(project, id);
    const passedOver = new RegExp(`session ${newer} is passed over: sessions/${newer}/`);
    for (const args of [["status"], ["undo"], ["ship", "--dry-run"], ["rollback"]]) {
      const { code, stdout, stderr } = await project.run(args);
      assert.match(stderr, passedOver, args.join(" "));
      assert.ok((stdout + stderr).includes(id) || args[0] !== "status", stdout);
      assert.notEqual(code, 3, stderr);
    }
    const goneOn = await project.run(["run", "--continue", "--no-ship"]);
    assert.equal(goneOn.code, 0, goneOn.stderr);
    assert.match(goneOn.stderr, passedOver);
    assert.equal(numbers.entries.length, 0, "the sound one was not told as abandoned");
    model.says({ text: "Still here." });
    const chat = await project.run(["chat", "--continue"], { input: "Are you there?\n" });
    assert.equal(chat.code, 0, chat.stderr);
    assert.equal(chat.stdout, "Still here.\n");
    assert.match(chat.stderr, passedOver);
    const named = await project.run(["status", newer]);
    assert.equal(named.code, 3, "one that is named is not passed over");
  }));

Deno.test("session rm takes the session's refs and archive along, and names what stays", () =>
  withNumbers(async (numbers) => {
    const { project, model } = numbers;
    const id = await verified(numbers);
    const refs = () => project.git("for-each-ref", "--format=%(refname)", "refs/m31a/");
    assert.match(await refs(), new RegExp(`refs/m31a/${id}/`));
    model.says(DEMONSTRATION);
    assert.equal((await project.run(["ship"])).code, 0);
    assert.ok(Deno.statSync(join(project.root, "planning/archive", id)).isDirectory);
    await project.git("update-ref", `refs/m31a/${id}/kept/7`, "HEAD");
    await project.git("update-ref", `refs/m31a/${id}0/1`, "HEAD");
    const { code, stdout, stderr } = await project.run(["session", "rm", id, "--yes"]);
    assert.equal(code, 0, stderr);
    assert.match(
      stdout,
      new RegExp(`^removed ${id}, \\d+ refs? below refs/m31a/${id}, planning/archive/${id}\n`),
    );
    assert.match(stdout, /^stays: 1 line in planning\/ledger\.jsonl/m);
    assert.equal(await refs(), `refs/m31a/${id}0/1\n`, "another's stays");
    assert.throws(() => Deno.statSync(join(project.root, "planning/archive", id)));
    assert.deepEqual(project.sessionIds, []);
  }));

Deno.test("a session that git tracks is not gone on with, shipped or undone", () =>
  withNumbers(async (numbers) => {
    const { project, model } = numbers;
    const id = await verified(numbers);
    await project.git("add", "--force", `sessions/${id}`);
    await project.git("commit", "--quiet", "--message=a gift");
    const requests = model.server.requests.length;
    for (
      const args of [
        ["run", "--continue"],
        ["run", "--resume", id],
        ["chat", "--continue"],
        ["chat", "--resume", id],
        ["ship", id],
        ["undo", "--yes"],
      ]
    ) {
      const { code, stderr } = await project.run(args, { input: "go\n" });
      assert.equal(code, 2, `${args.join(" ")}: ${stderr}`);
      assert.match(stderr, /git tracks files of this session, so it may have come with the repo/);
    }
    assert.equal(model.server.requests.length, requests);
    assert.equal((await project.run(["session", "show", id])).code, 0, "it can be read");
    await project.git("rm", "-r", "--quiet", "--cached", `sessions/${id}`);
    const { code, stderr } = await project.run(["run", "--continue", "--no-ship"]);
    assert.equal(code, 0, stderr);
  }));

for (const umask of ["000", "077"]) {
  Deno.test(`run and ship under the umask ${umask} leave nothing that others can change`, () =>
    withNumbers(async (numbers) => {
      const { project } = numbers;
      const { code, stdout, stderr } = await numbers.run(
        "Make the second number 5",
        [...WORDS, DEMONSTRATION],
        { under: ["sh", "-c", `umask ${umask}; exec "$@"`, "sh"] },
      );
      assert.equal(code, 0, stdout + stderr);
      const find = ["find", "planning", "-perm", "-0002"];
      assert.equal((await project.runProgram(find)).stdout, "");
      // What commands keep there is theirs, behind the folder's own mode.
      const caches = ["-path", "sessions/caches", "-prune", "-o"];
      const open = ["find", "sessions", ...caches, "-perm", "/0077", "-print"];
      assert.equal((await project.runProgram(open)).stdout, "");
    }));
}

Deno.test("sessions/ and planning/config.toml that every user may change are refused, with how to mend it", () =>
  withNumbers(async ({ project }) => {
    project.write({ "planning/config.toml": "", "sessions/.gitignore": "*\n" });
    Deno.chmodSync(join(project.root, "sessions"), 0o777);
    const sessions = await project.run(["session", "list"]);
    assert.match(sessions.stderr, /^m31a: sessions: can be changed by every user.*chmod -R o-w/);
    assert.notEqual((await project.run(["chat"], { input: "go\n" })).code, 0);
    Deno.chmodSync(join(project.root, "sessions"), 0o700);
    Deno.chmodSync(join(project.root, "planning/config.toml"), 0o666);
    const { code, stderr } = await project.run(["config"]);
    assert.equal(code, 1);
    assert.match(stderr, /^m31a: planning\/config\.toml: can be changed by every user/);
  }));

testWhere(
  canBeNobody,
  "needs root",
  "trust that another user has recorded is none",
  () =>
    withNumbers(async ({ project }) => {
      project.write({ "planning/config.toml": '[tools]\nsandbox = "off"\n' });
      assert.equal((await project.run(["config", "--trust"])).code, 0);
      assert.match((await project.run(["doctor"])).stdout, /trusted by you/);
      Deno.chownSync(join(project.root, "sessions/trust.json"), 65534, 65534);
      const { code, stderr, stdout } = await project.run(["config"]);
      assert.equal(code, 1, stdout);
      assert.match(stderr, /sessions\/trust\.json: belongs to another user \(uid 65534\)/);
    }),
);

Deno.test("session search goes on behind a log that cannot be read, and warns of what was changed", () =>
  withNumbers(async (numbers) => {
    const { project, model } = numbers;
    for (const word of ["first", "second", "third"]) {
      model.says({ text: `the ${word} answer` });
      const { code, stderr } = await project.run(["chat"], { input: `${word}\n` });
      assert.equal(code, 0, stderr);
    }
    const [one = "", two = "", three = ""] = project.sessionIds;
    const log = (id: string) => join(project.root, "sessions", id, "0.jsonl");
    Deno.removeSync(log(three));
    Deno.mkdirSync(log(three));
    Deno.writeTextFileSync(log(two), Deno.readTextFileSync(log(two)).replace("answer", "ANSWER"));
    const { code, stdout, stderr } = await project.run(["session", "search", "answer"]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, new RegExp(`^${two} turn 1 assistant: the .* ANSWER$`, "m"));
    assert.match(stdout, new RegExp(`^${one} turn 1 assistant: the .* answer$`, "m"));
    assert.match(stderr, new RegExp(`skipped sessions/${three}/0\\.jsonl`));
    assert.match(stderr, new RegExp(`what was found in ${two} may not be what was said`));
    assert.doesNotMatch(stderr, /defect|skipped.*(?:one|two)/);
  }));

Deno.test("a folder whose name is not UTF-8 is named, and is no defect", () =>
  withNumbers(async ({ project }) => {
    const script = `odd=$(printf 'a\\377b'); mkdir -p "$odd/below" && cd "$odd" && "$@"
      git init -q . && cd below && exec "$@"`;
    const { stderr } = await project.run(["doctor"], {
      under: ["sh", "-c", script, "sh"],
      cwd: project.outside,
    });
    assert.equal(stderr.match(/m31a works with names in UTF-8 alone/g)?.length, 2, stderr);
    assert.doesNotMatch(stderr, /defect/);
  }));

Deno.test("doctor tells a bare repository from a folder without one", () =>
  withNumbers(async ({ project }) => {
    await project.git("init", "--quiet", "--bare", `${project.outside}/bare.git`);
    const { stdout } = await project.run(["doctor"], { cwd: `${project.outside}/bare.git` });
    assert.match(stdout, /is a bare repository.*clone it/);
    assert.doesNotMatch(stdout, /git init/);
  }));

/** The commands of `m31a session`, as processes with the executable's permissions. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import type { RecordDraft } from "../../../src/session/records.ts";
import { Session } from "../../../src/session/session.ts";
import {
  ID,
  logFile,
  makeSession,
  readLines,
  reply,
  result,
  turn,
  usage,
  user,
  writeLines,
} from "../../session/samples.ts";
import { withWriter } from "../../session/processes.ts";
import { type Ended, runM31a, runProgram } from "../../support/source.ts";
import { withTemporaryFolder } from "../../support/temporary.ts";

const OTHER = "20260103-040506-abcd";
const EVIL = "\x1b]52;c;aGk=\x07\x1b[2J\x9b31m";

/** A project with two sessions; the newer one is `OTHER`. */
async function withProject(
  test: (root: string, run: (...args: string[]) => Promise<Ended>) => Promise<void>,
): Promise<void> {
  await withTemporaryFolder(async (root) => {
    await runProgram("git", ["init", "-q", root]);
    await makeSession(root, 3);
    await makeSession(root, 1, OTHER);
    await test(root, (...args) => runM31a(["session", ...args], { cwd: root }));
  });
}

async function appendTo(root: string, id: string, drafts: RecordDraft[]): Promise<void> {
  using session = await Session.open(root, id);
  session.append(drafts);
}

function assertHarmless({ stdout, stderr }: Ended): void {
  // deno-lint-ignore no-control-regex -- what a terminal would obey is looked for
  assert.doesNotMatch(stdout + stderr, /[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
}

Deno.test("session list prints the newest first, one session a line, tabs between", () =>
  withProject(async (root, run) => {
    await appendTo(root, OTHER, [user("later")]);
    const { code, stdout } = await run("list");
    assert.equal(code, 0);
    const rows = stdout.trimEnd().split("\n").map((line) => line.split("\t"));
    assert.deepEqual(rows.map(([id, , , title]) => [id, title]), [
      [OTHER, "question 1"],
      [ID, "question 1"],
    ]);
    const objects = (await run("list", "--json")).stdout.trimEnd().split("\n").map((line) =>
      JSON.parse(line)
    );
    assert.deepEqual(objects.map(({ id, epochs }) => [id, epochs]), [[OTHER, 1], [ID, 1]]);
  }));

Deno.test("session list shows the newest 50, and with --all every one", () =>
  withTemporaryFolder(async (root) => {
    for (let number = 10; number < 70; number++) {
      await makeSession(root, 0, `20260101-0000${number}-aaaa`);
    }
    const list = (...args: string[]) => runM31a(["session", "list", ...args], { cwd: root });
    const [newest, all] = [await list(), await list("--all")];
    assert.deepEqual(
      [newest, all].map(({ stdout }) => stdout.trimEnd().split("\n").length),
      [50, 60],
    );
    assert.equal(newest.stderr, "the newest 50; --all lists every session\n");
    assert.equal(all.stderr, "");
  }));

Deno.test("session list says into a pipe, too, that there is no session yet", () =>
  withTemporaryFolder(async (root) => {
    await runProgram("git", ["init", "-q", root]);
    const { code, stdout, stderr } = await runM31a(["session", "list"], { cwd: root });
    assert.deepEqual(
      [code, stdout, stderr],
      [0, "", "no sessions yet; `m31a chat` begins one\n"],
    );
  }));

Deno.test("session show prints turns, calls and results, and nothing that a terminal obeys", () =>
  withProject(async (root, run) => {
    await appendTo(root, OTHER, [
      user(`look${EVIL}`),
      reply(`looking${EVIL}`, 1),
      usage(1, 1),
      result(1, Array.from({ length: 40 }, (_, line) => `line ${line}${EVIL}`).join("\n")),
    ]);
    const shown = await run("show", OTHER.slice(0, 10));
    assert.equal(shown.code, 0);
    assert.match(shown.stdout, /── turn 2 .*\nlook\n\nm31a:\nlooking\n\n→ 1 read_file\n/);
    assert.match(shown.stdout, /… 28 more lines \(--full shows them\)/);
    assertHarmless(shown);
    const full = await run("show", OTHER, "--full");
    assert.match(full.stdout, /line 39/);
    const json = await run("show", OTHER, "--json");
    assertHarmless(json);
    const records = json.stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
    assert.equal(records.length, 8);
    assert.equal(records[4].text, `look${EVIL}`);
  }));

Deno.test("session show and verify do not wait for a process that writes, and take its last line as in progress", () =>
  withProject(async (root, run) => {
    await withWriter(root, "hold", async (nextLine) => {
      await nextLine();
      Deno.writeTextFileSync(logFile(root), '{"seq":11,"at"', { append: true });
      assert.equal((await run("show", ID)).code, 0);
      const verified = await run("verify", ID);
      assert.deepEqual([verified.code, verified.stdout.includes("sound, 10 records")], [0, true]);
    });
    assert.equal((await run("show", ID)).code, 3);
  }));

Deno.test("session search finds text in any case, says where, and ends with 1 when there is none", () =>
  withProject(async (root, run) => {
    await appendTo(root, ID, [user('a "quoted" Größe\nsecond LINE here')]);
    const found = await run("search", "second line");
    assert.deepEqual([found.code, found.stdout], [0, `${ID} turn 4 user: second LINE here\n`]);
    assert.match((await run("search", '"QUOTED" GRÖSSE')).stderr + "", /no session holds/);
    assert.match((await run("search", '"QUOTED" grö')).stdout, /turn 4 user: a "quoted" Größe/);
    const [match] = (await run("search", "answer 3", "--json")).stdout.trimEnd().split("\n");
    const { at: _at, ...rest } = JSON.parse(match ?? "");
    assert.deepEqual(rest, {
      session: ID,
      epoch: 0,
      seq: 9,
      turn: 3,
      source: "assistant",
      line: "answer 3",
    });
    assert.equal((await run("search", "strictly nowhere")).code, 1);
    assert.equal((await run("search", "")).code, 2);
  }));

Deno.test("session search goes on behind a damaged line and says that it was skipped", () =>
  withProject(async (root, run) => {
    writeLines(logFile(root), readLines(logFile(root)).with(2, "answer garbled"));
    const { code, stdout, stderr } = await run("search", "answer");
    assert.equal(code, 0);
    assert.equal(stdout.trimEnd().split("\n").length, 3);
    assert.match(stderr, new RegExp(`skipped sessions/${ID}/0\\.jsonl:3: .*verify ${ID}`));
  }));

Deno.test("session verify checks all epochs of all sessions: exit code 3, file and line", () =>
  withProject(async (root, run) => {
    {
      using session = await Session.open(root, ID);
      await session.beginEpoch("summary", null);
      session.append(turn(4));
    }
    const epoch1 = readLines(logFile(root, 1));
    const sound = await run("verify");
    assert.deepEqual([sound.code, sound.stdout.trimEnd().split("\n").length], [0, 3]);
    writeLines(logFile(root), readLines(logFile(root)).with(4, "garbled"));
    const damaged = await run("verify");
    assert.equal(damaged.code, 3);
    assert.match(damaged.stdout, new RegExp(`^sessions/${ID}/0\\.jsonl:5: is not JSON$`, "m"));
    assert.match(damaged.stdout, new RegExp(`^sessions/${ID}/1\\.jsonl: sound, 4 records`, "m"));
    assert.equal((await run("verify", OTHER)).code, 0);
    writeLines(logFile(root, 1), readLines(logFile(root, 1)).with(1, "garbled"));
    assert.match((await run("verify", ID)).stdout, /1\.jsonl:2: .*\n.*m31a session salvage/);
    writeLines(logFile(root, 1), epoch1);
    const objects = (await run("verify", ID, "--json")).stdout.trimEnd().split("\n").map((line) =>
      JSON.parse(line)
    );
    assert.deepEqual(objects.map(({ epoch, records, damage }) => [epoch, records, damage]), [
      [0, 4, `sessions/${ID}/0.jsonl:5: is not JSON`],
      [1, 4, null],
    ]);
  }));

Deno.test("session export writes json, md and html, on stdout or into a new file below planning/", () =>
  withProject(async (root, run) => {
    const json = JSON.parse((await run("export", ID, "--format", "json")).stdout);
    assert.deepEqual([json.session, json.epochs.length, json.epochs[0].records.length], [
      ID,
      1,
      10,
    ]);
    assert.match(
      (await run("export", ID)).stdout,
      /^# Session .*\n[^]*## Turn 3\n\n> question 3\n\nanswer 3\n$/,
    );
    const written = await run("export", ID, "--format", "html", "-o", "planning/notes/x.html");
    assert.deepEqual([written.code, written.stdout], [0, ""]);
    assert.match(
      Deno.readTextFileSync(join(root, "planning/notes/x.html")),
      /^<!doctype html>[^]*<\/html>\n$/,
    );
    for (
      const output of [
        "planning/notes/x.html",
        "x.html",
        "planning/../x.html",
        "sessions/x.html",
        "/tmp/x.html",
      ]
    ) {
      assert.equal((await run("export", ID, "-o", output)).code, 2, output);
    }
    Deno.symlinkSync("/tmp", join(root, "planning/out"));
    assert.equal((await run("export", ID, "-o", "planning/out/x.md")).code, 1);
  }));

Deno.test("session export of a damaged session leaves no file behind", () =>
  withProject(async (root, run) => {
    writeLines(logFile(root), readLines(logFile(root)).with(4, "garbled"));
    assert.equal((await run("export", ID, "-o", "planning/x.md")).code, 3);
    assert.deepEqual([...Deno.readDirSync(join(root, "planning"))], []);
  }));

Deno.test("session fork, repair and salvage do what the messages of a damaged session advise", () =>
  withProject(async (root, run) => {
    const fork = await run("fork", ID, "--turn", "2");
    assert.match(fork.stdout, /^\d{8}-\d{6}-[0-9a-f]{4}\n$/);
    assert.match(fork.stderr, /^2 turns, 7 records copied; go on with: m31a chat --resume /);
    assert.equal((await run("fork", ID, "--turn", "0")).code, 2);
    assert.equal((await run("fork", ID, "--turn", "9")).code, 2);

    Deno.writeTextFileSync(logFile(root), "half a record", { append: true });
    const shown = await run("show", ID);
    assert.match(shown.stderr, /0\.jsonl:11: truncated tail.*\n.*m31a session repair /);
    const repaired = await run("repair", ID);
    assert.match(
      repaired.stdout,
      /cut 13 bytes behind the last good record; 11 records\n.*broken-/,
    );
    assert.equal((await run("verify", ID)).code, 0);

    writeLines(logFile(root), readLines(logFile(root)).with(4, "garbled"));
    assert.match(
      (await run("repair", ID)).stderr,
      /0\.jsonl:5: is not JSON\n.*m31a session salvage /,
    );
    const salvaged = await run("salvage", ID);
    assert.equal((await run("verify", salvaged.stdout.trim())).code, 0);
  }));

Deno.test("session rm removes with --yes, and refuses without an answer or while the session is open", () =>
  withProject(async (root, run) => {
    const unanswered = await run("rm", OTHER);
    assert.deepEqual([unanswered.code, unanswered.stderr.includes(`rm ${OTHER} --yes`)], [2, true]);
    await withWriter(root, "hold", async (nextLine) => {
      await nextLine();
      const inUse = await run("rm", ID, "--yes");
      assert.deepEqual([inUse.code, /open in another m31a process/.test(inUse.stderr)], [2, true]);
    });
    assert.equal((await run("rm", ID, "--yes")).code, 0);
    assert.deepEqual([...Deno.readDirSync(join(root, "sessions"))].map(({ name }) => name).sort(), [
      ".gitignore",
      OTHER,
    ]);
  }));

Deno.test("session commands started in a subdirectory are about the same project", () =>
  withProject(async (root) => {
    Deno.mkdirSync(join(root, "a/b"), { recursive: true });
    const { stdout } = await runM31a(["session", "list"], { cwd: join(root, "a/b") });
    assert.ok(stdout.includes(ID));
  }));

Deno.test("session commands refuse an id that is none, and a prefix of several, with exit code 2", () =>
  withProject(async (_root, run) => {
    const ended = await Promise.all([
      run("show", "../x"),
      run("show", "2026"),
      run("show", "2030"),
    ]);
    assert.deepEqual(ended.map(({ code }) => code), [2, 2, 2]);
    assert.match(ended[1]?.stderr ?? "", /2 sessions begin with 2026; give more of the id/);
  }));

import assert from "node:assert/strict";
import { join } from "@std/path";
import { setTitle } from "../../src/session/title.ts";
import { listSessions, newestSessionIds } from "../../src/session/catalog.ts";
import { sessionDirectory } from "../../src/session/layout.ts";
import { Session } from "../../src/session/session.ts";
import { withTemporaryFolder } from "../support/temporary.ts";
import { ID, logFile, makeSession, sampleBaseline, user } from "./samples.ts";

Deno.test("listSessions() gives the newest first, and at most as many as are wanted", async () => {
  await withTemporaryFolder(async (root) => {
    assert.deepEqual(listSessions(root), []);
    const ids = ["20260101-000000-aaaa", "20260103-000000-cccc", "20260102-000000-bbbb"];
    for (const id of ids) await makeSession(root, 1, id);
    // All were written to at the same time, by a clock that is a day ahead: then their names tell.
    for (const id of ids) Deno.utimeSync(logFile(root, 0, id), AHEAD, AHEAD);
    const sorted = ids.toSorted().reverse();
    assert.deepEqual(listSessions(root).map(({ id }) => id), sorted);
    assert.deepEqual(listSessions(root, 2).map(({ id }) => id), sorted.slice(0, 2));
  });
});

Deno.test("listSessions() takes the first message as the title, the newest epoch's time and size", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 2);
    {
      using session = await Session.open(root, ID);
      await session.beginEpoch("summary", null);
      session.append([user("later")]);
    }
    const { size, mtime } = Deno.statSync(logFile(root, 1));
    assert.deepEqual(listSessions(root), [
      { id: ID, title: "question 1", updatedAt: mtime, sizeBytes: size, epochs: 2 },
    ]);
  });
});

Deno.test("listSessions() takes the goal as the title of a session that began with one", async () => {
  await withTemporaryFolder(async (root) => {
    {
      using session = await Session.create(root, sampleBaseline(), null);
      session.append([{ type: "goal", text: "Mend the parser", mode: "run" }, user("The goal: …")]);
    }
    assert.equal(listSessions(root)[0]?.title, "Mend the parser");
  });
});

for (
  const [what, text, title] of [
    ["quotes and escapes", 'say "hi" \\ \n now', 'say "hi" \\ \n now'],
    ["non-ASCII", "größer 😀", "größer 😀"],
  ]
) {
  Deno.test(`listSessions() reads a title with ${what}`, async () => {
    await withTemporaryFolder(async (root) => {
      {
        using session = await Session.create(root, sampleBaseline(), null);
        session.append([user(text ?? "")]);
      }
      assert.equal(listSessions(root)[0]?.title, title);
    });
  });
}

Deno.test("listSessions() cuts a title that is longer than it reads", async () => {
  await withTemporaryFolder(async (root) => {
    {
      using session = await Session.create(root, sampleBaseline(), null);
      session.append([user("word ".repeat(10_000))]);
    }
    const title = listSessions(root)[0]?.title ?? "";
    assert.ok(title.startsWith("word word") && title.length < 5000);
  });
});

Deno.test("listSessions() lists what cannot be read: no log, a garbled one, a link", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 1);
    Deno.mkdirSync(join(root, sessionDirectory("20260103-000000-cccc")));
    await makeSession(root, 1, "20260104-000000-dddd");
    Deno.writeTextFileSync(logFile(root, 0, "20260104-000000-dddd"), "\0\0garbled");
    await makeSession(root, 1, "20260105-000000-eeee");
    Deno.removeSync(logFile(root, 0, "20260105-000000-eeee"));
    Deno.symlinkSync("/etc/hostname", logFile(root, 0, "20260105-000000-eeee"));
    assert.deepEqual(listSessions(root).map(({ title, epochs }) => [title, epochs]), [
      ["", 1],
      ["", 1],
      ["question 1", 1],
      ["", 0],
    ]);
  });
});

Deno.test("listSessions() does not wait for a session that is being written", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 1);
    using _writer = await Session.open(root, ID);
    assert.equal(listSessions(root)[0]?.title, "question 1");
  });
});

Deno.test("newestSessionIds() takes the one that was written to last, whenever it was begun", async () => {
  await withTemporaryFolder(async (root) => {
    assert.equal(newestSessionIds(root, 1)[0], undefined);
    const [first, second, third] = [
      "20260101-000000-aaaa",
      "20260102-000000-bbbb",
      "20260103-000000-cccc",
    ] as const;
    for (const id of [first, second, third]) await makeSession(root, 1, id);
    for (const [id, second] of [[first, 3e8], [third, 2e8]] as const) {
      Deno.utimeSync(logFile(root, 0, id), second, second);
    }
    Deno.utimeSync(logFile(root, 0, second), 1e8, 1e8);
    assert.equal(newestSessionIds(root, 1)[0], first);
    assert.deepEqual(newestSessionIds(root, 2), [first, third]);
    assert.deepEqual(newestSessionIds(root, 9), [first, third, second]);
  });
});

Deno.test("newestSessionIds() takes none for the newest that a clock which was ahead has dated", async () => {
  await withTemporaryFolder(async (root) => {
    const [past, future] = ["20260101-000000-aaaa", "29990101-000000-bbbb"] as const;
    for (const id of [past, future]) await makeSession(root, 1, id);
    Deno.utimeSync(logFile(root, 0, future), AHEAD, AHEAD);
    assert.deepEqual(newestSessionIds(root, 2), [past, future]);
    // Gone on with, it is dated by the clock that is right.
    Deno.utimeSync(logFile(root, 0, future), Date.now() / 1000, Date.now() / 1000);
    Deno.utimeSync(logFile(root, 0, past), 1e8, 1e8);
    assert.deepEqual(newestSessionIds(root, 2), [future, past]);
  });
});

Deno.test("setTitle() gives a session a title that lists show, and takes it back", async () => {
  await withTemporaryFolder(async (root) => {
    await makeSession(root, 1);
    const title = () => listSessions(root)[0]?.title;
    assert.equal(title(), "question 1");
    setTitle(root, ID, "  the \x1b[31mparser\n bug ");
    assert.equal(title(), "the parser bug");
    assert.throws(() => setTitle(root, ID, "x".repeat(201)), /201 characters, more than 200/);
    Deno.writeTextFileSync(join(root, sessionDirectory(ID), "title"), "x".repeat(1_000));
    assert.equal(title(), "");
    setTitle(root, ID, "");
    assert.equal(title(), "question 1");
    Deno.symlinkSync("/etc/hostname", join(root, sessionDirectory(ID), "title"));
    assert.equal(title(), "");
    assert.throws(() => setTitle(root, ID, "through a link"), /symbolic link/);
  });
});

/** Tomorrow, as a clock that is ahead would say it, in seconds. */
const AHEAD = Math.floor(Date.now() / 1000) + 86_400;

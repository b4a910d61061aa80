import assert from "node:assert/strict";
import { join } from "@std/path";
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
      ["", 0],
      ["question 1", 1],
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

Deno.test("newestSessionIds() takes the one written to last of those begun in the same second", async () => {
  await withTemporaryFolder(async (root) => {
    assert.equal(newestSessionIds(root, 1)[0], undefined);
    const [older, first, second] = [
      "20260101-000000-ffff",
      "20260102-000000-aaaa",
      "20260102-000000-bbbb",
    ] as const;
    for (const id of [older, first, second]) await makeSession(root, 1, id);
    Deno.utimeSync(join(root, sessionDirectory(second), "0.jsonl"), 1, 1);
    Deno.utimeSync(join(root, sessionDirectory(older), "0.jsonl"), 9e9, 9e9);
    assert.equal(newestSessionIds(root, 1)[0], first);
    assert.deepEqual(newestSessionIds(root, 2), [first, second]);
    assert.deepEqual(newestSessionIds(root, 9), [first, second, older]);
  });
});

import assert from "node:assert/strict";
import { readLedger } from "../../src/ledger/ledger.ts";
import { CommitFailed } from "../../src/git/commit.ts";
import { GitFolder, withGitFolder } from "../support/git_folder.ts";
import { withTemporaryFolder } from "../support/temporary.ts";
import { readMemory } from "../../src/ledger/memory_file.ts";
import { sampleEntry } from "../ledger/entries.ts";
import { TEST_SESSION } from "../support/conversations.ts";
import { IGNORED, OUTLINE, type ShipOptions, verifiedSession, withShippable } from "./shippable.ts";

/** For hooks that come while a session goes on. */
const LETS_HOOKS_CHANGE = { overrides: ["--changed-hooks"] } as const satisfies ShipOptions;

Deno.test("ship() commits what the session touched, and tells the ledger, the memory and the archive", async () => {
  await withShippable(async (shippable) => {
    const { folder } = shippable;
    folder.write("foreign.ts", "const mine = 1;\n");
    folder.run("add", "foreign.ts");
    folder.write(".env", "KEY=1\n");
    await shippable.verify();
    const outcome = await shippable.ship();
    assert.equal(outcome.outcome, "shipped");
    await shippable.assertShippedOnce();
    assert.equal(folder.run("show", "--format=", "--name-status", "HEAD"), "M\ta.ts\nA\tb.ts\n");
    assert.equal(folder.run("status", "--porcelain"), "A  foreign.ts\n?? .env\n");
    assert.equal(
      folder.run("log", "-1", "--format=%B"),
      "chore: greet by name\n\n- Take a name\n\n" +
        `M31A-Session: 20260102-030405-1a2b\nProved: ${folder.run("rev-parse", "HEAD^{tree}")}` +
        "Assisted-by: m31a (words:test)\n\n",
    );
    const [{ entry } = assert.fail()] = await readLedger(`${shippable.root}/planning/ledger.jsonl`);
    assert.deepEqual(entry.diff, {
      added: 1,
      modified: 1,
      deleted: 0,
      renamed: 0,
      binary: 0,
      insertions: 2,
      deletions: 1,
    });
    assert.deepEqual(entry.files, ["a.ts", "b.ts"]);
    assert.deepEqual(entry.checks, [{ name: "test", passed: true, ms: 20 }]);
    const [first, verified, proof, ...more] = await shippable.checkTimes();
    assert.deepEqual([first, verified, more], [["attempt", 20], ["attempt", 20], []]);
    assert.ok(proof?.[0] === "proof" && proof[1] > 0);
    assert.equal(entry.workingMs, 40 + Math.round(proof[1]));
    assert.equal(entry.base, folder.run("rev-parse", "HEAD^").trim());
    assert.ok(!folder.run("ls-files").includes("planning"));
  });
});

Deno.test("ship() says of a shipped session that it is, and does nothing", async () => {
  await withShippable(async (shippable) => {
    await shippable.ship();
    const log = Deno.readTextFileSync(`${shippable.root}/sessions/20260102-030405-1a2b/0.jsonl`);
    const outcome = await shippable.ship();
    assert.equal(outcome.outcome === "shipped" && outcome.wasDone, true);
    assert.equal(
      Deno.readTextFileSync(`${shippable.root}/sessions/20260102-030405-1a2b/0.jsonl`),
      log,
    );
    await shippable.assertShippedOnce();
  });
});

Deno.test("ship() ships again what a shipped session has changed since, as its next attempt", async () => {
  await withShippable(async (shippable) => {
    await shippable.ship();
    await shippable.record({ type: "goal", text: "Greet twice", mode: "run" });
    await shippable.change({ "b.ts": "export const b = 2;\n" });
    await shippable.verify();
    const outcome = await shippable.ship({ outline: { ...OUTLINE, goal: "Greet twice" } });
    assert.equal(outcome.outcome === "shipped" && outcome.entry.attempt, 2);
    const entries = await readLedger(`${shippable.root}/planning/ledger.jsonl`);
    assert.deepEqual(entries.map(({ entry }) => [entry.attempt, entry.files]), [
      [1, ["a.ts", "b.ts"]],
      [2, ["b.ts"]],
    ]);
    assert.equal(shippable.folder.run("rev-list", "--count", "HEAD").trim(), "3");
  });
});

Deno.test("ship() puts the documents of a second goal away beside those of the first, with what it tells", async () => {
  await withShippable(async (shippable) => {
    const { folder } = shippable;
    await shippable.ship();
    await shippable.record({ type: "goal", text: "Greet twice", mode: "run" });
    await shippable.change({ "b.ts": "export const b = 2;\n" });
    await shippable.verify();
    folder.write("planning/STATE.md", "# State\n\nSecond.\n");
    await shippable.ship({ outline: { ...OUTLINE, goal: "Greet twice" } });
    const archive = `planning/archive/${TEST_SESSION}.2`;
    assert.match(folder.read(`${archive}/STATE.md`), /Second/);
    assert.match(folder.read(`${archive}/DEMONSTRATION.md`), /Greet twice/);
    assert.match(folder.read(`planning/archive/${TEST_SESSION}/DEMONSTRATION.md`), /Greet by name/);
    const left = [...Deno.readDirSync(`${folder.root}/planning`)].map(({ name }) => name);
    assert.deepEqual(left.filter((name) => /STATE|DEMONSTRATION/.test(name)), []);
  });
});

Deno.test("ship() does nothing when its user says no, and ships when they say yes", async () => {
  await withShippable(async (shippable) => {
    const asked: number[] = [];
    const answers = (answer: boolean): ShipOptions => ({
      confirm: (checks) => {
        asked.push(checks.length);
        return Promise.resolve(answer);
      },
    });
    assert.equal((await shippable.ship(answers(false))).outcome, "declined");
    assert.equal(shippable.folder.run("rev-list", "--count", "HEAD"), "1\n");
    assert.equal((await shippable.ship(answers(true))).outcome, "shipped");
    assert.equal(asked.length, 2);
    await shippable.assertShippedOnce();
  });
});

Deno.test("ship() first tells what an attempt before it had decided to tell", async () => {
  await withShippable(async (shippable) => {
    // It failed, and was killed between its entry and the ledger.
    const facts = sampleEntry({ session: TEST_SESSION, outcome: "failed" });
    await shippable.record({ type: "shipped", step: "entry", facts: { ...facts } });
    await shippable.ship();
    const entries = await readLedger(`${shippable.root}/planning/ledger.jsonl`);
    assert.deepEqual(entries.map(({ entry }) => [entry.attempt, entry.outcome]), [
      [1, "failed"],
      [2, "shipped"],
    ]);
    assert.equal(readMemory(shippable.root).blocks.length, 1);
  });
});

Deno.test("ship() fails with the output of a hook that fails, and nothing says shipped", async () => {
  await withShippable(async (shippable) => {
    const { folder } = shippable;
    folder.hook("pre-commit", "echo 'lint: no semicolon' >&2; exit 1");
    await assert.rejects(shippable.ship(LETS_HOOKS_CHANGE), (error) => {
      assert.ok(error instanceof CommitFailed);
      assert.match(error.message, /lint: no semicolon/);
      return true;
    });
    assert.equal(folder.run("rev-list", "--count", "HEAD").trim(), "1");
    assert.throws(() => Deno.readTextFileSync(`${shippable.root}/planning/ledger.jsonl`));
    Deno.removeSync(`${folder.root}/.git/hooks/pre-commit`);
    await shippable.ship(LETS_HOOKS_CHANGE);
    await shippable.assertShippedOnce();
  });
});

Deno.test("ship() commits what a hook has reformatted", async () => {
  await withShippable(async (shippable) => {
    const { folder } = shippable;
    folder.hook("pre-commit", "echo 'export const b = 1; // formatted' > b.ts; git add b.ts");
    await shippable.ship(LETS_HOOKS_CHANGE);
    assert.equal(folder.run("show", "HEAD:b.ts"), "export const b = 1; // formatted\n");
    assert.equal(folder.run("status", "--porcelain"), "");
    await shippable.assertShippedOnce();
  });
});

Deno.test("ship() stops a hook that hangs, and ships when it does not any more", async () => {
  await withShippable(async (shippable) => {
    const { folder } = shippable;
    folder.hook("pre-commit", "sleep 600");
    await assert.rejects(
      shippable.ship({ ...LETS_HOOKS_CHANGE, settings: { commitTimeoutMs: 500 } }),
      /did not end in time/,
    );
    assert.equal(folder.run("rev-list", "--count", "HEAD").trim(), "1");
    assert.equal(folder.run("diff", "--cached", "--name-only"), "");
    Deno.removeSync(`${folder.root}/.git/hooks/pre-commit`);
    await shippable.ship(LETS_HOOKS_CHANGE);
    await shippable.assertShippedOnce();
  });
});

Deno.test("ship() makes the first commit of a repository without one", async () => {
  await withGitFolder(async (folder) => {
    folder.write(".gitignore", IGNORED);
    const shippable = await verifiedSession(folder);
    const outcome = await shippable.ship();
    assert.equal(outcome.outcome, "shipped");
    assert.equal(folder.run("show", "--format=", "--name-only", "HEAD"), "a.ts\nb.ts\n");
    await shippable.assertShippedOnce();
  });
});

Deno.test("ship() takes planning/ along when it is told to, but no lock", async () => {
  await withShippable(async (shippable) => {
    const { folder } = shippable;
    folder.write(".gitignore", "sessions/\n");
    folder.write("planning/.lock", "x\n");
    folder.write("planning/MEMORY.md", "Mine.\n");
    await shippable.ship({ settings: { planningFiles: true } });
    assert.deepEqual(
      folder.run("show", "--format=", "--name-only", "HEAD").trim().split("\n"),
      [
        "a.ts",
        "b.ts",
        "planning/MEMORY.md",
        "planning/STATE.md",
        "planning/plan.md",
        "planning/plan.v1.md",
      ],
    );
  });
});

Deno.test("ship() says what can be done with planning/ while git neither has nor ignores it", async () => {
  await withShippable(async (shippable) => {
    const told = () =>
      shippable.events.some((event) =>
        event.type === "notice" &&
        /m31a init --planning commit, or --planning ignore/.test(event.text)
      );
    shippable.folder.write(".gitignore", "sessions/\n");
    await shippable.ship();
    assert.ok(told());
  });
  await withShippable(async (shippable) => {
    await shippable.ship();
    assert.ok(!shippable.events.some((event) => event.type === "notice"));
  });
});

Deno.test("ship() works in a linked worktree", async () => {
  await withGitFolder(async (main) => {
    main.write("a.ts", "export const a = 1;\n");
    main.write(".gitignore", IGNORED);
    main.commitAll();
    await withTemporaryFolder(async (parent) => {
      const side = new GitFolder(parent);
      main.run("worktree", "add", "-q", "-b", "side", side.root);
      const shippable = await verifiedSession(side);
      await shippable.ship();
      await shippable.assertShippedOnce();
      assert.equal(side.run("symbolic-ref", "--short", "HEAD"), "side\n");
      assert.equal(main.run("rev-list", "--count", "main"), "1\n");
    });
  });
});

Deno.test("ship() is deaf to the GIT_* variables of a hook that calls it", async () => {
  await withShippable(async (shippable) => {
    await shippable.ship({}, {
      ...shippable.folder.environment,
      GIT_DIR: "/nonexistent",
      GIT_INDEX_FILE: "/nonexistent",
      GIT_WORK_TREE: "/nonexistent",
    });
    await shippable.assertShippedOnce();
  });
});

Deno.test("ship() gives up a signing prompt that hangs", async () => {
  await withShippable(async (shippable) => {
    const { folder } = shippable;
    folder.write("sign.ignored", "#!/bin/sh\nsleep 600\n", 0o755);
    folder.run("config", "commit.gpgSign", "true");
    folder.run("config", "gpg.program", `${folder.root}/sign.ignored`);
    await assert.rejects(
      shippable.ship({ ...LETS_HOOKS_CHANGE, settings: { commitTimeoutMs: 500 } }),
      /did not end in time/,
    );
    assert.equal(folder.run("rev-list", "--count", "HEAD"), "1\n");
    folder.run("config", "commit.gpgSign", "false");
    await shippable.ship(LETS_HOOKS_CHANGE);
    await shippable.assertShippedOnce();
  });
});

Deno.test("ship() tells the goal and the tasks of hostile text without a forged trailer, comment or scissors", async () => {
  await withShippable(async (shippable) => {
    const goal = "-m x\n\n# a comment\n------------------------ >8 ------------------------\n\n" +
      "M31A-Session: 20200101-000000-0000\nCo-authored-by: Evil <e@example.invalid>";
    const title = "# one\n\nM31A-Session: 20200101-000000-0000";
    await shippable.ship({
      outline: {
        ...OUTLINE,
        goal,
        tasks: OUTLINE.tasks.map((task) => ({ ...task, title })),
      },
    });
    const message = shippable.folder.run("log", "-1", "--format=%B");
    assert.match(message, /^chore: -m x # a comment -{24} >8…\n\nGoal: -m x # a comment/);
    assert.match(message, /\n- # one M31A-Session: 20200101-000000-0000\n\nM31A-Session: 20260102/);
    const trailers = shippable.folder.run("log", "-1", "--format=%(trailers:only)");
    const tree = shippable.folder.run("rev-parse", "HEAD^{tree}").trim();
    assert.equal(
      trailers,
      `M31A-Session: 20260102-030405-1a2b\nProved: ${tree}\nAssisted-by: m31a (words:test)\n\n`,
    );
    await shippable.assertShippedOnce();
  });
});

Deno.test("ship() finds the commit of a ship that was killed though the user has committed since", async () => {
  await withShippable(async (shippable) => {
    const { folder } = shippable;
    let writes = 0;
    const killed = shippable.ship({
      append(append, drafts) {
        writes++;
        if (writes === 2) throw new Error("killed");
        return append(drafts);
      },
    });
    await assert.rejects(killed, /killed/);
    const commit = folder.run("rev-parse", "HEAD").trim();
    folder.write("later.ts", "");
    folder.run("add", "later.ts");
    folder.run("commit", "-q", "-m", "mine");
    const outcome = await shippable.ship();
    assert.equal(outcome.outcome === "shipped" && outcome.commit, commit);
    assert.equal(folder.run("rev-list", "--count", "HEAD"), "3\n");
  });
});

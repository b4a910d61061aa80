import assert from "node:assert/strict";
import { CHECK_NAMES, mayShip } from "../../src/ship/preflight/check.ts";
import { findSecrets } from "../../src/ship/preflight/secrets.ts";
import { gitPath } from "../../src/git/path.ts";
import { withGitFolder, withPlainFolder } from "../support/git_folder.ts";
import { checkOf, OUTLINE, Shippable, withShippable } from "./shippable.ts";

/** A key that no rule excuses, put together here so that this file holds none. */
const TOKEN = `ghp_${"0123456789abcdefghijABCDEFGHIJ012345"}`;

Deno.test("runPreflight() lists every check, in order, and passes a verified session", async () => {
  await withShippable(async (shippable) => {
    const log = Deno.readTextFileSync(`${shippable.root}/sessions/20260102-030405-1a2b/0.jsonl`);
    const checks = await shippable.preflight();
    assert.deepEqual(
      checks.map(({ name }) => name),
      CHECK_NAMES.filter((name) => name !== "proof"),
    );
    assert.deepEqual(checks.filter(({ verdict }) => verdict !== "pass"), []);
    assert.equal(checkOf(checks, "changes").summary, "2 files, +2 -1");
    assert.equal(
      Deno.readTextFileSync(`${shippable.root}/sessions/20260102-030405-1a2b/0.jsonl`),
      log,
    );
  });
});

Deno.test("runPreflight() blocks outside of a repository", async () => {
  await withPlainFolder(async (folder) => {
    const shippable = new Shippable(folder);
    await shippable.begin({ repository: null });
    const checks = await shippable.preflight();
    assert.deepEqual(checks.map(({ name, verdict }) => [name, verdict]), [["repository", "block"]]);
    assert.match(checkOf(checks, "repository").advice, /git init/);
  });
});

Deno.test("runPreflight() blocks a detached HEAD, and a merge, a rebase and a bisect in progress, by name", async () => {
  await withShippable(async (shippable) => {
    const { folder } = shippable;
    folder.run("stash", "-q");
    folder.run("switch", "-q", "-c", "side");
    folder.write("c.ts", "side\n");
    folder.run("add", "c.ts");
    folder.run("commit", "-q", "-m", "side");
    folder.run("switch", "-q", "main");
    folder.write("c.ts", "main\n");
    folder.run("add", "c.ts");
    folder.run("commit", "-q", "-m", "main");
    assert.throws(() => folder.run("merge", "side"));
    assert.match(checkOf(await shippable.preflight(), "operation").summary, /merge/);
    folder.run("merge", "--abort");
    assert.throws(() => folder.run("rebase", "side"));
    const rebase = await shippable.preflight();
    assert.match(checkOf(rebase, "operation").summary, /rebase/);
    assert.equal(checkOf(rebase, "branch").verdict, "block");
    folder.run("rebase", "--abort");
    folder.run("bisect", "start");
    assert.match(checkOf(await shippable.preflight(), "operation").summary, /bisect/);
    folder.run("bisect", "reset");
    folder.run("switch", "-q", "--detach");
    assert.equal(checkOf(await shippable.preflight(), "branch").verdict, "block");
    assert.equal((await shippable.ship()).outcome, "blocked");
  });
});

Deno.test("runPreflight() warns when the commit would go on another branch than the session began on", async () => {
  await withShippable(async (shippable) => {
    assert.equal(checkOf(await shippable.preflight(), "branch").verdict, "pass");
    shippable.folder.run("switch", "-q", "-c", "other");
    const check = checkOf(await shippable.preflight(), "branch");
    assert.equal(check.verdict, "warn");
    assert.match(check.summary, /goes on other, and the session began on main/);
  });
});

Deno.test("runPreflight() blocks when git does not know who commits", async () => {
  await withShippable(async (shippable) => {
    shippable.folder.run("config", "user.useConfigOnly", "true");
    shippable.folder.run("config", "user.email", "");
    shippable.folder.run("config", "user.name", "");
    const check = checkOf(await shippable.preflight(), "repository");
    assert.equal(check.verdict, "block");
    assert.match(check.advice, /git config user\.name/);
  });
});

Deno.test("runPreflight() names a stale index.lock and leaves it", async () => {
  await withShippable(async (shippable) => {
    const lock = `${shippable.root}/.git/index.lock`;
    Deno.writeTextFileSync(lock, "");
    const check = checkOf(await shippable.preflight(), "index lock");
    assert.deepEqual([check.verdict, check.places], ["block", [lock]]);
    assert.equal((await shippable.ship()).outcome, "blocked");
    Deno.lstatSync(lock);
  });
});

Deno.test("runPreflight() blocks when there is nothing to ship", async () => {
  await withShippable(async (shippable) => {
    await shippable.change({ "a.ts": "export const a = 1;\n", "b.ts": null });
    assert.equal(checkOf(await shippable.preflight(), "changes").verdict, "block");
  });
});

Deno.test("runPreflight() blocks what was not verified, or has changed since, unless --unverified is given", async () => {
  await withShippable(async (shippable) => {
    shippable.folder.write("b.ts", "export const b = 'edited by hand';\n");
    const since = checkOf(await shippable.preflight(), "verification");
    assert.deepEqual([since.verdict, since.places], ["block", ["b.ts"]]);
    await shippable.change({ "b.ts": "export const b = 3;\n" });
    const unverified = checkOf(await shippable.preflight(), "verification");
    assert.deepEqual([unverified.verdict, unverified.places], ["block", []]);
    assert.match(unverified.advice, /--unverified/);
    const checks = await shippable.preflight({ overrides: ["--unverified"] });
    assert.equal(checkOf(checks, "verification").overriddenBy, "--unverified");
    assert.ok(mayShip(checks));
    await shippable.ship({ overrides: ["--unverified", "--partial"] });
    const log = Deno.readTextFileSync(`${shippable.root}/sessions/20260102-030405-1a2b/0.jsonl`);
    assert.match(log, /"overrides":\["--unverified"\]/);
  });
});

Deno.test("runPreflight() names the tasks that are not done, unless --partial is given", async () => {
  await withShippable(async (shippable) => {
    const tasks = [
      ...OUTLINE.tasks,
      ...OUTLINE.tasks.map((task) => ({ ...task, id: "2", status: "skipped" as const })),
    ];
    const outline = { ...OUTLINE, tasks };
    const check = checkOf(await shippable.preflight({ outline }), "tasks");
    assert.deepEqual([check.verdict, check.places], ["block", ["2 (skipped)"]]);
    assert.ok(mayShip(await shippable.preflight({ outline, overrides: ["--partial"] })));
  });
});

Deno.test("runPreflight() warns of a task that changed nothing where the plan named files", async () => {
  await withShippable(async (shippable) => {
    const [task] = OUTLINE.tasks;
    assert.ok(task !== undefined);
    const second = { ...task, id: "2", changedNothing: true, files: ["c.ts", "d.ts"] };
    const third = { ...second, id: "3", files: [] };
    const outline = { ...OUTLINE, tasks: [task, second, third] };
    const check = checkOf(await shippable.preflight({ outline }), "tasks");
    assert.deepEqual([check.verdict, check.places], ["warn", ["2 (c.ts, d.ts)"]]);
    assert.match(check.summary, /^1 task of 3 changed nothing, though the plan named files/);
  });
});

Deno.test("runPreflight() blocks a touched file that git ignores", async () => {
  await withShippable(async (shippable) => {
    await shippable.change({ "c.ignored": "x\n" });
    await shippable.verify();
    assert.deepEqual(checkOf(await shippable.preflight(), "ignored files").places, ["c.ignored"]);
  });
});

Deno.test("runPreflight() blocks a file that was dirty before the session, unless --include-dirty is given", async () => {
  await withShippable(async (shippable) => {
    const check = checkOf(await shippable.preflight(), "earlier changes");
    assert.deepEqual([check.verdict, check.places], ["block", ["a.ts"]]);
    assert.ok(mayShip(await shippable.preflight({ overrides: ["--include-dirty"] })));
  }, (folder) => folder.write("a.ts", "export const a = 'mine';\n"));
});

Deno.test("runPreflight() takes a file with converted line ends for clean", async () => {
  await withGitFolder(async (folder) => {
    folder.write(".gitattributes", "*.txt text eol=crlf\n");
    folder.write("a.txt", "one\r\ntwo\r\n");
    folder.commitAll();
    const shippable = new Shippable(folder);
    await shippable.begin();
    await shippable.change({ "a.txt": "one\r\nthree\r\n" });
    await shippable.verify();
    const checks = await shippable.preflight();
    assert.equal(checkOf(checks, "earlier changes").verdict, "pass");
    assert.equal(checkOf(checks, "changes").summary, "1 file, +1 -1");
  });
});

Deno.test("runPreflight() reports a submodule with changes, and blocks a touched file in it", async () => {
  await withGitFolder(async (library) => {
    library.write("l.ts", "1\n");
    library.commitAll();
    await withShippable(async (shippable) => {
      shippable.folder.write("lib/l.ts", "2\n");
      const warned = checkOf(await shippable.preflight(), "submodules");
      assert.deepEqual([warned.verdict, warned.places], ["warn", ["lib"]]);
      const gitFile = shippable.folder.read("lib/.git");
      shippable.folder.write("lib/.git", "gitdir: ../other");
      const unseen = checkOf(await shippable.preflight(), "submodules");
      assert.equal(unseen.summary, "1 submodule not looked into");
      assert.deepEqual([unseen.verdict, unseen.places], ["warn", ["lib"]]);
      shippable.folder.write("lib/.git", gitFile);
      await shippable.change({ "lib/l.ts": "3\n" });
      const blocked = checkOf(await shippable.preflight(), "submodules");
      assert.deepEqual([blocked.verdict, blocked.places], ["block", ["lib/l.ts"]]);
    }, (folder) => {
      folder.run(
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        library.root,
        "lib",
      );
      folder.run("commit", "-q", "-m", "lib");
    });
  });
});

Deno.test("runPreflight() finds secrets and conflict markers in added lines alone, with their places", async () => {
  await withShippable(async (shippable) => {
    await shippable.change({
      "a.ts": `const old = "${TOKEN}";\n// one\n// two\n`,
      "b.ts": `//\n<<<<<<< HEAD\n=======\n>>>>>>> side\nconst key = "${TOKEN}";\n`,
    });
    await shippable.verify();
    const checks = await shippable.preflight();
    assert.deepEqual(checkOf(checks, "secrets").places, ["b.ts:5 (GitHub Token)"]);
    assert.ok(!JSON.stringify(checks).includes(TOKEN));
    assert.deepEqual(checkOf(checks, "conflict markers").places, ["b.ts:2", "b.ts:4"]);
    assert.equal((await shippable.ship()).outcome, "blocked");
  }, (folder) => {
    folder.write("a.ts", `const old = "${TOKEN}";\n`);
    folder.commitAll();
  });
});

Deno.test("runPreflight() knows each mark that a merge leaves, and nothing that only looks like one", async () => {
  await withShippable(async (shippable) => {
    const marks = ["<<<<<<< HEAD", "||||||| base", ">>>>>>> side", "|||||||"];
    const others = ["=======", "|||||||| table", "<<<<<<<<", " <<<<<<< HEAD", "a ||||||| b"];
    await shippable.change({ "b.ts": [...marks, ...others, ""].join("\n") });
    const { places } = checkOf(await shippable.preflight(), "conflict markers");
    assert.deepEqual(places, ["b.ts:1", "b.ts:2", "b.ts:3", "b.ts:4"]);
  });
});

Deno.test("runPreflight() warns of what is left to do, debug prints and large files", async () => {
  await withShippable(async (shippable) => {
    await shippable.change({
      "b.ts": "// TODO later\nconsole.log(1);\n",
      "c.py": "print(1)\n",
      "large.bin": `\0${"x".repeat(5_000_001)}`,
    });
    await shippable.verify();
    const checks = await shippable.preflight();
    assert.deepEqual(checkOf(checks, "left to do").places, ["b.ts:1"]);
    assert.deepEqual(checkOf(checks, "debug prints").places, ["b.ts:2", "c.py:1"]);
    assert.deepEqual(checkOf(checks, "large files").places, ["large.bin (5.0 MB)"]);
    assert.ok(mayShip(checks));
  });
});

Deno.test("findSecrets() tells the line of each file it is given, however many", async () => {
  const lines = ["a.ts", "b.ts", "c.ts"].flatMap((name, file) =>
    [10, 11].map((line) => ({
      path: gitPath(name),
      line: line + file,
      text: file === 1 && line === 11 ? `x = "${TOKEN}"` : "y",
    }))
  );
  assert.deepEqual(await findSecrets(lines), [{ path: "b.ts", line: 12, what: "GitHub Token" }]);
});

Deno.test("findSecrets() finds what an added comment waives, and the comment", async () => {
  const waivers = [
    "// secretlint-disable-line",
    "/* secretlint-disable */",
    "# gitleaks:allow",
    "// pragma: allowlist secret",
    "<!-- trufflehog:ignore -->",
    "# ggignore",
  ];
  for (const waiver of waivers) {
    const found = await findSecrets([
      { path: gitPath("a.ts"), line: 1, text: `x = "${TOKEN}" ${waiver}` },
      { path: gitPath("a.ts"), line: 2, text: `y = "${TOKEN}"` },
    ]);
    const secrets = found.filter(({ what }) => what === "GitHub Token").map(({ line }) => line);
    assert.deepEqual(secrets, [1, 2], waiver);
    assert.equal(found.filter(({ what }) => what.startsWith("a waiver of the scan")).length, 1);
  }
});

Deno.test("findSecrets() takes no sentence about a waiver for one", async () => {
  const text = "Write `secretlint-disable-line` behind it, or gitleaks:allow.";
  assert.deepEqual(await findSecrets([{ path: gitPath("a.md"), line: 1, text }]), []);
});

Deno.test("findSecrets() finds a waiver that stands before the secret it is for", async () => {
  const found = await findSecrets([
    { path: gitPath("a.ts"), line: 1, text: "// secretlint-disable-next-line" },
    { path: gitPath("a.ts"), line: 2, text: `x = "${TOKEN}"` },
  ]);
  assert.deepEqual(found.map(({ line }) => line), [1, 2]);
});

Deno.test("runPreflight() blocks new dependencies that git does not ignore, unless they are included", async () => {
  await withShippable(async (shippable) => {
    await shippable.change({ "web/node_modules/left-pad/index.js": "1\n", "c.ts": "1\n" });
    await shippable.verify();
    const check = checkOf(await shippable.preflight(), "dependencies");
    assert.deepEqual([check.verdict, check.places], ["block", ["web/node_modules (1 new file)"]]);
    const included = await shippable.preflight({ include: ["web/node_modules"] });
    assert.equal(checkOf(included, "dependencies").verdict, "pass");
  });
});

Deno.test("runPreflight() names what could not be followed", async () => {
  await withShippable(async (shippable) => {
    const unknown = [{ path: "odd", why: "was changed, and has a name that cannot be recorded" }];
    await shippable.record({
      type: "check",
      name: "test",
      command: "true",
      task: null,
      passed: true,
      exitCode: 0,
      output: "",
      durationMs: 1,
      purpose: "attempt",
      tests: null,
      tree: { unknown: "not taken" },
      touched: [],
      unknown,
      restored: [],
    });
    const check = checkOf(await shippable.preflight(), "followed files");
    assert.deepEqual([check.verdict, check.places], [
      "warn",
      ["odd: was changed, and has a name that cannot be recorded"],
    ]);
  });
});

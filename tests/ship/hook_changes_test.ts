/** Hooks that change files while a commit is made: of the commit, of the user's, and with a no at the end. */
import assert from "node:assert/strict";
import { CommitFailed } from "../../src/git/commit.ts";
import { checkOf, type ShipOptions, type Shippable, withShippable } from "./shippable.ts";

function hook(shippable: Shippable, script: string): void {
  shippable.folder.write(".git/hooks/pre-commit", `#!/bin/sh\n${script}\n`, 0o755);
}

/** The hook came while the session went on: it is let through, as its user would. */
function shipped(shippable: Shippable, options: ShipOptions = {}) {
  return shippable.ship({ overrides: ["--changed-hooks"], ...options });
}

function notices({ events }: Shippable): string {
  return events.flatMap((event) => event.type === "notice" ? event.text : []).join("\n");
}

function read({ root }: Shippable, path: string): string {
  return Deno.readTextFileSync(`${root}/${path}`);
}

/** Appends a line to a file, once, and refuses then. */
const FIX = "grep -q fixed b.ts || { echo '// fixed' >> b.ts; echo 'b.ts was fixed'; exit 1; }";

Deno.test("ship() takes what a hook fixes along, proves the commit anew and tries it once more", () =>
  withShippable(async (shippable) => {
    const { folder } = shippable;
    hook(shippable, FIX);
    assert.equal((await shipped(shippable)).outcome, "shipped");
    assert.equal(folder.run("show", "HEAD:b.ts"), "export const b = 1;\n// fixed\n");
    const proved = folder.run("log", "-1", "--format=%(trailers:key=Proved,valueonly)").trim();
    assert.equal(proved, folder.run("rev-parse", "HEAD^{tree}").trim());
    assert.equal(folder.run("status", "--porcelain"), "");
    assert.match(notices(shippable), /refused it: b\.ts\. The changes are taken along/);
    const proofs = shippable.events.filter(({ type }) => type === "proof");
    assert.equal(proofs.length, 2);
    await shippable.assertShippedOnce();
  }));

Deno.test("ship() names what a hook that passes has changed of the commit's files, and what the commit does not hold", () =>
  withShippable(async (shippable) => {
    hook(shippable, "echo '// in' >> a.ts; git add a.ts; echo '// beside' >> b.ts");
    assert.equal((await shipped(shippable)).outcome, "shipped");
    assert.match(notices(shippable), /changed files, and the commit has them so: a\.ts\n/);
    assert.match(notices(shippable), /which does not have them so: b\.ts\. They stay changed/);
    assert.equal(shippable.folder.run("show", "HEAD:b.ts"), "export const b = 1;\n");
    assert.equal(shippable.folder.run("status", "--porcelain"), " M b.ts\n");
  }));

Deno.test("ship() ends with a hook's output where it refuses a second time, or fixes nothing", () =>
  withShippable(async (shippable) => {
    const failing = async () =>
      await assert.rejects(
        shipped(shippable),
        (error) => error instanceof CommitFailed && /never happy/.test(error.message),
      );
    hook(shippable, "echo never happy >&2; exit 1");
    await failing();
    assert.equal(notices(shippable), "");
    hook(shippable, "date +%N >> b.ts; echo never happy >&2; exit 1");
    await failing();
    assert.equal(read(shippable, "b.ts").split("\n").length, 4);
    assert.equal(shippable.folder.run("rev-list", "--count", "HEAD"), "1\n");
    Deno.removeSync(`${shippable.root}/.git/hooks/pre-commit`);
    // What the hook made of the file is the session's: nothing has changed behind its back.
    assert.equal((await shipped(shippable)).outcome, "shipped");
  }));

Deno.test("ship() does not commit what a hook has fixed to pieces", () =>
  withShippable(async (shippable) => {
    await shippable.verify("! grep -q fixed b.ts");
    hook(shippable, FIX);
    const outcome = await shipped(shippable);
    assert.ok(outcome.outcome === "blocked");
    assert.match(checkOf(outcome.checks, "proof").summary, /commit alone does not pass/);
    assert.equal(shippable.folder.run("rev-list", "--count", "HEAD"), "1\n");
  }));

for (const [end, code] of [["refuses", 1], ["passes", 0]] as const) {
  Deno.test(`ship() puts back what a hook that ${end} made of files outside of the commit`, () =>
    withShippable(async (shippable) => {
      const { folder } = shippable;
      const script = "echo x >> tracked.ts; echo x >> mine.ts; rm -f gone.ts; echo x > made.ts; ";
      hook(shippable, `${script} exit ${code}`);
      if (code === 0) assert.equal((await shipped(shippable)).outcome, "shipped");
      if (code === 1) await assert.rejects(shipped(shippable), CommitFailed);
      assert.equal(read(shippable, "tracked.ts"), "1\n");
      assert.equal(read(shippable, "mine.ts"), "my work\r\n");
      assert.equal(read(shippable, "gone.ts"), "untracked\n");
      assert.equal(read(shippable, "made.ts"), "x\n");
      const said = notices(shippable);
      assert.match(said, /not in the commit\. Put back: gone\.ts, mine\.ts, tracked\.ts/);
      assert.match(said, /made files that are not in the commit: made\.ts/);
      assert.equal(folder.run("diff", "--name-only", "--", "tracked.ts"), "");
    }, (folder) => {
      for (const name of ["tracked.ts", "mine.ts"]) folder.write(name, "1\n");
      folder.run("add", ".");
      folder.run("commit", "-q", "--amend", "--no-edit");
      folder.write("mine.ts", "my work\r\n");
      folder.write("gone.ts", "untracked\n");
    }));
}

Deno.test("ship() puts everything back that a hook has changed which does not end", () =>
  withShippable(async (shippable) => {
    hook(shippable, "echo half > b.ts; echo half > a.ts; rm -f mine.txt; sleep 1000");
    await assert.rejects(
      shipped(shippable, { settings: { commitTimeoutMs: 1_000 } }),
      /did not end in time/,
    );
    assert.equal(read(shippable, "b.ts"), "export const b = 1;\n");
    assert.equal(read(shippable, "a.ts"), "export const a = 2;\n");
    assert.equal(read(shippable, "mine.txt"), "mine\n");
    Deno.removeSync(`${shippable.root}/.git/hooks/pre-commit`);
    assert.equal((await shipped(shippable)).outcome, "shipped");
  }, (folder) => folder.write("mine.txt", "mine\n")));

Deno.test("ship() names a file that a hook has rewritten and that was too large to be kept", () =>
  withShippable(async (shippable) => {
    hook(shippable, "echo x > large.bin");
    assert.equal((await shipped(shippable)).outcome, "shipped");
    assert.match(
      notices(shippable),
      /not known: large\.bin \(what it held was too large to be kept\)/,
    );
  }, (folder) => folder.write("large.bin", "x".repeat(1_000_001))));

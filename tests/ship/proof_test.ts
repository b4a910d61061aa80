/** The commit of a ship is proved on its own: with bubblewrap at the project's path, without it in a folder elsewhere. */
import assert from "node:assert/strict";
import { shipLines } from "../../src/app/telling/ship_lines.ts";
import { confined } from "../support/sandboxes.ts";
import { checkOf, withShippable } from "./shippable.ts";
import type { ShipOptions, Shippable } from "./shippable.ts";

/** The project's check: passes where `needed.txt` is, or `b.ts` does not ask for it. */
const CHECK = "test -f needed.txt || ! grep -q needed b.ts";

async function shipWith(
  options: ShipOptions,
  prepare: (shippable: Shippable) => void,
  test: (shippable: Shippable) => Promise<void>,
): Promise<void> {
  await withShippable(async (shippable) => {
    prepare(shippable);
    await shippable.change({ "b.ts": "needed\n" });
    await shippable.verify(CHECK);
    const outcome = await shippable.ship(options);
    shippable.outcome = outcome;
    await test(shippable);
  });
}

function trailers(shippable: Shippable): string {
  return shippable.folder.run("log", "-1", "--format=%(trailers:key=Proved,valueonly)").trim();
}

function remains(shippable: Shippable): string[] {
  const folder = `${shippable.root}/sessions/20260102-030405-1a2b`;
  return [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => name === "proof")
    .flatMap((name) => [...Deno.readDirSync(`${folder}/${name}`)].map((entry) => entry.name));
}

for (const sandbox of ["auto", "off"] as const) {
  const where = sandbox === "auto" ? "at the project's path" : "in a folder elsewhere";

  Deno.test(`a commit that needs a file of the user's is not made, and the file is named (${where})`, () =>
    shipWith(
      { sandbox },
      ({ folder }) => folder.write("needed.txt", "mine\n"),
      async (shippable) => {
        assert.equal(shippable.outcome?.outcome, "blocked");
        assert.ok(shippable.outcome?.outcome === "blocked");
        const proof = checkOf(shippable.outcome.checks, "proof");
        assert.match(proof.summary, /^the commit alone does not pass `test -f needed/);
        assert.deepEqual(proof.places, ["needed.txt"]);
        assert.match(proof.advice, /--include FILE/);
        const failed = shippable.events.filter((event) => event.type === "proof_failed");
        assert.deepEqual(failed.flatMap(shipLines), [
          "ship: proof: test -f needed.txt || ! grep -q needed b.ts failed (exit code 1)",
          "  ",
        ]);
        assert.equal(shippable.folder.run("rev-list", "--count", "HEAD"), "1\n");
        assert.deepEqual(remains(shippable), []);

        const included = await shippable.ship({ sandbox, include: ["needed.txt"] });
        assert.equal(included.outcome, "shipped");
        assert.match(shippable.folder.run("show", "--name-only", "--format="), /needed\.txt/);
        assert.equal(trailers(shippable), shippable.folder.run("rev-parse", "HEAD^{tree}").trim());
      },
    ));

  Deno.test(`a commit beside other work of the user's is proved alone (${where})`, () =>
    shipWith(
      { sandbox },
      ({ folder }) => {
        folder.write("needed.txt", "committed\n");
        folder.run("add", "needed.txt");
        folder.run("commit", "-q", "-m", "needed");
        folder.write("foreign.txt", "mine\n");
      },
      async (shippable) => {
        assert.equal(shippable.outcome?.outcome, "shipped");
        const proofs = shippable.events.filter((event) => event.type === "proof");
        assert.match(proofs[0]?.check.summary ?? "", /pass on the commit alone/);
        assert.equal(trailers(shippable), shippable.folder.run("rev-parse", "HEAD^{tree}").trim());
        assert.equal(shippable.folder.run("status", "--porcelain"), "?? foreign.txt\n");
        assert.deepEqual(remains(shippable), []);
        await Promise.resolve();
      },
    ));
}

Deno.test("checks that passed on exactly the commit's tree do not run again", () =>
  shipWith(
    {},
    ({ folder }) => {
      folder.write("needed.txt", "committed\n");
      folder.run("add", "needed.txt");
      folder.run("commit", "-q", "-m", "needed");
    },
    async (shippable) => {
      assert.equal(shippable.outcome?.outcome, "shipped");
      assert.deepEqual(shippable.events.filter(({ type }) => type === "proof_started"), []);
      await Promise.resolve();
    },
  ));

Deno.test("--unverified skips the proof, and the commit says so", () =>
  shipWith(
    { overrides: ["--unverified"] },
    ({ folder }) => folder.write("needed.txt", "mine\n"),
    async (shippable) => {
      assert.equal(shippable.outcome?.outcome, "shipped");
      assert.equal(trailers(shippable), "no (--unverified)");
      await Promise.resolve();
    },
  ));

Deno.test("a commit that a hook has changed is proved anew, and its trailer names the tree that it has", () =>
  shipWith(
    { overrides: ["--changed-hooks"] },
    ({ folder }) => {
      folder.write("needed.txt", "committed\n");
      folder.run("add", "needed.txt");
      folder.run("commit", "-q", "-m", "needed");
      folder.write(
        ".git/hooks/pre-commit",
        "#!/bin/sh\necho formatted >> b.ts; git add b.ts\n",
        0o755,
      );
    },
    async (shippable) => {
      assert.equal(shippable.outcome?.outcome, "shipped");
      assert.match(shippable.folder.run("show", "HEAD:b.ts"), /formatted/);
      assert.equal(trailers(shippable), shippable.folder.run("rev-parse", "HEAD^{tree}").trim());
      assert.equal(shippable.folder.run("rev-list", "--count", "HEAD"), "3\n");
      await Promise.resolve();
    },
  ));

Deno.test("a commit that a hook has broken is taken back, and said", () =>
  shipWith(
    { overrides: ["--changed-hooks"] },
    ({ folder }) => {
      folder.write("needed.txt", "committed\n");
      folder.run("add", "needed.txt");
      folder.run("commit", "-q", "-m", "needed");
      folder.write(".git/hooks/pre-commit", "#!/bin/sh\ngit rm -q --cached needed.txt\n", 0o755);
    },
    async (shippable) => {
      assert.ok(shippable.outcome?.outcome === "blocked");
      assert.match(checkOf(shippable.outcome.checks, "proof").summary, /does not pass/);
      assert.equal(shippable.folder.run("rev-list", "--count", "HEAD"), "2\n");
      const notices = shippable.events.flatMap((event) =>
        event.type === "notice" ? event.text : []
      );
      assert.ok(notices.some((text) => /taken back/.test(text)));
      await Promise.resolve();
    },
  ));

for (const sandbox of ["auto", "off"] as const) {
  Deno.test(`a proof takes nothing of sessions/ along where only its own .gitignore ignores it (${sandbox})`, () =>
    shipWith(
      { sandbox },
      ({ folder }) => {
        folder.write(".gitignore", "*.ignored\n");
        folder.write("needed.txt", "committed\n");
        folder.run("add", "needed.txt", ".gitignore");
        folder.run("commit", "-q", "-m", "needed");
        folder.write("foreign.txt", "mine\n");
      },
      async (shippable) => {
        assert.equal(shippable.outcome?.outcome, "shipped");
        assert.equal(trailers(shippable), shippable.folder.run("rev-parse", "HEAD^{tree}").trim());
        assert.deepEqual(remains(shippable), []);
        await Promise.resolve();
      },
    ));
}

confined(
  "a check that writes to its dependencies is proved with a copy of them",
  () =>
    withShippable(async (shippable) => {
      const { folder, root } = shippable;
      folder.write(".gitignore", "node_modules/\n");
      folder.run("add", "--all");
      folder.run("commit", "-q", "-m", "ignore");
      folder.write("node_modules/.state", "before\n");
      folder.write("foreign.txt", "mine\n");
      await shippable.change({ "b.ts": "b\n" });
      await shippable.verify("echo after >$PWD/node_modules/.state");
      assert.equal((await shippable.ship({ sandbox: "auto" })).outcome, "shipped");
      assert.deepEqual(
        shippable.events.flatMap((event) => event.type === "proof_started" ? [event.isAgain] : []),
        [false, true],
      );
      assert.equal(trailers(shippable), folder.run("rev-parse", "HEAD^{tree}").trim());
      assert.equal(Deno.readTextFileSync(`${root}/node_modules/.state`), "before\n");
      assert.deepEqual(remains(shippable), []);
    }),
);

for (
  const [what, make] of [
    ["an empty folder", (root: string) => Deno.mkdirSync(`${root}/out`)],
    ["a repository of its own", (root: string) => {
      Deno.mkdirSync(`${root}/out/.git/objects`, { recursive: true });
      Deno.mkdirSync(`${root}/out/.git/refs`);
      Deno.writeTextFileSync(`${root}/out/.git/HEAD`, "ref: refs/heads/main\n");
      Deno.writeTextFileSync(`${root}/out/a`, "a\n");
    }],
  ] as const
) {
  Deno.test(`a commit is not proved by a check that passed beside ${what}, which no checkout has`, () =>
    withShippable(async (shippable) => {
      make(shippable.root);
      await shippable.verify("test -d out");
      const outcome = await shippable.ship({ sandbox: "auto" });
      assert.ok(outcome.outcome === "blocked");
      const proof = checkOf(outcome.checks, "proof");
      assert.match(
        proof.summary,
        /does not pass `test -d out`; with 1 (?:path as no clone has it|file that is not in it), it may$/,
      );
      assert.match(proof.places.join(), /^out\/(?: \(is a folder without a file\))?$/);
    }));
}

Deno.test("a commit is not proved by a check that passed on line ends that no clone has", () =>
  withShippable(async (shippable) => {
    const { folder } = shippable;
    folder.write(".gitattributes", "*.txt text\n");
    folder.write("ends.txt", "ab\n");
    folder.commitAll();
    await shippable.change({ "a.ts": "changed\n" });
    folder.write("ends.txt", "ab\r\n");
    await shippable.verify('test "$(wc -c < ends.txt)" -eq 4');
    // The file is as a clone would have it by now, but the check has not passed on that.
    folder.write("ends.txt", "ab\n");
    const outcome = await shippable.ship();
    assert.ok(outcome.outcome === "blocked");
    assert.match(checkOf(outcome.checks, "proof").summary, /the commit alone does not pass/);
  }));

Deno.test("a commit is not proved by a check that made its tree of another one", () =>
  withShippable(async (shippable) => {
    await shippable.change({ "a.ts": "a\n" });
    await shippable.verify("test -f not-there", undefined, [{
      path: "a.ts",
      before: null,
      after: null,
    }]);
    const outcome = await shippable.ship();
    assert.ok(outcome.outcome === "blocked");
    assert.match(checkOf(outcome.checks, "proof").summary, /does not pass `test -f not-there`/);
  }));

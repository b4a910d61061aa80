import assert from "node:assert/strict";
import type { RecordDraft } from "../../src/session/records.ts";
import type { Writer } from "../../src/ship/demonstration.ts";
import { TEST_SESSION } from "../support/conversations.ts";
import { OUTLINE, type ShipOptions, type Shippable, withShippable } from "./shippable.ts";

const PROSE = ["What changed", "How to run it", "Decisions", "Limits"]
  .map((title) => `## ${title}\n\nWords.`).join("\n\n");

const USAGE: RecordDraft = {
  type: "usage",
  requestId: "d1",
  purpose: "demonstration",
  provider: "p",
  model: "m",
  input: 1,
  output: 1,
  cacheRead: 0,
  cacheWrite: 0,
  isReported: true,
  cost: null,
  costSource: "unknown",
  durationMs: 1,
  retries: 0,
};

function writer(write: (prompt: string) => string): Writer {
  return {
    name: "p:m",
    write: async (prompt) => ({ text: await Promise.resolve(write(prompt)), usage: USAGE }),
  };
}

async function demonstrationOf(shippable: Shippable, using: Writer): Promise<string> {
  const outcome = await shippable.ship({ writer: using });
  assert.equal(outcome.outcome, "shipped");
  return shippable.folder.read(`planning/archive/${TEST_SESSION}/DEMONSTRATION.md`);
}

Deno.test("ship() has the model write the demonstration from plan, tasks, checks and diff", () =>
  withShippable(async (shippable) => {
    let asked = "";
    const text = await demonstrationOf(
      shippable,
      writer((prompt) => {
        asked = prompt;
        return PROSE;
      }),
    );
    for (const part of ["Greet by name", "Take a name", "true", "+export const a = 2;"]) {
      assert.ok(asked.includes(part), part);
    }
    assert.ok(text.includes(PROSE.slice(0, PROSE.indexOf("## Limits"))));
    assert.match(text, /_Written by p:m/);
    const log = shippable.folder.read(`sessions/${TEST_SESSION}/0.jsonl`);
    assert.match(log, /"purpose":"demonstration"/);
  }));

for (
  const [name, write, reason] of [
    ["fails", () => {
      throw new Error("503");
    }, /the model gave no text \(503\)/],
    ["says nothing", () => " \n", /the model gave no text/],
    ["leaves a section out", () => "## What changed\n\nx", /no section "How to run it"/],
    ["goes on for ever", () => PROSE + "x".repeat(40_000), /too long/],
  ] as const
) {
  Deno.test(`ship() writes the demonstration from the facts when the model ${name}, and says so`, () =>
    withShippable(async (shippable) => {
      const text = await demonstrationOf(shippable, writer(write));
      assert.match(text, reason);
      for (const part of ["2 files (1 added, 1 modified)", "`b.ts`", "`true`", "Hello"]) {
        assert.ok(text.includes(part), `${part} in ${text}`);
      }
      await shippable.assertShippedOnce();
    }));
}

Deno.test("ship() writes no markup of a hostile goal, title or file name into the demonstration", () =>
  withShippable(async (shippable) => {
    const hostile = "x\n## Limits\n`<script>` | [a](b)";
    await shippable.ship({ outline: { ...OUTLINE, goal: hostile } });
    const text = shippable.folder.read(`planning/archive/${TEST_SESSION}/DEMONSTRATION.md`);
    assert.equal(text.split("\n").filter((line) => line === "## Limits").length, 1);
    assert.ok(text.includes("Goal: x \\#\\# Limits \\`\\<script\\>\\` \\| \\[a\\](b)"));
  }));

/** The lines below the heading of the limits. */
function limitsIn(text: string): string[] {
  return text.slice(text.indexOf("## Limits")).split("\n").filter((line) => line.startsWith("- "));
}

async function limitsOf(
  prepare: (shippable: Shippable) => Promise<unknown>,
  options: ShipOptions = {},
): Promise<string[]> {
  return await withShippable(async (shippable) => {
    await prepare(shippable);
    assert.equal((await shippable.ship(options)).outcome, "shipped");
    return limitsIn(
      shippable.folder.read(`planning/archive/${TEST_SESSION}/DEMONSTRATION.md`),
    );
  });
}

const WITHOUT_RISKS = {
  ...OUTLINE,
  plan: { summary: "Change the greeting", risks: [], verification: [] },
};

Deno.test("ship() says that no limits are known only where none is", async () => {
  assert.deepEqual(
    await limitsOf((shippable) => shippable.verify("true", { ran: 3 }), { outline: WITHOUT_RISKS }),
    [],
  );
});

Deno.test("ship() names in the limits what was not proved, in the model's demonstration too", async () => {
  const outline = {
    ...WITHOUT_RISKS,
    tasks: OUTLINE.tasks.flatMap((task) => [task, {
      ...task,
      id: "2",
      changedNothing: true,
      files: ["c.ts"],
    }]),
  };
  const change = async (shippable: Shippable) => {
    await shippable.change({ "a_test.ts": "// test\n" });
    // The check is not on the commit's tree, and the proof is not wanted.
    shippable.folder.write("other.txt", "x\n");
    await shippable.verify("node --test", { ran: 0 });
  };
  const expected = [
    "- The commit was not proved on its own: --unverified.",
    "- The check test (node --test) ran no test.",
    "- 1 file of tests changed along with it: a\\_test.ts.",
    "- Task 2 changed nothing, though the plan named c.ts.",
  ];
  const options = { outline, overrides: ["--unverified"] as const };
  assert.deepEqual(await limitsOf(change, options), expected);
  const written = { ...options, writer: writer(() => PROSE) };
  assert.deepEqual(await limitsOf(change, written), expected);
});

Deno.test("ship() names the files of the commit that a check has changed among the limits", () =>
  withShippable(async (shippable) => {
    const [a, b] = ["a.ts", "b.ts"].map((path) => shippable.folder.run("hash-object", path).trim());
    const blob = (id = "") => ({ mode: "100644" as const, blob: id });
    await shippable.verify("true", undefined, [
      { path: "a.ts", before: blob(b), after: blob(a) },
    ]);
    const text = await demonstrationOf(shippable, writer(() => PROSE));
    assert.match(text, /Checks changed files of the commit: a\.ts \(check test\)\./);
  }));

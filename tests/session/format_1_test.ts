/** Sessions that version 0.1.0 wrote (tests/session/format_1/): read, gone on with, and never rewritten. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { forkSession } from "../../src/session/copy.ts";
import { liftRecord } from "../../src/session/format_1.ts";
import type { CallOutcome } from "../../src/session/outcome.ts";
import type { RecordOf, SessionRecord } from "../../src/session/records.ts";
import { encodeRequest, Replay, replay } from "../../src/session/replay.ts";
import { Session } from "../../src/session/session.ts";
import { scanEpoch } from "../../src/session/session_reader.ts";
import { verifySession } from "../../src/session/verify.ts";
import { withTemporaryFolder } from "../support/temporary.ts";
import { stoppedClock, user } from "./samples.ts";

const FIXTURES = fileURLToPath(new URL("./format_1/", import.meta.url));

/** A goal healed, verified and undone; a chat that was killed in a command; a goal of which one task was given up. */
const UNDONE = "20261130-181019-aea0";
const KILLED = "20261130-181036-9d53";
const GIVEN_UP = "20261130-181049-2e9e";
const ALL = [UNDONE, KILLED, GIVEN_UP];

async function withFixtures(test: (root: string) => Promise<void> | void): Promise<void> {
  await withTemporaryFolder(async (root) => {
    for (const id of ALL) {
      Deno.mkdirSync(join(root, "sessions", id), { recursive: true, mode: 0o700 });
      for (const name of ["0.baseline.json", "0.jsonl"]) {
        Deno.copyFileSync(join(FIXTURES, id, name), join(root, "sessions", id, name));
      }
    }
    await test(root);
  });
}

function recordsIn(root: string, id: string): SessionRecord[] {
  const records: SessionRecord[] = [];
  const { damage } = scanEpoch(root, id, 0, (record) => records.push(record));
  assert.equal(damage, undefined);
  return records;
}

const oldResult = z.looseObject({
  type: z.literal("tool_result"),
  call: z.number(),
  facts: z.looseObject({}).optional(),
});

/** The results as the file has them, by call. */
function oldResults(root: string, id: string): Map<number, z.infer<typeof oldResult>> {
  const text = Deno.readTextFileSync(join(root, "sessions", id, "0.jsonl"));
  const lines = text.trimEnd().split("\n").map((line) =>
    oldResult.safeParse(JSON.parse(line)).data
  );
  return new Map(lines.flatMap((line) => line === undefined ? [] : [[line.call, line]]));
}

function outcomesOf(records: readonly SessionRecord[]): (CallOutcome | undefined)[] {
  return records.flatMap((record) => record.type === "tool_result" ? [record.outcome] : []);
}

Deno.test("a log of format 1 is read with its facts lifted to outcomes, none of them lost", () =>
  withFixtures((root) => {
    const records = [UNDONE, GIVEN_UP].flatMap((id) => recordsIn(root, id));
    const kinds = new Set(outcomesOf(records).map((outcome) => outcome?.kind));
    const expected = ["read", "change", "command", "plan", "task_finished", undefined];
    assert.deepEqual(kinds, new Set(expected));
    for (const id of [UNDONE, GIVEN_UP]) {
      const before = oldResults(root, id);
      for (const { type, ...record } of recordsIn(root, id)) {
        if (type !== "tool_result" || !("outcome" in record)) continue;
        const { call, outcome } = record;
        const facts = before.get(call)?.facts ?? {};
        const { files = [] } = facts;
        const touched = outcome !== undefined && "touched" in outcome ? outcome.touched : [];
        assert.deepEqual(touched.map(({ path }) => path), files);
        for (const file of touched) {
          assert.deepEqual(file.before, z.looseObject({}).parse(facts.before)[file.path] ?? null);
          assert.deepEqual(file.after, z.looseObject({}).parse(facts.after)[file.path] ?? null);
        }
        if (outcome?.kind === "change") assert.equal(outcome.patch, facts.patch);
        if (outcome?.kind === "command") assert.equal(outcome.exitCode, facts.exitCode);
      }
    }
    const gaveUp = outcomesOf(recordsIn(root, GIVEN_UP)).find((outcome) =>
      outcome?.kind === "task_finished" && outcome.gaveUp !== undefined
    );
    assert.ok(gaveUp?.kind === "task_finished" && gaveUp.gaveUp === "there is no y");
  }));

Deno.test("a check of format 1 is one whose tree is not known", () =>
  withFixtures((root) => {
    const checks = recordsIn(root, UNDONE).filter((record): record is RecordOf<"check"> =>
      record.type === "check"
    );
    assert.equal(checks.length, 4);
    for (const { purpose, tests, tree } of checks) {
      assert.deepEqual([purpose, tests], ["attempt", null]);
      assert.ok("unknown" in tree);
    }
  }));

Deno.test("a session of format 1 goes on in format 2, its bytes kept, its request the same", () =>
  withFixtures(async (root) => {
    for (const id of ALL) {
      const log = join(root, "sessions", id, "0.jsonl");
      const bytes = Deno.readTextFileSync(log);
      const baselineBytes = Deno.readTextFileSync(join(root, "sessions", id, "0.baseline.json"));
      const baseline = scanEpoch(root, id, 0, () => {}).baseline;
      const before = encodeRequest(replay(baseline, recordsIn(root, id)));
      let fold: Replay | undefined;
      {
        using session = await Session.open(root, id, {
          clock: stoppedClock,
          folds: (baseline) => [fold = new Replay(baseline)],
        });
        assert.equal(Deno.readTextFileSync(log), bytes);
        session.append([user("go on")]);
        session.append([user("and on")]);
      }
      const text = Deno.readTextFileSync(log);
      assert.ok(text.startsWith(bytes));
      assert.equal(
        Deno.readTextFileSync(join(root, "sessions", id, "0.baseline.json")),
        baselineBytes,
      );
      const types = text.slice(bytes.length).trimEnd().split("\n")
        .map((line) => JSON.parse(line).type);
      const interrupted = id === KILLED ? ["tool_result", "tool_result"] : [];
      assert.deepEqual(types, ["format", ...interrupted, "user", "user"]);
      assert.ok(fold);
      const after = encodeRequest(fold.request());
      assert.ok(after.startsWith(before.slice(0, -2)));
      assert.equal(recordsIn(root, id).length, text.trimEnd().split("\n").length);
      assert.ok((await verifySession(root, id)).every(({ damage }) => damage === undefined));
    }
  }));

Deno.test("what is written in format 2 is not lifted: facts of format 1 are refused there", () =>
  withFixtures(async (root) => {
    {
      using session = await Session.open(root, UNDONE, { clock: stoppedClock });
      session.append([user("go on")]);
    }
    const { baseline } = scanEpoch(root, UNDONE, 0, () => {});
    assert.equal(baseline.format, 1);
    const copy = await forkSession(root, UNDONE, { clock: stoppedClock });
    const fork = scanEpoch(root, copy.id, 0, () => {});
    assert.deepEqual([fork.damage, fork.baseline.format], [undefined, 2]);
    const text = Deno.readTextFileSync(join(root, "sessions", copy.id, "0.jsonl"));
    assert.ok(!text.includes('"facts":{"seen"') && !text.includes('"type":"format"'));
  }));

Deno.test("liftRecord() leaves alone what is no record of format 1", () => {
  for (const value of [null, 7, "x", [], {}, { type: "user", facts: { patch: "" } }]) {
    assert.deepEqual(liftRecord(value), value);
  }
  const odd = { type: "tool_result", facts: "no object" };
  assert.deepEqual(liftRecord(odd), odd);
});

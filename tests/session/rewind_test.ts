/** A conversation that is taken back to a turn: it goes on with the bytes that were sent then, and nothing counts twice. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { changeModelOf } from "../../src/session/change_model.ts";
import { forkSession } from "../../src/session/copy.ts";
import { searchSession } from "../../src/session/search.ts";
import type { RecordDraft, SessionRecord } from "../../src/session/records.ts";
import { encodeRequest, Replay } from "../../src/session/replay.ts";
import { rewindSession } from "../../src/session/rewind.ts";
import { Session } from "../../src/session/session.ts";
import { readSession } from "../../src/session/session_reader.ts";
import { endOfTurn, listTurns } from "../../src/session/turns.ts";
import { verifySession } from "../../src/session/verify.ts";
import { withTemporaryFolder } from "../support/temporary.ts";
import {
  ID,
  logFile,
  readLines,
  reply,
  result,
  sampleBaseline,
  stoppedClock,
  usage,
  user,
  writeLines,
} from "./samples.ts";

/** A session under way, and the request that its log asks for. */
class Talk {
  replay: Replay | undefined;
  #session: Session | undefined;
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  #options = {
    clock: stoppedClock,
    folds: (baseline: ConstructorParameters<typeof Replay>[0]) => [
      this.replay = new Replay(baseline),
    ],
  };

  async start(): Promise<void> {
    this.#session = await Session.create(this.root, sampleBaseline(), null, this.#options);
  }

  get session(): Session {
    if (this.#session === undefined) throw new Error("not started");
    return this.#session;
  }

  /** What is sent next. */
  get request(): string {
    return this.replay === undefined ? "" : encodeRequest(this.replay.request());
  }

  /** A turn that reads `reads` files; without a reply it is interrupted. */
  turn(text: string, reads: number, hasReply: boolean): void {
    const { session } = this;
    const first = session.totals.calls + 1;
    const calls = Array.from({ length: reads }, (_, index) => first + index);
    const read: RecordDraft[] = calls.length === 0 ? [] : [
      reply("", ...calls),
      usage(7, 3),
      ...calls.map((call) => result(call, `output ${call} of ${text}`)),
    ];
    session.append([
      user(text),
      ...read,
      ...hasReply
        ? [reply(`answer to ${text}`), usage(10, 5)]
        : [{ type: "aborted", reason: "interrupted", detail: "" } as const],
    ]);
  }

  async rewind(turn: number): Promise<void> {
    const place = await endOfTurn(this.root, ID, turn);
    await rewindSession(this.root, this.session, place, null);
  }

  /** Ends the process and begins another. */
  async reopen(): Promise<void> {
    this.session.close();
    this.#session = await Session.open(this.root, ID, this.#options);
  }

  [Symbol.dispose](): void {
    this.#session?.close();
  }
}

async function recordsOf(root: string): Promise<SessionRecord[]> {
  const records: SessionRecord[] = [];
  await readSession(root, ID, (record) => void records.push(record));
  return records;
}

const steps = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant("turn" as const),
        reads: fc.nat(2),
        hasReply: fc.boolean(),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("rewind" as const), to: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.constant({ kind: "compact" as const }) },
    { weight: 1, arbitrary: fc.constant({ kind: "model" as const }) },
    { weight: 1, arbitrary: fc.constant({ kind: "reopen" as const }) },
  ),
  { maxLength: 14 },
);

/** A request to another model. */
function withModel(request: string | undefined, name: string): string | undefined {
  return request?.replace(/"model":"[^"]*"/, `"model":${JSON.stringify(name)}`);
}

Deno.test("rewindSession() goes back to any turn with the bytes that were sent then, across summaries, rewinds, restarts and other models", async () => {
  await fc.assert(
    fc.asyncProperty(steps, (steps) =>
      withTemporaryFolder(async (root) => {
        using talk = new Talk(root);
        await talk.start();
        // What the next request is at the end of each turn, as the conversation stands.
        let ends = [talk.request];
        const said: string[] = [];
        for (const [index, step] of steps.entries()) {
          if (step.kind === "turn") {
            const text = `message ${index}`;
            said.push(text);
            talk.turn(text, step.reads, step.hasReply);
            ends.push(talk.request);
          }
          if (step.kind === "compact") await talk.session.beginEpoch(`summary ${index}`, null);
          if (step.kind === "reopen") await talk.reopen();
          if (step.kind === "model") {
            const name = `model ${index}`;
            const before = talk.request;
            const model = { ...talk.session.baseline.model, name };
            assert.equal(await changeModelOf(root, talk.session, model, null, null), 0);
            assert.equal(talk.request, withModel(before, name));
            assert.equal(talk.replay?.lastRequest(), undefined);
          }
          if (step.kind === "rewind") {
            const turn = step.to % ends.length;
            await talk.rewind(turn);
            ends = ends.slice(0, turn + 1);
            assert.equal(talk.request, withModel(ends[turn], talk.session.baseline.model.name));
            assert.equal(talk.session.totals.turns, turn);
          }
        }
        assert.equal(talk.session.totals.turns, ends.length - 1);
        assert.equal((await listTurns(root, ID)).length, ends.length - 1);
        const records = await recordsOf(root);
        const messages = records.flatMap((record) => record.type === "user" ? [record.text] : []);
        assert.deepEqual(messages, said);
        const tokens = records.reduce(
          (sum, record) => record.type === "usage" ? sum + record.input + record.output : sum,
          0,
        );
        assert.equal(talk.session.totals.tokens, tokens);
        for (const text of said) {
          const found = [...searchSession(root, ID, text, assert.fail)]
            .filter(({ source, line }) => source === "user" && line === text);
          assert.equal(found.length, 1);
        }
        assert.deepEqual((await verifySession(root, ID)).flatMap(({ damage }) => damage ?? []), []);
      })),
    { numRuns: 60 },
  );
});

Deno.test("listTurns() gives the turns of the conversation as it is, and forkSession() takes them", () =>
  withTemporaryFolder(async (root) => {
    using talk = new Talk(root);
    await talk.start();
    for (const text of ["one", "two", "three"]) talk.turn(text, 1, true);
    await talk.session.beginEpoch("summary", null);
    talk.turn("four", 0, true);
    await talk.rewind(2);
    talk.turn("other", 0, true);
    const texts = (await listTurns(root, ID)).map(({ turn, text }) => `${turn} ${text}`);
    assert.deepEqual(texts, ["1 one", "2 two", "3 other"]);
    const { request } = talk;
    const copy = await forkSession(root, ID, { turns: 3, clock: stoppedClock });
    let replay: Replay | undefined;
    await readSession(root, copy.id, (record, baseline) => {
      replay ??= new Replay(baseline);
      replay.apply(record);
    });
    assert.equal(replay === undefined ? "" : encodeRequest(replay.request()), request);
  }));

Deno.test("endOfTurn() says that there is no such turn, or that another session has it", () =>
  withTemporaryFolder(async (root) => {
    using talk = new Talk(root);
    await talk.start();
    talk.turn("one", 0, true);
    talk.turn("two", 0, true);
    await assert.rejects(endOfTurn(root, ID, 3), /the conversation has 2 turns, not 3/);
    await talk.session.beginEpoch("summary", null);
    talk.turn("three", 0, true);
    const { id } = await forkSession(root, ID, { clock: stoppedClock });
    await assert.rejects(endOfTurn(root, id, 1), new RegExp(`behind turn 2 of session ${ID}`));
  }));

Deno.test("verifySession() says that records are lost at the end of an epoch that a rewind left", () =>
  withTemporaryFolder(async (root) => {
    {
      using talk = new Talk(root);
      await talk.start();
      talk.turn("one", 0, true);
      talk.turn("two", 0, true);
      await talk.rewind(1);
    }
    writeLines(logFile(root, 0), readLines(logFile(root, 0)).slice(0, -1));
    const [first, second] = await verifySession(root, ID);
    assert.equal(first?.damage, undefined);
    assert.match(second?.damage ?? "", /6 records, but the next epoch goes on from record 7/);
  }));

Deno.test("rewindSession() that cannot write the new epoch leaves the conversation as it is", () =>
  withTemporaryFolder(async (root) => {
    using talk = new Talk(root);
    await talk.start();
    talk.turn("one", 0, true);
    talk.turn("two", 0, true);
    const before = talk.request;
    Deno.mkdirSync(`${logFile(root, 1)}.new/full`, { recursive: true });
    await assert.rejects(talk.rewind(1));
    assert.equal(talk.request, before);
    Deno.removeSync(`${logFile(root, 1)}.new`, { recursive: true });
    await talk.rewind(1);
    talk.turn("other", 0, true);
    assert.equal(talk.session.totals.turns, 2);
  }));

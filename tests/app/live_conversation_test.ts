/** A live conversation over real HTTP on loopback: one writer, a queue on disk, questions, events. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import type { HostOptions } from "../../src/app/conversation_host.ts";
import type { ConversationEvent, EventBody } from "../../src/app/events/conversation_event.ts";
import type { LiveConversation } from "../../src/app/live_conversation.ts";
import type { ToolCall } from "../../src/agent/tool_set.ts";
import { Interrupted, UsageError } from "../../src/platform/errors.ts";
import { ensureSessionsDirectory, sessionDirectory } from "../../src/session/layout.ts";
import { recordsOf } from "../support/conversations.ts";
import { heldConversation } from "../support/live.ts";
import type { Reply } from "../support/servers/mod.ts";
import { withTemporaryFolder } from "../support/temporary.ts";
import { CLOUD, withTwoModels } from "../support/two_models.ts";

/** A conversation, and a gate that each reply waits at. */
interface Scene {
  live: LiveConversation;
  root: string;
  /** What was told. */
  told: ConversationEvent[];
  /** Resolves when an event is told that `matches`; those of before count. */
  event(matches: (body: EventBody) => boolean): Promise<EventBody>;
  /** Hands each event on before the conversation itself has seen it. */
  each(watcher: () => void): void;
  /** The texts of the user's messages that the model was sent last. */
  sent(): string[];
  /** Goes on with the newest session, of another folder where one is given. */
  again(root?: string): Promise<LiveConversation>;
}

interface SceneOptions extends Partial<HostOptions> {
  /** Runs a call of the model's. */
  run?: (call: ToolCall, live: LiveConversation) => Promise<string>;
}

async function scene(
  replies: Reply[],
  work: (scene: Scene) => Promise<void>,
  { run, ...options }: SceneOptions = {},
): Promise<void> {
  await withTwoModels(replies, [], async ({ root, cloud, opening }) => {
    const told: ConversationEvent[] = [];
    const watchers = new Set<(body: EventBody) => void>();
    const onEvent = (event: ConversationEvent) => {
      told.push(event);
      for (const watcher of [...watchers]) watcher(event.body);
    };
    const held: LiveConversation[] = [];
    const base = opening(CLOUD);
    const tools = {
      ...base.tools,
      runCalls: async (...[calls, _context, observer]: Parameters<typeof base.tools.runCalls>) => {
        for (const call of calls) {
          observer.onStart(call);
          const live = held.at(-1);
          const output = live === undefined ? "" : await run?.(call, live) ?? "done";
          observer.onResult(call, { output, isError: false });
        }
      },
    };
    const hold = async (kind: "new" | "continue", where = root) => {
      const live = await heldConversation({ ...base, tools, root: where }, { kind }, {
        isAttended: false,
        ...options,
        onEvent,
      });
      held.push(live);
      return live;
    };
    try {
      await work({
        live: await hold("new"),
        root,
        told,
        event: (matches) => {
          const earlier = told.map(({ body }) => body).find(matches);
          if (earlier !== undefined) return Promise.resolve(earlier);
          return new Promise((resolve) => {
            const watcher = (body: EventBody) => {
              if (!matches(body)) return;
              watchers.delete(watcher);
              resolve(body);
            };
            watchers.add(watcher);
          });
        },
        each: (watcher) => void watchers.add(watcher),
        sent: () => {
          const { messages } = JSON.parse(cloud.bodies.at(-1) ?? "{}");
          return messages.filter(({ role }: { role: string }) => role === "user")
            .map(({ content }: { content: unknown }) => JSON.stringify(content));
        },
        again: (where) => hold("continue", where),
      });
    } finally {
      for (const live of held) await live.close();
    }
  });
}

/** A reply whose tool call is answered when `release` is called. */
function gate(): { run: () => Promise<string>; release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    run: async () => {
      await promise;
      return "done";
    },
    release: resolve,
  };
}

const CALL: Reply = { calls: [{ tool: "look", input: {} }] };

function isStarted({ type }: EventBody): boolean {
  return type === "tool_started";
}

function queueOf(root: string, { session }: LiveConversation): string | undefined {
  try {
    return Deno.readTextFileSync(join(root, sessionDirectory(session ?? ""), "queue.json"));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

Deno.test("say() tells that a message is accepted once the log has it, and keeps no queue for it", () =>
  scene([{ text: "Hello." }], async ({ live, root }) => {
    let log = "";
    const onAccepted = () => {
      log = Deno.readTextFileSync(join(root, sessionDirectory(live.session ?? ""), "0.jsonl"));
    };
    const end = await live.say("the first words", { onAccepted });
    assert.equal(end.outcome, "replied");
    assert.match(log, /"type":"user".*the first words/);
    assert.equal(queueOf(root, live), undefined);
  }));

Deno.test("say() waits behind a turn: seen, changed, taken out, on disk before it is accepted", () => {
  const { run, release } = gate();
  return scene([CALL, { text: "One." }, { text: "Two." }], async (it) => {
    const { live, root, sent } = it;
    const first = live.say("first");
    await it.event(isStarted);
    let kept: string | undefined;
    const onAccepted = () => void (kept ??= queueOf(root, live));
    const second = live.say("second", { onAccepted });
    const third = live.say("third");
    assert.match(kept ?? "", /"text": "second"/);
    const info = Deno.statSync(join(root, sessionDirectory(live.session ?? ""), "queue.json"));
    if (Deno.build.os !== "windows") assert.equal((info.mode ?? 0) & 0o777, 0o600);
    const [a, b] = live.state.waiting;
    assert.deepEqual([a?.text, b?.text], ["second", "third"]);
    live.editWaiting(a?.id ?? "", "the second one");
    live.removeWaiting(b?.id ?? "");
    assert.throws(() => live.removeWaiting(b?.id ?? ""), UsageError);
    await assert.rejects(third, Interrupted);
    release();
    await first;
    await second;
    assert.match(sent().at(-1) ?? "", /the second one/);
    assert.equal(queueOf(root, live), undefined);
    assert.equal(live.state.activity, "idle");
  }, { run });
});

Deno.test("steer() puts a message into the turn under way: the next request has it", () => {
  const { run, release } = gate();
  return scene([CALL, { text: "As you say." }], async ({ live, event, sent, root }) => {
    const turn = live.say("first");
    await event(isStarted);
    live.steer("no, the other one");
    assert.match(queueOf(root, live) ?? "", /"kind": "steer"/);
    release();
    assert.equal((await turn).outcome, "replied");
    assert.match(sent().at(-1) ?? "", /no, the other one/);
    assert.equal(queueOf(root, live), undefined);
    const users = (await recordsOf(root, live.session ?? "")).filter(({ type }) => type === "user");
    assert.equal(users.length, 2);
  }, { run });
});

Deno.test("messages that waited when a process ended are said in front of the next one, each once", () => {
  const { run, release } = gate();
  const replies = [CALL, { text: "A." }, { text: "B." }, { text: "C." }];
  return scene(replies, async ({ live, root, event, again }) => {
    const first = live.say("first");
    await event(isStarted);
    live.say("second").catch(() => {});
    const queue = queueOf(root, live);
    assert.ok(queue);
    const closed = live.close();
    release();
    await Promise.all([first, closed]);
    const resumed = await again();
    assert.deepEqual(resumed.state.waiting.map(({ text }) => text), ["second"]);
    assert.equal(resumed.state.activity, "idle");
    await resumed.say("third");
    const texts = (await recordsOf(root, resumed.session ?? ""))
      .flatMap((record) => record.type === "user" ? record.text : []);
    assert.deepEqual(texts, ["first", "second", "third"]);
    assert.equal(queueOf(root, resumed), undefined);
  }, { run });
});

Deno.test("what is accepted is said once, whatever stands on disk when the process is killed", () => {
  const { run, release } = gate();
  const replies = [CALL, ...Array.from({ length: 100 }, () => ({ text: "Well." }))];
  return scene(replies, async ({ live, root, event, each, told, again }) => {
    const accepted: string[] = [];
    const snapshots = new Map<string, { files: Map<string, Uint8Array>; accepted: string[] }>();
    const look = () => {
      if (live.session === null) return;
      const folder = join(root, sessionDirectory(live.session));
      const files = new Map(
        [...Deno.readDirSync(folder)].filter(({ isFile }) => isFile)
          .map(({ name }) => [name, Deno.readFileSync(join(folder, name))] as const),
      );
      const key = `${files.get("0.jsonl")?.length} ${queueOf(root, live)}`;
      const earlier = snapshots.get(key);
      snapshots.set(key, { files, accepted: earlier?.accepted ?? [...accepted] });
    };
    each(look);
    live.listen(look);
    const say = (text: string) => live.say(text, { onAccepted: () => accepted.push(text) });
    const first = say("first");
    await event(isStarted);
    const others = [say("second"), say("third")];
    live.steer("in between", () => accepted.push("in between"));
    release();
    await Promise.all([first, ...others]);
    look();
    assert.ok(snapshots.size > 8, `${snapshots.size} states in ${told.length} events`);
    for (const { files, accepted } of snapshots.values()) {
      await withTemporaryFolder(async (elsewhere) => {
        ensureSessionsDirectory(elsewhere);
        const folder = join(elsewhere, sessionDirectory(live.session ?? ""));
        Deno.mkdirSync(folder, { mode: 0o700 });
        for (const [name, bytes] of files) {
          Deno.writeFileSync(join(folder, name), bytes, { mode: 0o600 });
        }
        const resumed = await again(elsewhere);
        await resumed.say("last");
        const id = resumed.session ?? "";
        await resumed.close();
        const texts = (await recordsOf(elsewhere, id))
          .flatMap((record) => record.type === "user" ? record.text : []);
        assert.equal(new Set(texts).size, texts.length, texts.join());
        assert.deepEqual(accepted.filter((text) => !texts.includes(text)), []);
        assert.equal(texts.at(-1), "last");
      });
    }
  }, { run });
});

Deno.test("what the agent tells of a record is told, once and the same, by the record", () =>
  withTwoModels([CALL, { text: "Done." }], [], async ({ opening, events }) => {
    const told: EventBody[] = [];
    const onEvent = ({ body }: ConversationEvent) => void told.push(body);
    const live = await heldConversation(opening(CLOUD), { kind: "new" }, {
      isAttended: false,
      onEvent,
    });
    await live.say("go");
    await live.close();
    for (const type of ["session", "reply", "tool_finished", "usage", "turn_ended"]) {
      const bare = (body: EventBody) => {
        const { calls: _calls, outcome: _outcome, ...facts } = { calls: 0, outcome: 0, ...body };
        return facts;
      };
      const expected = events.filter((event) => event.type === type).map(bare);
      assert.ok(expected.length > 0);
      assert.deepEqual(told.filter((body) => body.type === type).map(bare), expected);
    }
  }));

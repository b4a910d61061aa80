/** A live conversation over real HTTP on loopback: one writer, a queue on disk, questions, events. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import type { HostOptions } from "../../src/app/conversation_host.ts";
import type { ConversationEvent, EventBody } from "../../src/app/events/conversation_event.ts";
import type { LiveConversation } from "../../src/app/live_conversation.ts";
import type { ToolCall } from "../../src/agent/tool_set.ts";
import { Interrupted, UsageError } from "../../src/platform/errors.ts";
import { sessionDirectory } from "../../src/session/layout.ts";
import { recordsOf } from "../support/conversations.ts";
import { heldConversation } from "../support/live.ts";
import type { Reply } from "../support/servers/mod.ts";
import { CLOUD, withTwoModels } from "../support/two_models.ts";

/** A conversation, and a gate that each reply waits at. */
interface Scene {
  live: LiveConversation;
  root: string;
  /** What was told. */
  told: ConversationEvent[];
  /** Resolves when an event is told that `matches`; those of before count. */
  event(matches: (body: EventBody) => boolean): Promise<EventBody>;
  /** The texts of the user's messages that the model was sent last. */
  sent(): string[];
  again(): Promise<LiveConversation>;
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
    const hold = async (kind: "new" | "continue") => {
      const live = await heldConversation({ ...base, tools }, { kind }, {
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
        sent: () => {
          const { messages } = JSON.parse(cloud.bodies.at(-1) ?? "{}");
          return messages.filter(({ role }: { role: string }) => role === "user")
            .map(({ content }: { content: unknown }) => JSON.stringify(content));
        },
        again: () => hold("continue"),
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

/** Listeners that come, go and come back at any point see the same sequence of events. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { ConversationEvent } from "../../../src/app/events/conversation_event.ts";
import { EventHub } from "../../../src/app/events/event_hub.ts";
import type { EventNumber } from "../../../src/app/events/event_number.ts";
import { follow } from "../../../src/app/events/follow.ts";
import type { RecordDraft } from "../../../src/session/records.ts";
import { Session } from "../../../src/session/session.ts";
import { plainBaseline } from "../../support/conversations.ts";
import { withTemporaryFolder } from "../../support/temporary.ts";

const NOBODY = { activity: "idle", questions: [], waiting: [] } as const;

const REQUEST = { sizeBytes: 0, sha256: "0".repeat(64) };

/** A conversation of which only the records and the events are real. */
class Play {
  readonly hub: EventHub;
  /** The event that the session begins with. */
  readonly start: ConversationEvent;
  readonly #session: Session;
  /** The pieces of the reply that is under way. */
  text = "";
  #count = 0;

  private constructor(hub: EventHub, session: Session, start: ConversationEvent) {
    this.hub = hub;
    this.#session = session;
    this.start = start;
  }

  static async begin(root: string): Promise<Play> {
    const hub = new EventHub();
    hub.goLive();
    let start: ConversationEvent | undefined;
    const stop = hub.listen((event) => start ??= event);
    const session = await Session.create(root, plainBaseline(), null, {
      folds: (baseline) => [hub.fold(baseline)],
      onDurable: () => hub.onDurable(),
    });
    stop();
    assert.ok(start);
    return new Play(hub, session, start);
  }

  close(): void {
    this.#session.close();
  }

  async act(step: Step): Promise<void> {
    this.#count += 1;
    switch (step) {
      case "message":
        return this.#append({ type: "user", text: `message ${this.#count}`, source: "user" });
      case "piece":
        this.text += `${this.#count} `;
        return this.hub.tell({ type: "text", text: `${this.#count} ` });
      case "reply": {
        const parts = [{ kind: "text" as const, text: this.text }];
        this.text = "";
        return this.#append({ type: "assistant", parts, finish: "stop", request: REQUEST });
      }
      case "silent":
        return this.#append({ type: "caveats", items: [] });
      case "notice":
        return this.hub.tell({ type: "notice", text: `notice ${this.#count}` });
      case "epoch":
        return await this.#session.beginEpoch("so far", null);
    }
  }

  #append(draft: RecordDraft): void {
    this.#session.append([draft]);
  }
}

const STEPS = ["message", "piece", "piece", "reply", "silent", "notice", "epoch"] as const;
type Step = (typeof STEPS)[number];

/** Somebody who follows, leaves and comes back; keeps what it was told. */
class Listener {
  readonly told: ConversationEvent[] = [];
  readonly #root: string;
  readonly #hub: EventHub;
  #leaving = new AbortController();
  #following: Promise<void> = Promise.resolve();
  #levelled = Promise.withResolvers<void>();
  #last: EventNumber | undefined;

  constructor(root: string, hub: EventHub) {
    this.#root = root;
    this.#hub = hub;
  }

  come(): void {
    this.#leaving = new AbortController();
    this.#levelled = Promise.withResolvers();
    this.#following = this.#follow(this.#leaving.signal);
  }

  /** Resolves when it has all that there is. */
  async level(): Promise<void> {
    await this.#levelled.promise;
  }

  async leave(): Promise<void> {
    this.#leaving.abort();
    await this.#following;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const followed = { root: this.#root, hub: this.#hub, state: () => NOBODY };
    for await (const event of follow(followed, { after: this.#last, signal })) {
      this.#last = event.number;
      if (event.body.type === "state") this.#levelled.resolve();
      else this.told.push(event);
    }
  }
}

/** Numbers and bodies of what is told once; the pieces of texts apart. */
function sequenceOf(told: readonly ConversationEvent[]) {
  return told.filter(({ body }) => body.type !== "text")
    .map(({ number, body }) => `${number} ${JSON.stringify(body)}`);
}

/** The pieces that came behind the last reply. */
function openText(told: readonly ConversationEvent[]): string {
  const replied = told.findLastIndex(({ body }) => body.type === "reply");
  return told.slice(replied + 1).map(({ body }) => body.type === "text" ? body.text : "").join("");
}

Deno.test("follow() tells every listener the same, whenever it comes, goes and comes back", () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...STEPS) },
    { weight: 2, arbitrary: fc.record({ listener: fc.nat(2), doesCome: fc.boolean() }) },
    { weight: 1, arbitrary: fc.constant("breath" as const) },
  );
  return fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 30 }),
      (steps) =>
        withTemporaryFolder(async (root) => {
          const play = await Play.begin(root);
          const listeners = [0, 1, 2].map(() => new Listener(root, play.hub));
          const present = new Set<Listener>();
          const told: ConversationEvent[] = [];
          play.hub.listen((event) => told.push(event));
          try {
            for (const step of steps) {
              if (step === "breath") await new Promise((resolve) => setTimeout(resolve));
              else if (typeof step === "string") await play.act(step);
              else await move(listeners[step.listener], step.doesCome, present);
            }
            for (const listener of listeners) {
              await listener.leave();
              listener.come();
              await listener.level();
              assert.deepEqual(sequenceOf(listener.told), sequenceOf([play.start, ...told]));
              assert.equal(openText(listener.told), play.text);
            }
          } finally {
            for (const listener of listeners) await listener.leave();
            play.hub.close();
            play.close();
          }
        }),
    ),
    { numRuns: 25 },
  );
});

async function move(
  listener: Listener | undefined,
  doesCome: boolean,
  present: Set<Listener>,
): Promise<void> {
  if (listener === undefined || present.has(listener) === doesCome) return;
  if (doesCome) {
    present.add(listener);
    return listener.come();
  }
  present.delete(listener);
  await listener.leave();
}

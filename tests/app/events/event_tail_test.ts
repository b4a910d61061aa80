import assert from "node:assert/strict";
import type { ConversationEvent, EventBody } from "../../../src/app/events/conversation_event.ts";
import { BEFORE_ALL, placeOf } from "../../../src/app/events/event_number.ts";
import {
  EventTail,
  LONGEST_KEPT_OUTPUT,
  MAX_KEPT_EVENTS,
} from "../../../src/app/events/event_tail.ts";
import { EventHub } from "../../../src/app/events/event_hub.ts";
import { follow, MAX_WAITING_BYTES, MAX_WAITING_EVENTS } from "../../../src/app/events/follow.ts";

const NOBODY = { activity: "idle", questions: [], waiting: [] } as const;

/** A tail that takes the place from the number. */
function tailOf() {
  const tail = new EventTail();
  return {
    add: (event: ConversationEvent) => tail.add(event, placeOf(event.number)),
    after: (place: ReturnType<typeof placeOf>) => tail.after(place),
    supersede: (body: EventBody) => tail.supersede(body),
  };
}

function eventOf(part: number, body: EventBody): ConversationEvent {
  return { session: "s", number: `0.3.${part}`, turn: 1, body };
}

function bodiesOf(events: readonly ConversationEvent[]): EventBody[] {
  return events.map(({ body }) => body);
}

Deno.test("EventTail.after() gives a text as far as it has come, and only what came behind the number", () => {
  const tail = tailOf();
  tail.add(eventOf(1, { type: "text", text: "one " }));
  tail.add(eventOf(2, { type: "text", text: "two " }));
  tail.add(eventOf(3, { type: "text", text: "three" }));
  assert.deepEqual(bodiesOf(tail.after(BEFORE_ALL)), [{ type: "text", text: "one two three" }]);
  const [rest] = tail.after(placeOf("0.3.1"));
  assert.deepEqual(rest, eventOf(3, { type: "text", text: "two three" }));
  assert.deepEqual(tail.after(placeOf("0.3.3")), []);
});

Deno.test("EventTail forgets a text that starts over, and one whose reply is in the log", () => {
  const tail = tailOf();
  tail.add(eventOf(1, { type: "text", text: "wrong" }));
  tail.add(eventOf(2, { type: "restarted" }));
  tail.add(eventOf(3, { type: "text", text: "right" }));
  tail.add(eventOf(4, { type: "notice", text: "by the way" }));
  assert.deepEqual(bodiesOf(tail.after(BEFORE_ALL)).map(({ type }) => type), [
    "restarted",
    "text",
    "notice",
  ]);
  tail.supersede({ type: "reply", text: "right", finish: "stop" });
  assert.deepEqual(bodiesOf(tail.after(BEFORE_ALL)).map(({ type }) => type), ["notice"]);
});

Deno.test("EventTail keeps the end of a long output and says what is not told again", () => {
  const tail = tailOf();
  tail.add({ ...eventOf(1, { type: "tool_output", text: "beginning" }), call: 1 });
  const end = "x".repeat(LONGEST_KEPT_OUTPUT);
  tail.add({ ...eventOf(2, { type: "tool_output", text: end }), call: 1 });
  const [event] = bodiesOf(tail.after(BEFORE_ALL));
  const said = "[… 9 characters of output are not told again …]\n";
  assert.deepEqual(event, { type: "tool_output", text: `${said}${end}` });
});

Deno.test("follow() says to who comes back that more happened than is kept", async () => {
  const hub = new EventHub();
  hub.tell({ type: "notice", text: "the first" });
  for (let count = 0; count <= MAX_KEPT_EVENTS; count++) {
    hub.tell({ type: "notice", text: `${count}` });
  }
  const events = follow({ root: ".", hub, state: () => NOBODY }, { after: "0.0.0" });
  const { value: first } = await events.next();
  assert.match(JSON.stringify(first), /is in no log, and is not told again/);
  await events.return(undefined);
});

Deno.test("follow() drops a listener that takes too few events, with a word, and holds nobody up", async () => {
  const bounds = [
    { count: MAX_WAITING_EVENTS + 1, text: "short" },
    { count: 2, text: "x".repeat(MAX_WAITING_BYTES) },
  ];
  for (const { count, text } of bounds) {
    const hub = new EventHub();
    const events = follow({ root: ".", hub, state: () => NOBODY });
    assert.match(JSON.stringify((await events.next()).value), /"type":"state"/);
    for (let sent = 0; sent < count; sent++) hub.tell({ type: "notice", text });
    const { value: last } = await events.next();
    assert.match(JSON.stringify(last), /"type":"dropped","reason":"more than 1000 events, or/);
    assert.ok((await events.next()).done);
  }
});

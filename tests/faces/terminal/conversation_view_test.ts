/** What a terminal says of a conversation's own events. */
import assert from "node:assert/strict";
import type { OwnEvent } from "../../../src/app/events/conversation_event.ts";
import { ConversationView } from "../../../src/faces/terminal/chat/conversation_view.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import { showOnScreen } from "../../support/virtual_screen.ts";

/** The screen after these events. */
async function screenOf(...bodies: OwnEvent[]): Promise<string[]> {
  let output = "";
  const device = {
    read: () => Promise.resolve(null),
    write: (text: string) => void (output += text),
    setRaw: () => {},
    size: () => ({ columns: 70, rows: 12 }),
    onResize: () => () => {},
    onExit: () => () => {},
  };
  const view = new ConversationView({
    device,
    clock: systemClock,
    isColour: false,
    isUnicode: false,
  });
  for (const body of bodies) view.show({ session: "s1", number: "0.1.1", turn: 0, body });
  return await showOnScreen(output, 70, 12);
}

const CALLS = [{ id: "a", kind: "message", text: "look\x1b[2J again" }] as const;

Deno.test("ConversationView says which messages wait, and when they are said", async () => {
  assert.deepEqual(await screenOf({ type: "waiting", calls: CALLS }), [
    "1 message waiting, said in front of what you say next:",
    "  look again",
  ]);
  const running = { type: "activity", activity: "message" } as const;
  assert.deepEqual(await screenOf(running, { type: "waiting", calls: CALLS }), [
    "1 message waiting, said when this has ended:",
    "  look again",
  ]);
  assert.deepEqual(await screenOf({ type: "waiting", calls: [] }), []);
});

Deno.test("ConversationView says how a ship that failed is tried again", async () => {
  const end = { outcome: "failed", reason: "the hook says no" } as const;
  assert.deepEqual(await screenOf({ type: "ship_ended", end }), [
    "the hook says no",
    "Not shipped. To try again: /ship, or m31a ship s1",
  ]);
});

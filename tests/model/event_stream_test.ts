import assert from "node:assert/strict";
import fc from "fast-check";
import { EventStream } from "../../src/model/event_stream.ts";

function read(...pieces: string[]): string[] {
  const stream = new EventStream();
  return [...pieces.flatMap((piece) => stream.push(piece)), ...stream.end()];
}

Deno.test("EventStream gives the data of events, without comments, names and ids", () => {
  const text = ": keep-alive\n\nevent: x\nid: 1\ndata: one\n\nretry: 5\n\ndata:two\n\n";
  assert.deepEqual(read(text), ["one", "two"]);
});

Deno.test("EventStream joins the lines of one event, and tells apart events without a blank line between", () => {
  assert.deepEqual(read('data: {"a":\ndata: 1}\n\n'), ['{"a":\n1}']);
  assert.deepEqual(read('data: {"a":1}\ndata: {"b":2}\n\n'), ['{"a":1}', '{"b":2}']);
});

Deno.test("EventStream takes a last event without its end, a byte order mark, and objects a line", () => {
  assert.deepEqual(read("\ufeffdata: one\n\ndata: two"), ["one", "two"]);
  assert.deepEqual(read('{"a":1}\n{"b":2}'), ['{"a":1}', '{"b":2}']);
});

Deno.test("EventStream gives the same events however the text is cut and whatever ends its lines", () => {
  const event = fc.stringMatching(/^[a-z{}": ]{1,12}$/).map((data) => `x${data}`);
  fc.assert(fc.property(
    fc.array(event, { maxLength: 6 }),
    fc.constantFrom("\n", "\r\n", "\r"),
    fc.array(fc.nat(120), { maxLength: 12 }),
    (events, end, cuts) => {
      const text = events.map((data) => `data: ${data}${end}${end}`).join("");
      const places = [0, ...cuts.map((cut) => cut % (text.length + 1)), text.length].sort((a, b) =>
        a - b
      );
      const pieces = places.slice(1).map((place, index) => text.slice(places[index], place));
      assert.deepEqual(read(...pieces), events);
    },
  ));
});

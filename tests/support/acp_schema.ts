/** What an agent sends, held against the JSON schema of the Agent Client Protocol that its SDK brings. */
import assert from "node:assert/strict";
import type { AnyMessage, Stream } from "@agentclientprotocol/sdk";
import schema from "@agentclientprotocol/sdk/schema/v1/schema.json" with { type: "json" };
// @ts-types="ajv/dist/2020"
import { Ajv2020 } from "ajv/dist/2020.js";

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(schema, "acp");

/** The name of the definition of each method's request or notification, and of its response. */
const requests = new Map<string, string>();
const responses = new Map<string, string>();
for (const [name, definition] of Object.entries(schema.$defs)) {
  if (!("x-method" in definition)) continue;
  (name.endsWith("Response") ? responses : requests).set(definition["x-method"], name);
}

/** What is wrong with `value` as the definition `name`; undefined when nothing is. */
function problemOf(name: string, value: unknown): string | undefined {
  const validate = ajv.getSchema(`acp#/$defs/${name}`);
  if (validate === undefined) return `the schema has no ${name}`;
  if (validate(value)) return undefined;
  return `${JSON.stringify(value)} is no ${name}: ${ajv.errorsText(validate.errors)}`;
}

/**
 * A client's end of a stream on which whatever the agent sends is checked; extension methods (`_…`) have no schema.
 *
 * @param problems gets what is wrong
 */
export function checkedStream({ readable, writable }: Stream, problems: string[]): Stream {
  const asked = new Map<unknown, string>();
  const note = (problem: string | undefined) => {
    if (problem !== undefined) problems.push(problem);
  };
  const outgoing = new TransformStream<AnyMessage, AnyMessage>({
    transform(message, controller) {
      if ("method" in message && "id" in message) asked.set(message.id, message.method);
      controller.enqueue(message);
    },
  });
  const incoming = new TransformStream<AnyMessage, AnyMessage>({
    transform(message, controller) {
      if ("method" in message && !message.method.startsWith("_")) {
        const name = requests.get(message.method);
        note(
          name === undefined
            ? `no such method: ${message.method}`
            : problemOf(name, message.params),
        );
      }
      if (!("method" in message)) {
        const name = responses.get(asked.get(message.id) ?? "");
        if ("error" in message) note(problemOf("Error", message.error));
        if ("result" in message && name !== undefined) note(problemOf(name, message.result));
      }
      controller.enqueue(message);
    },
  });
  // Either end may close at any time; what was under way then is of no interest.
  outgoing.readable.pipeTo(writable).catch(() => {});
  readable.pipeTo(incoming.writable).catch(() => {});
  return { readable: incoming.readable, writable: outgoing.writable };
}

/** Expects `update` to be one that the protocol knows. */
export function assertUpdate(update: unknown): void {
  assert.equal(problemOf("SessionNotification", { sessionId: "s", update }), undefined);
}

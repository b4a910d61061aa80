/** Trying a model: what is asked, and what is made of the answer. */
import assert from "node:assert/strict";
import { tryModel } from "../../src/model/trial.ts";
import { ModelServer } from "../support/servers/mod.ts";

function choiceAt(baseUrl: string, name: string) {
  const provider = "openai-compatible" as const;
  return { kind: "network" as const, provider, name, baseUrl, parameters: {}, origin: "a test" };
}

Deno.test("tryModel() asks a server without a key for its models, and sends it no request", async () => {
  await using server = ModelServer.start([]);
  const listed = await tryModel(choiceAt(server.baseUrl, "test"));
  assert.deepEqual(listed, { state: "answered", detail: `${server.baseUrl} has test` });
  const other = await tryModel(choiceAt(server.baseUrl, "other"));
  assert.deepEqual(other, {
    state: "unlisted",
    detail: `${server.baseUrl} does not list other; it has test`,
  });
  const nobody = await tryModel(choiceAt(server.url, "test"));
  assert.deepEqual(nobody, {
    state: "failed",
    detail: `${server.url} was asked for its models and gave none`,
  });
  assert.equal(server.requests.length, 0);
});

Deno.test("tryModel() asks once, without reasoning, and says what the provider says", async () => {
  await using server = ModelServer.start([{ status: 500, body: { error: { message: "broken" } } }]);
  const parameters = { reasoning: "high", temperature: 0 };
  const { state, detail } = await tryModel({
    ...choiceAt(server.baseUrl, "test"),
    apiKey: "key",
    parameters,
  });
  assert.equal(state, "failed");
  assert.match(detail, /failed \(500: broken\)\. Try again later/);
  assert.equal(server.requests.length, 1);
  assert.match(server.bodies[0] ?? "", /"temperature":0/);
  assert.doesNotMatch(server.bodies[0] ?? "", /reasoning/);
});

/** Addresses that a session's files bring, and the keys that must not go there. */
import assert from "node:assert/strict";
import { UsageError } from "../../src/platform/errors.ts";
import { refuseForeignAddress } from "../../src/model/provider_address.ts";

const KEY = { OPENAI_API_KEY: "k" };
const EVIL = "https://evil.example/v1";

Deno.test("refuseForeignAddress() lets pass what the user has named, and the usual address", () => {
  refuseForeignAddress("https://api.openai.com/v1", "openai", KEY, undefined);
  refuseForeignAddress(
    "https://api.openai.com/v1",
    "openai",
    { ...KEY, OPENAI_BASE_URL: EVIL },
    undefined,
  );
  refuseForeignAddress(EVIL, "openai", { ...KEY, OPENAI_BASE_URL: EVIL }, undefined);
  refuseForeignAddress(EVIL, "openai", KEY, "https://evil.example");
  // It is asked instead of the recorded one.
  refuseForeignAddress(EVIL, "openai", { ...KEY, M31A_BASE_URL: "http://127.0.0.1:1" }, undefined);
  refuseForeignAddress("http://127.0.0.1:9/v1", "openai-compatible", KEY, undefined);
  refuseForeignAddress("http://[::1]:9/v1", "ollama", {}, undefined);
});

Deno.test("refuseForeignAddress() refuses every other address, and says what would go there", () => {
  const refused = (...args: Parameters<typeof refuseForeignAddress>) => {
    try {
      refuseForeignAddress(...args);
    } catch (error) {
      assert(error instanceof UsageError);
      return error.message;
    }
    return "";
  };
  assert.match(refused(EVIL, "openai", KEY, undefined), /your code and your key would go there/);
  assert.match(refused(EVIL, "openai", {}, undefined), /: your code would go there/);
  assert.match(refused("http://127.0.0.1:9/v1", "openai", KEY, undefined), /M31A_BASE_URL/);
  const lookAlikes = ["http://127.0.0.1.evil.example/v1", "http://localhost.evil.example", "", "x"];
  for (const address of [...lookAlikes, "http://127.0.0.1@evil.example/v1"]) {
    assert.notEqual(refused(address, "openai-compatible", {}, undefined), "", address);
  }
});

/** Which model is chosen, and what is said when none can be. */
import assert from "node:assert/strict";
import { UsageError } from "../../src/platform/errors.ts";
import { chooseModel, type ModelSources } from "../../src/model/choice.ts";
import { firstChoices } from "../../src/model/first_choices.ts";
import { NoModel } from "../../src/model/errors.ts";
import { getJson } from "../../src/model/probe.ts";
import { ModelServer } from "../support/servers/mod.ts";

/** A world in which no server answers. */
const nobody = () => Promise.resolve(undefined);

function choose(sources: Partial<ModelSources>) {
  return chooseModel({ environment: {}, get: nobody, ...sources });
}

/** The choice in short: `provider name address`. */
async function short(sources: Partial<ModelSources>): Promise<string> {
  const choice = await choose(sources);
  if (choice.kind !== "network") return `${choice.kind} ${choice.name}`;
  return `${choice.provider} ${choice.name} ${choice.baseUrl}`;
}

const ALL_KEYS = { ANTHROPIC_API_KEY: "a", OPENAI_API_KEY: "o", OPENROUTER_API_KEY: "r" };

Deno.test("chooseModel() takes the flag over the variable over the configuration over the keys", async () => {
  const configuration = { provider: "openrouter", name: "c" };
  const environment = { ...ALL_KEYS, M31A_MODEL: "openai:e" };
  const flag = "anthropic:f";
  assert.match(await short({ flag, environment, configuration }), /^anthropic f /);
  assert.match(await short({ environment, configuration }), /^openai e /);
  assert.match(await short({ environment: ALL_KEYS, configuration }), /^openrouter c /);
  assert.match(await short({ environment: ALL_KEYS }), /^anthropic claude-/);
  assert.match(
    await short({ environment: { OPENAI_API_KEY: "o", OPENROUTER_API_KEY: "r" } }),
    /^openai gpt-/,
  );
  assert.match(
    await short({ environment: { OPENROUTER_API_KEY: "r" } }),
    /^openrouter anthropic\//,
  );
});

Deno.test("chooseModel() keeps the colons in a model's name", async () => {
  assert.equal(
    await short({ flag: "ollama:qwen3:8b" }),
    "ollama qwen3:8b http://127.0.0.1:11434/v1",
  );
  assert.equal(await short({ flag: "script:a:b.txt" }), "script a:b.txt");
  assert.equal(await short({ flag: "replay:20260101-000000-abcd" }), "replay 20260101-000000-abcd");
});

Deno.test("chooseModel() takes the address from M31A_BASE_URL, the configuration, the provider's variable", async () => {
  const environment = {
    ...ALL_KEYS,
    OPENAI_BASE_URL: "http://own/v1",
    ANTHROPIC_BASE_URL: "http://own/",
  };
  const configuration = { provider: "openai", baseUrl: "http://file/v1/" };
  assert.equal(await short({ flag: "openai:m", environment }), "openai m http://own/v1");
  assert.equal(await short({ flag: "anthropic:m", environment }), "anthropic m http://own/v1");
  assert.equal(
    await short({ flag: "openai:m", environment, configuration }),
    "openai m http://file/v1",
  );
  const forced = { ...environment, M31A_BASE_URL: "http://forced:1" };
  assert.equal(
    await short({ flag: "openai:m", environment: forced, configuration }),
    "openai m http://forced:1/v1",
  );
  assert.match(
    await short({ flag: "openrouter:m", environment, configuration }),
    /openrouter.ai/,
    "the address of another provider is not used",
  );
});

Deno.test("chooseModel() reads OLLAMA_HOST as Ollama does", async () => {
  for (const host of ["0.0.0.0", "127.0.0.1", "127.0.0.1:11434", "http://127.0.0.1:11434/"]) {
    const environment = { OLLAMA_HOST: host };
    assert.equal(
      await short({ flag: "ollama:m", environment }),
      "ollama m http://127.0.0.1:11434/v1",
      host,
    );
  }
});

Deno.test("chooseModel() names the missing key, and wants none for another address", async () => {
  await assert.rejects(choose({ flag: "anthropic:x" }), /ANTHROPIC_API_KEY/);
  await assert.rejects(choose({ flag: "openrouter:x" }), /OPENROUTER_API_KEY/);
  const environment = { OPENAI_BASE_URL: "http://127.0.0.1:1/v1" };
  assert.equal(await short({ flag: "openai:x", environment }), "openai x http://127.0.0.1:1/v1");
});

Deno.test("chooseModel() knows a preset by its name alone: its address and its key", async () => {
  const choice = await choose({ flag: "groq:m", environment: { GROQ_API_KEY: "g" } });
  assert.ok(choice.kind === "network");
  assert.deepEqual([choice.baseUrl, choice.apiKey], ["https://api.groq.com/openai/v1", "g"]);
  await assert.rejects(choose({ flag: "xai:m" }), /xAI needs a key; set XAI_API_KEY/);
});

Deno.test("chooseModel() lists what a preset has where none of its models is named", async () => {
  const ids = Array.from({ length: 23 }, (_, index) => ({ id: `m${index}` }));
  const get = () => Promise.resolve({ data: ids });
  const environment = { GROQ_API_KEY: "g" };
  await assert.rejects(
    choose({ flag: "groq", environment, get }),
    /name a model of Groq, --model groq:<name>\. It has m0, .*, m19 and 3 more\./,
  );
  await assert.rejects(choose({ environment }), /GROQ_API_KEY is set: .*--model groq:<name>/);
});

Deno.test("chooseModel() takes the key that the configured command prints, for its provider alone", async () => {
  const configuration = {
    provider: "groq",
    name: "m",
    keyCommand: "printf ' from-\\nrest'; echo x >&2",
  };
  const keyOf = async (sources: Partial<ModelSources>) => {
    const choice = await choose({
      configuration,
      environment: { ...ALL_KEYS, GROQ_API_KEY: "g" },
      ...sources,
    });
    return choice.kind === "network" ? choice.apiKey : undefined;
  };
  assert.equal(await keyOf({}), "from-");
  assert.equal(await keyOf({ flag: "openai:m" }), "o");
  const failing = [
    ["exit 3", /key_command in planning\/config\.toml ended with exit code 3/],
    ["echo locked >&2; false", /exit code 1: locked/],
    ["true", /printed nothing/],
    ["printf 'a b'", /The key of key_command holds a blank/],
    ["head -c 20000 /dev/zero | tr '\\0' k", /printed more than 16384 bytes/],
  ] as const;
  for (const [keyCommand, said] of failing) {
    await assert.rejects(keyOf({ configuration: { ...configuration, keyCommand } }), said);
  }
});

Deno.test("chooseModel() refuses a key that no header can carry, without repeating it", async () => {
  for (const key of ["sk-a b", "sk-a\nb", "sk-ä"]) {
    await assert.rejects(
      choose({ flag: "openai:m", environment: { OPENAI_API_KEY: key } }),
      (error) => {
        assert.ok(error instanceof UsageError);
        assert.match(error.message, /^OPENAI_API_KEY holds a blank/);
        assert.ok(!error.message.includes(key));
        return true;
      },
    );
  }
});

Deno.test("chooseModel() gives no provider another one's key", async () => {
  const environment = { ...ALL_KEYS, M31A_BASE_URL: "http://127.0.0.1:1" };
  const choice = await choose({ flag: "openai-compatible:x", environment });
  assert.ok(choice.kind === "network" && choice.apiKey === undefined);
  const own = await choose({
    flag: "openai-compatible:x",
    environment: { ...environment, M31A_API_KEY: "k" },
  });
  assert.ok(own.kind === "network" && own.apiKey === "k");
});

Deno.test("chooseModel() refuses what makes no sense, and says what would", async () => {
  const cases: [Partial<ModelSources>, RegExp][] = [
    [{ flag: "claude:x" }, /--model: there is no provider "claude".*anthropic, openai/],
    [{ flag: ":x" }, /provider:name/],
    [{ flag: "" }, /provider:name/],
    [{ flag: "script:" }, /script:<file>/],
    [{ flag: "replay" }, /replay:<session>/],
    [{ flag: "openai-compatible:x" }, /M31A_BASE_URL/],
    [{ environment: { M31A_MODEL: "nope" } }, /M31A_MODEL: there is no provider "nope"/],
    [{ configuration: { name: "x" } }, /"name" needs "provider"/],
    [{ flag: "openai:x", environment: { M31A_BASE_URL: "ftp://x" } }, /M31A_BASE_URL.*http/],
    [
      { flag: "openai:x", environment: { M31A_BASE_URL: "http://u:p@x" } },
      /M31A_BASE_URL.*password/,
    ],
    [{ flag: "openai:x", environment: { M31A_BASE_URL: "http://" } }, /not an address/],
    [{ flag: "ollama" }, /gave none/],
  ];
  for (const [sources, message] of cases) {
    await assert.rejects(choose(sources), (error) => {
      assert.ok(error instanceof UsageError, String(error));
      assert.match(error.message, message);
      assert.ok(!error.message.includes("u:p"));
      return true;
    });
  }
});

Deno.test("chooseModel() lists the ways when nothing is there", async () => {
  await assert.rejects(choose({}), (error) => {
    assert.ok(error instanceof NoModel);
    assert.equal(error.exitCode, 2);
    for (
      const way of [
        "ANTHROPIC_API_KEY   https://console.anthropic.com/",
        "GEMINI_API_KEY      https://",
        "GROQ_API_KEY",
        "Ollama",
        "llama.cpp",
        "M31A_BASE_URL",
        "--model",
        "script:",
      ]
    ) {
      assert.ok(error.message.includes(way), way);
    }
    return true;
  });
});

Deno.test("chooseModel() finds a server on loopback, Ollama first", async () => {
  await using server = ModelServer.start([]);
  const { host } = new URL(server.url);
  const get: typeof getJson = (url, options) =>
    url.startsWith("http://127.0.0.1:8080/")
      ? getJson(url.replace("127.0.0.1:8080", host), options)
      : url.includes(host)
      ? getJson(url, options)
      : nobody();
  const found = await choose({ get });
  assert.ok(found.kind === "network");
  assert.deepEqual([found.provider, found.name], ["llamacpp", "test"]);
  const first = await choose({ get, environment: { OLLAMA_HOST: host } });
  assert.ok(first.kind === "network");
  assert.deepEqual([first.provider, first.baseUrl], ["ollama", server.baseUrl]);
  const named = await choose({ get: getJson, environment: { M31A_BASE_URL: server.url } });
  assert.ok(named.kind === "network");
  assert.deepEqual([named.provider, named.name], ["openai-compatible", "test"]);
});

Deno.test("getJson() gives nothing when a server is silent, absent or talks nonsense", async () => {
  await using server = ModelServer.start([{ isSilent: true }]);
  assert.equal(await getJson(`${server.url}/x`, { body: {}, timeoutMs: 50 }), undefined);
  assert.equal(await getJson(`${server.url}/missing`), undefined);
  assert.equal(await getJson("http://127.0.0.1:1/v1/models"), undefined);
});

Deno.test("chooseModel() applies the configured price to the configured model alone", async () => {
  const price = { input: 1, output: 2 };
  const configuration = { provider: "openai", name: "c", price };
  const priceOf = async (flag?: string) => {
    const choice = await choose({ environment: ALL_KEYS, configuration, ...(flag && { flag }) });
    return choice.kind === "network" ? choice.price : undefined;
  };
  assert.deepEqual(await priceOf(), price);
  assert.deepEqual(await priceOf("openai:c"), price);
  assert.equal(await priceOf("openai:d"), undefined);
  assert.equal(await priceOf("anthropic:c"), undefined);
});

Deno.test("firstChoices() offers the models of the servers here, only where nothing says which is meant", async () => {
  const get = (url: string) => {
    const models: Readonly<Record<string, string[]>> = {
      "http://127.0.0.1:11434/v1/models": ["a:1", "b", "c", "d", "e", "too many"],
      "http://127.0.0.1:1234/v1/models": ["z"],
    };
    return Promise.resolve({ data: (models[url] ?? []).map((id) => ({ id })) });
  };
  const found = await firstChoices({ environment: {}, get });
  assert.deepEqual(found?.choices.map(({ model }) => model), [
    ...["a:1", "b", "c", "d", "e"].map((name) => `ollama:${name}`),
    "lmstudio:z",
  ]);
  assert.equal(found?.choices[0]?.label, "a:1, Ollama at 127.0.0.1:11434");
  const none = await firstChoices({ environment: { GROQ_API_KEY: "g" }, get: nobody });
  assert.deepEqual(none?.choices, []);
  assert.match(none?.ways ?? "", /GROQ_API_KEY is set: name a model, --model groq:<name>/);
  for (
    const sources of [
      { flag: "openai:x", environment: {} },
      { environment: { M31A_MODEL: "openai:x" } },
      { environment: { M31A_BASE_URL: "http://own/v1" } },
      { environment: {}, configuration: { provider: "openai" } },
      { environment: { OPENAI_API_KEY: "o" } },
    ]
  ) {
    assert.equal(await firstChoices({ ...sources, get }), undefined);
  }
});

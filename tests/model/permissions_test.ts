/** The rights and the start of the real process: a model works under them, and loads only when it is used. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { fieldsOf } from "../../src/model/observation.ts";
import { ENVIRONMENT_NAMES } from "../../src/platform/environment.ts";
import { ModelServer } from "../support/servers/mod.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const PERMISSIONS = [
  "--no-prompt",
  "--allow-read=.",
  "--allow-write=planning,sessions",
  "--allow-run=git,sh",
  "--allow-net",
  `--allow-env=${ENVIRONMENT_NAMES.join(",")},M31A_*`,
];

const CHAT = `
import { installFilteredProcessEnv, readEnvironment } from "./src/platform/environment.ts";
import { chooseModel } from "./src/model/choice.ts";
import { openModel } from "./src/model/open.ts";
const environment = readEnvironment();
installFilteredProcessEnv(environment);
const model = await openModel(await chooseModel({ environment }));
const completion = await model.stream({
  prompt: [{ role: "user", content: [{ type: "text", text: "hello" }] }],
  tools: [], parameters: {}, cacheKey: "k",
}, { signal: new AbortController().signal, onEvent() {} });
console.log(model.id.provider, completion.content[0].text, completion.usage.costSource);
`;

/** Runs `code` as the executable runs: with its permissions, and variables that it may not read. */
async function run(code: string, environment: { [name: string]: string }): Promise<string> {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", ...PERMISSIONS, "--ext=ts", "-"],
    cwd: ROOT,
    env: { M31A_HOSTILE: "x", NODE_DEBUG: "x", AI_SDK_X: "x", ...environment },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = process.stdin.getWriter();
  await writer.write(new TextEncoder().encode(code));
  await writer.close();
  const { success, stdout, stderr } = await process.output();
  const decoder = new TextDecoder();
  assert.ok(success, decoder.decode(stderr));
  return decoder.decode(stdout);
}

Deno.test("openModel() works with the executable's permissions", async () => {
  await using server = ModelServer.start(() => ({ text: "Hi." }));
  const address = { M31A_BASE_URL: server.baseUrl };
  const anthropic = {
    ...address,
    M31A_MODEL: "anthropic:claude-sonnet-5",
    ANTHROPIC_API_KEY: " k\n",
  };
  assert.equal(await run(CHAT, anthropic), "anthropic Hi. estimated\n");
  assert.equal(server.requests[0]?.headers.get("x-api-key"), "k");
  const openai = { ...address, M31A_MODEL: "openai:gpt-5.2", OPENAI_API_KEY: "k" };
  assert.equal(await run(CHAT, openai), "openai Hi. estimated\n");
  assert.equal(server.requests[1]?.headers.get("authorization"), "Bearer k");
});

/** The packages that importing `file` loads: what its modules import, dynamic imports left out. */
async function packagesLoadedBy(file: string): Promise<string[]> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", file],
    cwd: ROOT,
  }).output();
  const graph = fieldsOf(JSON.parse(new TextDecoder().decode(stdout)));
  const modules = new Map((Array.isArray(graph.modules) ? graph.modules : []).map((module) => {
    const fields = fieldsOf(module);
    return [fields.specifier, Array.isArray(fields.dependencies) ? fields.dependencies : []];
  }));
  const [root] = Array.isArray(graph.roots) ? graph.roots : [];
  const seen = new Set<unknown>([root]);
  const packages: string[] = [];
  for (const specifier of seen) {
    for (const dependency of (modules.get(specifier) ?? []).map(fieldsOf)) {
      const target = fieldsOf(dependency.code).specifier;
      if (dependency.isDynamic === true || typeof target !== "string") continue;
      if (target.startsWith("npm:")) packages.push(target);
      seen.add(target);
    }
  }
  assert.ok(seen.size > 1, "the graph was read");
  return packages;
}

Deno.test("choosing and opening a model load no package before there is need", async () => {
  assert.deepEqual(await packagesLoadedBy("src/model/open.ts"), []);
  assert.deepEqual(await packagesLoadedBy("src/model/choice.ts"), []);
  assert.ok(
    (await packagesLoadedBy("src/model/http_model.ts")).length > 0,
    "the check sees packages",
  );
});

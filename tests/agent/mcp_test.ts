/** MCP servers: two that others wrote, over both transports, and several that misbehave. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { McpServers } from "../../src/agent/mcp.ts";
import type { ServerConfiguration } from "../../src/agent/configuration_schema.ts";
import { callTool } from "../../src/agent/tools/call_tool.ts";
import { findTool } from "../../src/agent/tools/find_tool.ts";
import type { JsonValue } from "../../src/platform/canonical_json.ts";
import { type GitFolder, withPlainFolder } from "../support/git_folder.ts";
import { type TestToolContext, toolContext } from "../support/tool_context.ts";

/** The arguments with which Deno runs a package's server, as deno.lock pins it and without a network. */
function serverArguments(name: string, ...args: string[]): string[] {
  const manifest = JSON.parse(Deno.readTextFileSync(new URL("../../deno.json", import.meta.url)));
  const config = fileURLToPath(new URL("../../deno.json", import.meta.url));
  const specifier: string = manifest.imports[`@modelcontextprotocol/${name}`];
  return ["run", "-A", "--cached-only", "--config", config, specifier, ...args];
}

const DEFAULTS: ServerConfiguration = { args: [], env: {}, headers: {}, allow: [], seconds: 30 };

interface Tools {
  find(query: string): Promise<string>;
  call(name: string, input?: { [name: string]: JsonValue }): Promise<string>;
  context: TestToolContext;
  folder: GitFolder;
  servers: McpServers;
}

type Servers = Record<string, Partial<ServerConfiguration>>;

async function withServers(
  configure: (root: string) => Servers,
  test: (tools: Tools) => Promise<void>,
  brought: Servers = {},
): Promise<void> {
  await withPlainFolder(async (folder) => {
    const whole = (servers: Servers) =>
      Object.fromEntries(
        Object.entries(servers).map(([name, server]) => [name, { ...DEFAULTS, ...server }]),
      );
    const configuration = whole(configure(folder.root));
    const lookUp = (name: string) => name === "M31A_SECRET" ? "very-secret-value" : undefined;
    const servers = new McpServers(configuration, folder.root, lookUp, whole(brought));
    const context = toolContext(folder);
    const said = ({ isError, output }: { isError: boolean; output: string }) =>
      isError ? `error: ${output}` : output;
    try {
      await test({
        find: async (query) => said(await findTool(servers).run({ query }, context)),
        call: async (name, input = {}) =>
          said(await callTool(servers).run({ name, arguments: input }, context)),
        context,
        folder,
        servers,
      });
    } finally {
      await servers.close();
    }
  });
}

Deno.test("find_tool and call_tool use server-filesystem over stdio, asking first", async () => {
  await withServers((root) => ({
    files: {
      command: Deno.execPath(),
      args: serverArguments("server-filesystem", root),
      allow: ["list_directory"],
    },
  }), async ({ find, call, context, folder }) => {
    folder.write("hello.txt", "from the file");
    const found = await find("read a text file");
    assert.match(found, /^files\/read_text_file\n/);
    assert.match(found, /Input: {.*"path"/);
    assert.match(found, /Others: .*files\/list_directory/);
    assert.deepEqual(context.requests, []);
    assert.match(await call("files/list_directory", { path: folder.root }), /\[FILE\] hello\.txt/);
    assert.deepEqual(context.requests, []);
    assert.equal(
      await call("read_text_file", { path: `${folder.root}/hello.txt` }),
      "from the file",
    );
    assert.deepEqual(context.requests.map(({ summary }) => summary), ["call files/read_text_file"]);
    assert.match(await call("files/read_text_file", { path: "/etc/passwd" }), /^error: .*denied/);
    context.allows = false;
    assert.match(await call("files/write_file"), /^error: The user did not allow/);
    assert.match(await call("files/none"), /^error: There is no tool "files\/none"/);
  });
});

Deno.test("find_tool and call_tool use server-everything over stdio", async () => {
  await withServers(() => ({
    every: { command: Deno.execPath(), args: serverArguments("server-everything", "stdio") },
  }), async ({ find, call, context }) => {
    assert.match(await find("echo"), /^every\/echo\n/);
    assert.deepEqual(context.requests.map(({ summary }) => summary), [
      "start the server every, outside the sandbox",
    ]);
    assert.equal(await call("every/echo", { message: "hi" }), "Echo: hi");
    assert.match(await call("every/get-tiny-image"), /\[image, image\/png, \d+ bytes, left out\]/);
    assert.match(await call("every/echo", { message: 3 }), /^error: .*[Ii]nvalid/);
  });
});

Deno.test("find_tool and call_tool use server-everything over streamable HTTP", async () => {
  const probe = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const { port } = probe.addr;
  probe.close();
  const server = new Deno.Command(Deno.execPath(), {
    args: serverArguments("server-everything", "streamableHttp"),
    env: { PORT: String(port) },
    stdout: "null",
    stderr: "piped",
  }).spawn();
  try {
    await lineWith(server.stderr, "listening on port");
    await withServers(() => ({ web: { url: `http://127.0.0.1:${port}/mcp` } }), async (tools) => {
      assert.match(await tools.find("sum of two numbers"), /^web\/get-sum\n/);
      assert.equal(await tools.call("web/get-sum", { a: 2, b: 3 }), "The sum of 2 and 3 is 5.");
    });
  } finally {
    server.kill("SIGKILL");
    await server.status;
  }
});

async function lineWith(stream: ReadableStream<Uint8Array>, text: string): Promise<void> {
  let seen = "";
  const decoder = new TextDecoder();
  for await (const bytes of stream) {
    seen += decoder.decode(bytes, { stream: true });
    if (seen.includes(text)) return;
  }
  throw new Error(`the stream ended without ${JSON.stringify(text)}: ${seen}`);
}

/** A server in a few lines of JavaScript: `answer(method, params)` gives what it writes back, as text. */
function ownServer(answer: string, before = ""): Partial<ServerConfiguration> {
  const program = `
    ${before}
    const tool = { name: "go", description: "Goes.", inputSchema: { type: "object" } };
    const init = { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } };
    const answer = ${answer};
    require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method, params } = JSON.parse(line);
      const reply = (result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
      if (method === "initialize") return reply(init);
      if (method === "tools/list") return reply({ tools: [tool] });
      if (method === "tools/call") answer(reply, params, id);
    });`;
  return { command: "node", args: ["-e", program], allow: ["go"] };
}

Deno.test("a server that misbehaves is an error, not a hang or a crash", async () => {
  await withServers(() => ({
    silent: { command: "sleep", args: ["60"], allow: ["x"], seconds: 1 },
    absent: { command: "no-such-program", allow: ["x"] },
    garbage: { command: "sh", args: ["-c", "echo hello; echo '{}'; exit 3"], allow: ["x"] },
    flood: { command: "sh", args: ["-c", "exec cat /dev/zero"], allow: ["x"] },
    refused: { url: "http://127.0.0.1:9/mcp" },
    good: ownServer(
      `(reply) => reply({ content: [{ type: "text", text: "fine" }] })`,
      `console.log("a greeting");`,
    ),
  }), async ({ find, call }) => {
    const found = await find("");
    assert.match(found, /^Tools: good\/go\n/);
    assert.match(found, /\nThe server silent: Request timed out/);
    assert.match(found, /\nThe server absent: .*\(it says: .*no-such-program: not found\)/);
    assert.match(found, /\nThe server garbage: Connection closed/);
    assert.match(found, /\nThe server flood: .*more than 8388608 bytes/);
    assert.match(found, /\nThe server refused: /);
    assert.equal(await call("good/go"), "fine");
  });
});

Deno.test("a call that is not answered, or with too much or with nonsense, ends in its time", async () => {
  const answers = {
    never: "() => {}",
    dies: "() => { console.error('\\x1b[31mno more\\x1b[0m'); process.exit(1); }",
    huge: `(reply) => reply({ content: [{ type: "text", text: "x".repeat(2e6) }] })`,
    odd: `(reply) => reply({ content: "what" })`,
    escapes: `(reply) => reply({ content: [{ type: "text", text: "a\\x1b]52;c;aGk=\\x07b" }] })`,
    fails: `(reply) => reply({ isError: true, content: [{ type: "text", text: "sorry" }] })`,
  };
  await withServers(
    () =>
      Object.fromEntries(
        Object.entries(answers).map((
          [name, answer],
        ) => [name, { ...ownServer(answer), seconds: 2 }]),
      ),
    async ({ call }) => {
      assert.match(await call("never/go"), /^error: The server never: Request timed out/);
      assert.match(
        await call("dies/go"),
        /^error: The server dies: Connection closed \(it says: no more\)/,
      );
      assert.match(await call("dies/go"), /Connection closed/, "it was started again");
      assert.match(await call("huge/go"), /^x+\n\[… \d+ bytes left out …\]\nx+$/);
      assert.match(await call("odd/go"), /^error: The server's answer is not a tool's result/);
      assert.equal(await call("escapes/go"), "ab");
      assert.equal(await call("fails/go"), "error: sorry");
    },
  );
});

Deno.test("a server gets its variables and none of the user's secrets, and is stopped with all it started", async () => {
  Deno.env.set("OTHER_TOKEN", "not-for-servers");
  const answer =
    `(reply) => reply({ content: [{ type: "text", text: process.env.SERVER_TOKEN + " " + process.env.OTHER_TOKEN + " " + child.pid }] })`;
  const before = `const child = require("child_process").spawn("sleep", ["60"]);`;
  let pid = "";
  try {
    await withServers(() => ({
      own: { ...ownServer(answer, before), env: { SERVER_TOKEN: "is ${M31A_SECRET}" } },
    }), async ({ call }) => {
      const [secret, other, child = ""] = (await call("own/go")).split(" ");
      assert.equal(secret, "[masked]");
      assert.equal(other, "undefined");
      pid = child;
    });
  } finally {
    Deno.env.delete("OTHER_TOKEN");
  }
  const { stdout } = await new Deno.Command("ps", { args: ["-o", "stat=", "-p", pid] }).output();
  assert.match(new TextDecoder().decode(stdout).trim(), /^(?:Z.*)?$/);
});

Deno.test("what a server was given to keep is masked in its answers, errors, descriptions and complaints", async () => {
  const said = "`the token is ${process.env.SERVER_TOKEN}`";
  const long = "'x'.repeat(1990 - 24) + process.env.SERVER_TOKEN + 'y'.repeat(500)";
  const fail = (text: string) =>
    `(_reply, _params, id) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, error: { code: 1, message: ${text} } }) + "\\n")`;
  const env = { SERVER_TOKEN: "${M31A_SECRET}" };
  await withServers(() => ({
    described: {
      ...ownServer("(reply) => reply({})"),
      args: [
        "-e",
        ownServer("(reply) => reply({})").args?.[1]?.replace(
          '"Goes."',
          "`Goes with ${process.env.SERVER_TOKEN}.`",
        ).replace(
          '{ type: "object" }',
          "{ type: 'object', title: process.env.SERVER_TOKEN }",
        ) ?? "",
      ],
      env,
    },
    answers: {
      ...ownServer(`(reply) => reply({ content: [{ type: "text", text: ${said} }] })`),
      env,
    },
    fails: { ...ownServer(fail(said)), env, seconds: 5 },
    cut: { ...ownServer(fail(long)), env, seconds: 5 },
    complains: {
      ...ownServer(`() => { console.error(${said} + "z".repeat(485)); process.exit(1); }`),
      env,
    },
    literal: {
      ...ownServer(`(reply) => reply({ content: [{ type: "text", text: process.env.API_KEY }] })`),
      env: { API_KEY: "written-in-the-file", MODE: "production" },
    },
  }), async ({ find, call }) => {
    assert.match(await find("described"), /Goes with \[masked\]\.\nInput: .*"title":"\[masked\]"/);
    assert.equal(await call("answers/go"), "the token is [masked]");
    assert.match(await call("fails/go"), /^error: The server fails: the token is \[masked\]/);
    const answers = [await call("cut/go"), await call("complains/go"), await call("literal/go")];
    assert.equal(answers[2], "[masked]");
    for (const answer of answers) assert.doesNotMatch(answer, /very|secret|value|written/);
  });
});

Deno.test("a server that the user does not want is not started, and asked about once", async () => {
  await withServers((root) => ({
    own: { command: "sh", args: ["-c", `touch '${root}/started'`] },
  }), async ({ find, context, folder }) => {
    context.allows = false;
    assert.match(await find("x"), /^error: The server own was not started/);
    assert.match(await find("x"), /^error: The server own was not started/);
    assert.equal(context.requests.length, 1);
    assert.throws(() => Deno.statSync(`${folder.root}/started`), Deno.errors.NotFound);
  });
});

Deno.test("a server whose program was changed is asked about, also where it is vouched for and called at once", async () => {
  await withServers(() => ({
    own: { command: "sh", args: ["tools/server.sh"], allow: ["go"] },
  }), async ({ find, call, context, folder }) => {
    folder.write("tools/server.sh", "touch started\n");
    context.allows = false;
    assert.match(await call("own/go"), /\nThe server own was not started/);
    assert.match(await find("x"), /^error: The server own was not started/);
    assert.match(
      context.requests[0]?.detail ?? "",
      /\nchanged since m31a began: tools\/server\.sh$/,
    );
    assert.throws(() => Deno.statSync(`${folder.root}/started`), Deno.errors.NotFound);
  });
});

Deno.test("a server that a client brings is asked about before it is started or reached, and given no variable of m31a's", async () => {
  const says = (what: string) =>
    ownServer(`(reply) => reply({ content: [{ type: "text", text: ${what} }] })`);
  await withServers(() => ({ own: says('"configured"') }), async ({ find, call, context }) => {
    assert.match(await find("go"), /own\/go.*own-2\/go/s);
    assert.deepEqual(context.requests.map(({ summary }) => summary), [
      "start the server own-2, outside the sandbox",
      "reach the server web",
    ]);
    assert.equal(context.requests[1]?.detail, "http://127.0.0.1:9/mcp");
    assert.equal(await call("own/go"), "configured");
    assert.equal(await call("own-2/go"), "${M31A_SECRET}");
  }, {
    own: { ...says("process.env.GIVEN"), env: { GIVEN: "${M31A_SECRET}" } },
    web: { url: "http://127.0.0.1:9/mcp", allow: ["go"] },
  });
});

Deno.test("find_tool says how many names it leaves out, and what of a description", async () => {
  const many =
    `Array.from({ length: 130 }, (_, n) => ({ ...tool, name: "tool" + n, description: "d".repeat(3000) }))`;
  const { args = [], ...server } = ownServer("(reply) => reply({ content: [] })");
  const program = (args[1] ?? "").replace("tools: [tool]", `tools: ${many}`);
  await withServers(() => ({ many: { ...server, args: ["-e", program] } }), async ({ find }) => {
    assert.match(await find(""), /^Tools: many\/tool0, .* and 30 more/);
    const best = await find("tool7");
    assert.match(best, /^many\/tool7\nd+\n\[… \d+ bytes left out …\]\nd+\nInput: /);
    assert.match(best, /\nOthers: .* and 2\d more/);
  });
});

Deno.test("find_tool says when no server is configured", async () => {
  await withServers(() => ({}), async ({ find }) => {
    assert.match(await find("x"), /^error: No servers with more tools are configured/);
  });
});

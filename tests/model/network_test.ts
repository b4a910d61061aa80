/** Certificates and proxies, as the executable's process has them: real TLS and real proxies on loopback. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { applicationFlags } from "../../scripts/permissions.ts";
import { ModelServer } from "../support/servers/mod.ts";
import { withTemporaryFolder } from "../support/temporary.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const CHAT = `
import { installFilteredProcessEnv, readEnvironment } from "./src/platform/environment.ts";
import { useNetwork } from "./src/platform/network.ts";
import { chooseModel } from "./src/model/choice.ts";
import { openModel } from "./src/model/open.ts";
const environment = readEnvironment();
installFilteredProcessEnv(environment);
useNetwork(environment);
try {
  const choice = await chooseModel({ environment, flag: "openai-compatible:m" });
  const model = await openModel(choice, { limits: { maxTries: 2, firstWaitMs: 1 } });
  const completion = await model.stream({
    prompt: [{ role: "user", content: [{ type: "text", text: "hello" }] }],
    tools: [], parameters: {}, cacheKey: "k",
  }, { signal: new AbortController().signal, onEvent() {} });
  console.log(completion.content[0].text);
} catch (error) {
  console.log("ERROR " + error.message);
}
`;

/** What the model says, asked by a process with the executable's rights and `environment`. */
async function ask(baseUrl: string, environment: { [name: string]: string }): Promise<string> {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", ...applicationFlags(), "--ext=ts", "-"],
    cwd: ROOT,
    env: {
      M31A_BASE_URL: baseUrl,
      DENO_TLS_CA_STORE: "mozilla",
      NODE_EXTRA_CA_CERTS: "",
      SSL_CERT_FILE: "",
      SSL_CERT_DIR: "",
      ...environment,
    },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = process.stdin.getWriter();
  await writer.write(new TextEncoder().encode(CHAT));
  await writer.close();
  const { stdout, stderr } = await process.output();
  const said = new TextDecoder().decode(stdout).trim();
  return said === "" ? new TextDecoder().decode(stderr) : said;
}

/** Runs openssl in `folder`. */
async function openssl(folder: string, ...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command("openssl", { args, cwd: folder }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
}

/** An authority of one's own and a certificate for 127.0.0.1 that it has signed. */
async function makeCertificates(folder: string): Promise<void> {
  const subject = ["-nodes", "-newkey", "rsa:2048", "-days", "2", "-subj"];
  await openssl(
    folder,
    "req",
    "-x509",
    ...subject,
    "/CN=Test authority",
    "-keyout",
    "ca.key",
    "-out",
    "ca.pem",
  );
  await openssl(
    folder,
    "req",
    ...subject.slice(0, 3),
    "-subj",
    "/CN=server",
    "-keyout",
    "server.key",
    "-out",
    "server.csr",
  );
  Deno.writeTextFileSync(`${folder}/names`, "subjectAltName=IP:127.0.0.1\n");
  await openssl(
    folder,
    ...[
      "x509",
      "-req",
      "-in",
      "server.csr",
      "-CA",
      "ca.pem",
      "-CAkey",
      "ca.key",
      "-CAcreateserial",
    ],
    ...["-days", "2", "-extfile", "names", "-out", "server.pem"],
  );
}

const hasOpenssl = await new Deno.Command("openssl", { args: ["version"], stdout: "null" }).output()
  .then(({ success }) => success, () => false);

Deno.test({
  name: `a server's own authority is trusted that a variable names${
    hasOpenssl ? "" : " (there is no openssl)"
  }`,
  ignore: !hasOpenssl,
  fn: () =>
    withTemporaryFolder(async (folder) => {
      await makeCertificates(folder);
      let requests = 0;
      const events = [
        { choices: [{ index: 0, delta: { content: "Trusted." } }] },
        { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
      ].map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
      const server = Deno.serve({
        hostname: "127.0.0.1",
        port: 0,
        cert: Deno.readTextFileSync(`${folder}/server.pem`),
        key: Deno.readTextFileSync(`${folder}/server.key`),
        onListen: () => {},
      }, () => {
        requests++;
        return new Response(events, { headers: { "content-type": "text/event-stream" } });
      });
      try {
        const address = `https://127.0.0.1:${server.addr.port}`;
        const refused = await ask(address, {});
        assert.match(
          refused,
          /^ERROR .*cannot be reached: .*certificate.*NODE_EXTRA_CA_CERTS.*none of them is set\.$/,
        );
        assert.doesNotMatch(refused, /tries/);
        const missing = await ask(address, { NODE_EXTRA_CA_CERTS: `${folder}/none.pem` });
        assert.match(missing, /NODE_EXTRA_CA_CERTS names .*none\.pem, which cannot be read/);
        const other = await ask(address, { SSL_CERT_FILE: `${folder}/names` });
        assert.match(other, /SSL_CERT_FILE names .*names, which holds no certificate in PEM/);
        assert.equal(requests, 0);

        assert.equal(await ask(address, { NODE_EXTRA_CA_CERTS: `${folder}/ca.pem` }), "Trusted.");
        assert.equal(await ask(address, { SSL_CERT_FILE: `${folder}/ca.pem` }), "Trusted.");
        assert.equal(await ask(address, { SSL_CERT_DIR: `/nowhere:${folder}` }), "Trusted.");
      } finally {
        await server.shutdown();
      }
    }),
});

Deno.test("a server on this machine is reached past the proxy, another one through it", async () => {
  await using proxy = ModelServer.start(() => ({ text: "By proxy." }));
  await using server = ModelServer.start(() => ({ text: "Directly." }));
  for (const name of ["HTTP_PROXY", "http_proxy", "ALL_PROXY"]) {
    assert.equal(await ask(server.baseUrl, { [name]: proxy.url }), "Directly.");
  }
  const port = new URL(server.url).port;
  const byName = await ask(`http://localhost:${port}/v1`, {
    HTTP_PROXY: proxy.url,
    NO_PROXY: "example.org",
  });
  assert.equal(byName, "Directly.");
  assert.equal(proxy.requests.length, 0);
  assert.equal(await ask("http://models.invalid/v1", { HTTP_PROXY: proxy.url }), "By proxy.");
  assert.equal(proxy.requests[0]?.path, "http://models.invalid/v1/chat/completions");
});

Deno.test("an error names the proxy without its password, and the variables that help", async () => {
  const address = "http://user:hunter22@127.0.0.1:9";
  const unreachable = await ask("http://models.invalid/v1", { HTTP_PROXY: address });
  assert.match(
    unreachable,
    /through the proxy http:\/\/127\.0\.0\.1:9 \(HTTP_PROXY\)\. .*NO_PROXY=models\.invalid/,
  );
  assert.doesNotMatch(unreachable, /hunter22/);
  await using proxy = ModelServer.start(() => ({ status: 407, body: "who are you?" }));
  const unknown = await ask("http://models.invalid/v1", { HTTP_PROXY: proxy.url });
  assert.match(unknown, /a proxy wants to know who asks \(407.*HTTP_PROXY/);
});

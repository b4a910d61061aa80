/** Questions to a client and its answers, prompts and the servers that it brings. */
import assert from "node:assert/strict";
import { broughtServers } from "../../../src/faces/acp/mcp_servers.ts";
import { approvalAnswer, approvalRequest } from "../../../src/faces/acp/permission.ts";
import { promptMessage } from "../../../src/faces/acp/prompt_content.ts";

/** The beginning of a picture. */
const PNG = btoa("\x89PNG\r\n\x1a\n\0");

const COMMAND = {
  kind: "approval" as const,
  id: "q1",
  tool: "run_command",
  summary: "run: npm test",
  detail: "npm test # \x1b[2J",
  scope: { keys: ["run npm test"], words: "this command line" },
};

Deno.test("approvalRequest() shows the whole command, and says what always covers", () => {
  const request = approvalRequest("/project", "s", COMMAND, 1);
  assert.deepEqual(request.options.map(({ kind, name }) => [kind, name]), [
    ["allow_once", "Allow"],
    ["allow_always", "Always allow this command line, in this conversation"],
    ["reject_once", "Reject"],
  ]);
  assert.match(JSON.stringify(request.toolCall.content), /"npm test # "/);
  const { options } = approvalRequest("/project", "s", {
    ...COMMAND,
    scope: { keys: [], words: "" },
  }, undefined);
  assert.deepEqual(options.map(({ kind }) => kind), ["allow_once", "reject_once"]);
});

Deno.test("approvalRequest() shows a change as diffs", () => {
  const detail =
    "diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1,1 @@\n+x\n";
  const request = approvalRequest("/project", "s", {
    ...COMMAND,
    tool: "write_file",
    summary: "write n",
    detail,
    scope: { keys: ["change n"], words: "every change to n" },
  }, 1);
  assert.deepEqual(request.toolCall.content, [
    { type: "diff", path: "/project/n", oldText: null, newText: "x\n" },
  ]);
});

Deno.test("approvalAnswer() takes nothing for a yes but the options that allow, and the reason of a no", () => {
  const selected = (optionId: string, _meta = {}) =>
    approvalAnswer({ outcome: { outcome: "selected", optionId, _meta } });
  assert.deepEqual(selected("allow-once"), { kind: "approval", decision: "yes" });
  assert.deepEqual(selected("allow-always"), { kind: "approval", decision: "always" });
  assert.deepEqual(selected("reject"), { kind: "approval", decision: "no" });
  assert.deepEqual(selected("yes"), { kind: "approval", decision: "no" });
  assert.deepEqual(selected("reject", { m31a: { reason: " too slow " } }), {
    kind: "approval",
    decision: "no",
    reason: "too slow",
  });
  assert.deepEqual(approvalAnswer({ outcome: { outcome: "cancelled" } }), {
    kind: "approval",
    decision: "no",
  });
});

Deno.test("promptMessage() names files, brings their text along, and refuses what is no text by its name", () => {
  const uri = "file:///project/src/a%20b.ts";
  assert.deepEqual(
    promptMessage("/project", [
      { type: "text", text: "Compare " },
      { type: "resource_link", name: "x", uri: "file:///elsewhere/x#L4" },
      { type: "text", text: " with " },
      { type: "resource", resource: { uri, text: "```\ncode" } },
      { type: "text", text: " and " },
      { type: "resource_link", name: "an issue", uri: "https://example.org/1" },
      { type: "image", mimeType: "image/png", data: PNG },
    ]),
    {
      text:
        "Compare /elsewhere/x (line 4) with src/a b.ts and an issue (https://example.org/1)\n\n" +
        "src/a b.ts, as the user's editor has it:\n````\n```\ncode\n````",
      images: [{ mediaType: "image/png", data: PNG }],
    },
  );
  assert.throws(
    () => promptMessage("/project", [{ type: "audio", mimeType: "audio/wav", data: "" }]),
    /no sound \(audio\/wav\)/,
  );
  const picture = (data: string) => () =>
    promptMessage("/project", [{ type: "image", mimeType: "image/tiff", data }]);
  assert.throws(picture("AAAA"), /image\/tiff: models read PNG, JPEG, GIF and WebP/);
  assert.throws(
    picture(PNG + "A".repeat(7 * 2 ** 20)),
    /has 55\d{5} bytes; providers take 5242880/,
  );
  assert.throws(
    () =>
      promptMessage("/project", [{
        type: "resource",
        resource: { uri: "file:///project/a.pdf", blob: "AAAA", mimeType: "application/pdf" },
      }]),
    /a\.pdf: m31a takes no files but text \(this is application\/pdf\)/,
  );
});

Deno.test("broughtServers() takes programs and addresses, and refuses what it cannot reach", () => {
  const brought = broughtServers([
    { name: "my tools", command: "npx", args: ["x"], env: [{ name: "A", value: "1" }] },
    { type: "http", name: "web", url: "https://example.org/mcp", headers: [] },
  ]);
  assert.deepEqual(Object.keys(brought), ["my-tools", "web"]);
  assert.deepEqual(brought["my-tools"]?.env, { A: "1" });
  assert.deepEqual(brought["my-tools"]?.allow, []);
  assert.throws(
    () => broughtServers([{ type: "sse", name: "old", url: "https://example.org", headers: [] }]),
    /"old".*not by SSE/,
  );
});

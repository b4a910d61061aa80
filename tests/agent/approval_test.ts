/** What a list allows, and what becomes of a question in each mode. */
import assert from "node:assert/strict";
import {
  type ApprovalMode,
  approver,
  isAllowedCommand,
  refusalOf,
} from "../../src/agent/approval.ts";
import type { OpenApproval } from "../../src/agent/tool.ts";
import { shellWords } from "../../src/platform/shell_words.ts";

Deno.test("isAllowedCommand() compares whole words and allows no operator of the shell's", () => {
  const allowed = ["npm test", "deno  task ok", ""];
  for (const command of ["npm test", " npm  test --silent", "deno task ok", "npm test 'a b'"]) {
    assert(isAllowedCommand(command, allowed), command);
  }
  for (
    const command of [
      "npm",
      "npm testing",
      "xnpm test",
      "",
      "A=b npm test",
      ...[";", "&", "|", "$x", "`x`", "(x)", "<x", ">x", "\nrm", "\rrm"].map((end) =>
        `npm test ${end}`
      ),
    ]
  ) {
    assert(!isAllowedCommand(command, allowed), JSON.stringify(command));
  }
});

Deno.test("isAllowedCommand() splits words as sh does", async () => {
  const odd = [
    "npm\u00a0test",
    "npm\vtest",
    "npm\ftest",
    "npm\u3000test",
    "npm\\ test",
    "'npm test'",
  ];
  for (const command of odd) {
    assert(!isAllowedCommand(command, ["npm test"]), JSON.stringify(command));
  }
  for (const command of ["npm 'test'", '"npm" test', "np\\m\ttest"]) {
    assert(isAllowedCommand(command, ["npm test"]), command);
  }
  assert(!isAllowedCommand("npm test 'open", ["npm test"]));
  assert(isAllowedCommand("npm run 'a b' --x", ["npm run 'a b'"]));
  assert(!isAllowedCommand("npm run a b", ["npm run 'a b'"]));
  // What sh itself makes of the same lines.
  for (const line of [...odd, "npm 'test'", "np\\m\ttest", `a "b \\" c" d`, "a\\\nb  c"]) {
    const args = ["-c", `for word in ${line}; do printf '%s\\0' "$word"; done`];
    const { stdout } = await new Deno.Command("/bin/sh", { args }).output();
    const words = new TextDecoder().decode(stdout).split("\0").slice(0, -1);
    assert.deepEqual(shellWords(line), words, JSON.stringify(line));
  }
});

const KEPT = () => Promise.resolve(true);
const SIGNAL = new AbortController().signal;

function request(tool: string, ...keys: string[]): OpenApproval {
  const scope = { keys, words: keys.join(" and ") };
  return { tool, summary: "", detail: "", scope, id: "1", signal: SIGNAL };
}

Deno.test("approver() asks only in mode ask, and waits for nobody who is not there", async () => {
  const command = request("run_command", "run x");
  const edit = request("edit_file", "change a");
  const asked: string[] = [];
  const user = ({ tool }: OpenApproval) => {
    asked.push(tool);
    return Promise.resolve({ decision: "yes" } as const);
  };
  const isAllowed = async (
    ...[mode, who, what]: [ApprovalMode, typeof user | undefined, OpenApproval]
  ) => (await approver(mode, KEPT, who)(what)).isAllowed;
  assert.equal(await isAllowed("all", undefined, command), true);
  assert.equal(await isAllowed("allowlist", user, command), false);
  assert.equal(await isAllowed("allowlist", user, edit), true);
  assert.equal(await isAllowed("ask", undefined, command), false);
  assert.equal(await isAllowed("ask", undefined, edit), true);
  assert.deepEqual(asked, []);
  assert.equal(await isAllowed("ask", user, command), true);
  assert.equal(await isAllowed("ask", user, edit), true);
  assert.deepEqual(asked, ["run_command", "edit_file"]);
});

Deno.test("approver() lets an always cover its scope and nothing else", async () => {
  const asked: string[] = [];
  const approve = approver("ask", KEPT, ({ scope }) => {
    asked.push(scope.words);
    return Promise.resolve({ decision: asked.length < 3 ? "always" : "no", reason: "not that" });
  });
  const notes = request("edit_file", "change notes.txt");
  assert.deepEqual(await approve(notes), { isAllowed: true });
  assert.deepEqual(await approve(notes), { isAllowed: true });
  assert.deepEqual(await approve(request("call_tool", "call a/read")), { isAllowed: true });
  assert.deepEqual(await approve(request("call_tool", "call a/read")), { isAllowed: true });
  assert.deepEqual(asked, ["change notes.txt", "call a/read"]);
  for (
    const other of [
      request("edit_file", "change .husky/pre-commit"),
      request("move_file", "change notes.txt", "change .husky/pre-commit"),
      request("call_tool", "call a/write"),
      request("call_tool", "call b/read"),
      request("call_tool"),
    ]
  ) {
    assert.deepEqual(await approve(other), { isAllowed: false, reason: "not that" });
  }
  assert.equal(asked.length, 7);
});

Deno.test("approver() lets no change that cannot be taken back go ahead without somebody's yes", async () => {
  const notKept = () => Promise.resolve(false);
  const edit = request("write_file", "change a");
  const asked: string[] = [];
  const user = ({ tool }: OpenApproval) => {
    asked.push(tool);
    return Promise.resolve({ decision: "yes" } as const);
  };
  for (const mode of ["ask", "allowlist"] as const) {
    const { isAllowed, reason } = await approver(mode, notKept)(edit);
    assert.equal(isAllowed, false);
    assert.match(reason ?? "", /in no git repository.*could not be taken back.*--approval all/);
    assert.deepEqual(await approver(mode, notKept, user)(edit), { isAllowed: true });
  }
  assert.deepEqual(asked, ["write_file", "write_file"]);
  assert.deepEqual(await approver("all", notKept)(edit), { isAllowed: true });
  const command = await approver("allowlist", notKept, user)(request("run_command", "run x"));
  assert.equal(command.isAllowed, false);
});

Deno.test("refusalOf() says that nobody was asked, and the way out, where that is why", async () => {
  const edit = request("write_file", "change a");
  const command = request("run_command", "run x");
  assert.match(
    await toldOf("ask", undefined, command),
    /^Not allowed, because nobody was asked\. Not done\. The reason: nobody can be asked here; \[tools\] allow in .*--approval all/,
  );
  assert.match(
    await toldOf("allowlist", no, command),
    /nobody is asked in the mode allowlist; \[tools\] allow/,
  );
  assert.match(
    await toldOf("ask", undefined, request("call_tool", "call a")),
    /nobody can be asked here; --approval all allows it/,
  );
  assert.equal(
    await toldOf("ask", no, edit),
    "The user did not allow it. Not done. The reason: not that",
  );
});

const no = () => Promise.resolve({ decision: "no", reason: "not that" } as const);

async function toldOf(mode: ApprovalMode, who: typeof no | undefined, what: OpenApproval) {
  return refusalOf("Not done.", await approver(mode, KEPT, who)(what));
}

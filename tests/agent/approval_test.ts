/** What a list allows, and what becomes of a question in each mode. */
import assert from "node:assert/strict";
import { approver, isAllowedCommand } from "../../src/agent/approval.ts";

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

Deno.test("approver() asks only in mode ask, and waits for nobody who is not there", async () => {
  const command = { tool: "run_command", summary: "", detail: "" };
  const edit = { tool: "edit_file", summary: "", detail: "" };
  const asked: string[] = [];
  const user = (request: { tool: string }) => {
    asked.push(request.tool);
    return Promise.resolve(true);
  };
  assert.equal(await approver("all")(command), true);
  assert.equal(await approver("allowlist", user)(command), false);
  assert.equal(await approver("allowlist", user)(edit), true);
  assert.equal(await approver("ask")(command), false);
  assert.equal(await approver("ask")(edit), true);
  assert.deepEqual(asked, []);
  assert.equal(await approver("ask", user)(command), true);
  assert.equal(await approver("ask", user)(edit), true);
  assert.deepEqual(asked, ["run_command", "edit_file"]);
});

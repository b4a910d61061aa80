import assert from "node:assert/strict";
import { WorkflowLink } from "../../src/workflow/link.ts";

Deno.test("WorkflowLink says of a plain conversation's question that nobody can be asked, and who decides", async () => {
  const ask = (options: string[]) => new WorkflowLink().world.ask({ question: "Which?", options });
  assert.equal(
    await ask(["the first", "the second"]),
    "Nobody can be asked here; go on with what you recommended: the first",
  );
  assert.equal(await ask([]), "Nobody can be asked here; decide yourself and say how.");
});

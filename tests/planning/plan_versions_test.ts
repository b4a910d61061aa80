import assert from "node:assert/strict";
import { planVersionName, planVersionOf } from "../../src/planning/plan_versions.ts";

Deno.test("planVersionOf() takes only the names that planVersionName() gives", () => {
  assert.equal(planVersionOf(planVersionName(12)), 12);
  for (const name of ["plan.md", "plan.v0.md", "plan.v01.md", "plan.v1.md.bak", "xplan.v1.md"]) {
    assert.equal(planVersionOf(name), undefined);
  }
});

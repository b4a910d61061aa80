import assert from "node:assert/strict";
import {
  nextPlanVersion,
  planVersionName,
  planVersionOf,
} from "../../src/planning/plan_versions.ts";

Deno.test("planVersionOf() takes only the names that planVersionName() gives", () => {
  assert.equal(planVersionOf(planVersionName(12)), 12);
  for (const name of ["plan.md", "plan.v0.md", "plan.v01.md", "plan.v1.md.bak", "xplan.v1.md"]) {
    assert.equal(planVersionOf(name), undefined);
  }
});

Deno.test("nextPlanVersion() is one behind the highest", () => {
  assert.equal(nextPlanVersion([]), 1);
  assert.equal(nextPlanVersion(["plan.v2.md", "TASKS.md", "plan.v10.md"]), 11);
});

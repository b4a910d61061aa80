import assert from "node:assert/strict";
import fc from "fast-check";
import { capText } from "../../../src/platform/text.ts";
import { kindOfCheck } from "../../../src/ship/checks/check_kind.ts";
import { RUNNERS } from "../../../src/ship/checks/runners.ts";
import { countTests, describeCount, worthOf } from "../../../src/ship/checks/test_count.ts";
import { RECORDED } from "./recorded_samples.ts";
import { WRITTEN } from "./written_samples.ts";

const SAMPLES = new URL("./samples/", import.meta.url);
const sample = (name: string) => Deno.readTextFileSync(new URL(`${name}.txt`, SAMPLES));

for (const [name, runner, ran, failed, skipped, unit = "tests"] of RECORDED) {
  Deno.test(`countTests() reads what ${runner} printed in a real run`, () => {
    const count = countTests(sample(name));
    assert.deepEqual(count, { ran, failed, skipped, unit, isLowerBound: false });
  });
}

for (const [runner, output, ran, failed, skipped] of WRITTEN) {
  Deno.test(`countTests() reads what ${runner} prints, as documented`, () => {
    const count = countTests(output);
    assert.deepEqual(count, { ran, failed, skipped, unit: "tests", isLowerBound: false });
  });
}

Deno.test("countTests() has a sample for each file of samples, and none is read by two runners", () => {
  const names = [...Deno.readDirSync(SAMPLES)].map(({ name }) => name.replace(".txt", ""));
  const used = RECORDED.map(([name]) => name);
  assert.deepEqual(names.filter((name) => !used.includes(name)), []);
  const outputs = [...used.map(sample), ...WRITTEN.map(([, output]) => output)];
  for (const output of outputs) {
    const lines = output.split(/\r?\n|\r/).map((line) => line.trimEnd());
    const speaking = RUNNERS.flatMap(({ name, read }) => {
      const counts = read(lines);
      const number = Object.values(counts ?? {}).some((value) => value > 0);
      return number ? [name] : [];
    });
    const isWorkspace = output.includes("> mocha");
    assert.ok(speaking.length <= (isWorkspace ? 2 : 1), `${speaking.join(", ")}:\n${output}`);
  }
});

Deno.test("countTests() adds up the runners of one output", () => {
  const output = `${sample("pytest")}\n${sample("jest")}\n${sample("go-pass")}`;
  assert.deepEqual(countTests(output), {
    ran: 6 + 2 + 1,
    failed: 3,
    skipped: 3,
    unit: "tests",
    isLowerBound: false,
  });
});

Deno.test("countTests() knows nothing where no runner speaks", () => {
  for (
    const output of [
      "",
      "done",
      "webpack 5.90 compiled with 2 errors in 3 ms",
      "3 files passed",
      "Finished: 12 passed over",
      "All matched files use Prettier code style!",
      "> Task :test\n\nBUILD SUCCESSFUL in 3s",
      "Success: no issues found in 3 source files",
    ]
  ) assert.equal(countTests(output), undefined, output);
});

Deno.test("countTests() of any text gives whole numbers", () => {
  const outputs = [...RECORDED.map(([name]) => sample(name)), ...WRITTEN.map(([, text]) => text)];
  fc.assert(fc.property(
    fc.array(fc.oneof(fc.constantFrom(...outputs), fc.string()), { maxLength: 4 }),
    (parts) => {
      const count = countTests(parts.join("\n"));
      if (count === undefined) return;
      for (const number of [count.ran, count.failed, count.skipped]) {
        assert.ok(Number.isInteger(number) && number >= 0);
      }
    },
  ));
});

Deno.test("countTests() says at least where the middle of the output is left out", () => {
  const output = `${sample("jest")}${"x".repeat(5000)}\n${sample("pytest")}`;
  const count = countTests(capText(output, 4000).text);
  assert.equal(count?.isLowerBound, true);
  assert.match(describeCount(count), /^at least \d+ tests ran/);
});

Deno.test("describeCount() says it in words", () => {
  const count = { ran: 12, failed: 0, skipped: 0, unit: "tests", isLowerBound: false } as const;
  assert.equal(describeCount(count), "12 tests ran");
  assert.equal(describeCount({ ...count, ran: 1, failed: 1 }), "1 test ran, 1 failed");
  assert.equal(describeCount({ ...count, ran: 0, skipped: 2 }), "no test ran, 2 skipped");
  assert.equal(describeCount({ ...count, ran: 3, unit: "packages" }), "3 packages of tests ran");
});

Deno.test("worthOf() tells a test check that ran nothing from a build and from one that says nothing", () => {
  const worth = (name: string, command: string, output: string) =>
    worthOf({ name, command }, countTests(output) ?? null).worth;
  const none = sample("unittest-none");
  assert.equal(worth("test", "python3 -m unittest", none), "ran nothing");
  assert.equal(worth("all", "node --test", sample("node-none")), "ran nothing");
  assert.equal(worth("test", "make test", "ok"), "not known");
  assert.equal(worth("test", "make test", sample("make")), "tested");
  assert.equal(worth("build", "mvn package", none), "no tests expected");
  assert.equal(worth("lint", "eslint .", ""), "no tests expected");
  assert.equal(worth("all", "./check", ""), "no tests expected");
  assert.equal(worth("all", "./check", sample("jest")), "tested");
  assert.equal(worth("all", "./check", none), "ran nothing");
  const cut = `${none}\n[… 7 bytes left out …]\n`;
  assert.equal(worth("test", "make test", cut), "not known");
});

Deno.test("kindOfCheck() goes by the name, then by the command", () => {
  for (
    const [name, command, kind] of [
      ["test", "make", "test"],
      ["backend: test", "cd backend && x", "test"],
      ["unit-tests", "x", "test"],
      ["test_units", "x", "test"],
      ["lint", "npm test", "lint"],
      ["typecheck", "x", "typecheck"],
      ["build", "x", "build"],
      ["all", "npm run lint && npm test", "test"],
      ["all", "cargo test --workspace", "test"],
      ["all", "node --test", "test"],
      ["all", "tsc --noEmit", "typecheck"],
      ["all", "npx eslint .", "lint"],
      ["all", "cargo build", "build"],
      ["all", "./latest", "other"],
      ["contest", "./x", "other"],
    ] as const
  ) assert.equal(kindOfCheck({ name, command }), kind, `${name}: ${command}`);
});

import assert from "node:assert/strict";
import { endingOf } from "../../src/cli/exit.ts";
import { OutputClosed } from "../../src/platform/output.ts";
import {
  DamagedData,
  FileError,
  Interrupted,
  UsageError,
  WorkFailed,
} from "../../src/platform/errors.ts";

Deno.test("endingOf() gives each kind of error its exit code", () => {
  const codes = [
    new WorkFailed("x"),
    new FileError("a", "x"),
    new UsageError("x"),
    new DamagedData("x"),
    new Interrupted(),
  ].map((error) => endingOf(error, "1").exitCode);
  assert.deepEqual(codes, [1, 1, 2, 3, 130]);
});

Deno.test("endingOf() shows a person's error as its message alone, without escape sequences", () => {
  const { message } = endingOf(new UsageError("no session \x1b]0;title\x07abc"), "1");
  assert.equal(message, "m31a: no session abc");
});

Deno.test("endingOf() shows anything else as a defect, with its stack and the versions", () => {
  const { message, exitCode } = endingOf(new TypeError("x is undefined"), "1.2.3");
  assert.equal(exitCode, 1);
  assert.match(message, /this is a defect in m31a/);
  assert.match(message, /m31a 1\.2\.3, Deno \d/);
  assert.match(message, /TypeError: x is undefined\n\s+at .*exit_test\.ts/);
});

Deno.test("endingOf() takes a value that is no error for a defect too", () => {
  assert.match(endingOf("thrown text", "1").message, /defect[^]*thrown text/);
});

Deno.test("endingOf() is silent when nobody reads stdout any more", () => {
  assert.deepEqual(endingOf(new OutputClosed(), "1"), { message: "", exitCode: 0 });
});

import assert from "node:assert/strict";
import denoJson from "../../deno.json" with { type: "json" };
import { messageIn, withCommand } from "../../src/cli/bare.ts";
import { createProgram } from "../../src/cli/program.ts";
import { assertSnapshot } from "../support/snapshot.ts";
import { runM31a, runProgram } from "../support/source.ts";

const context = { environment: {}, version: "1.2.3" };

Deno.test("createProgram() describes every command in the help", () => {
  const { command } = createProgram(context);
  command.configureHelp({ helpWidth: 80 });
  assertSnapshot(command.helpInformation(), new URL("./snapshots/help.txt", import.meta.url));
});

Deno.test("m31a help prints the same as --help, on stdout, with exit code 0", async () => {
  const [help, flag] = await Promise.all([runM31a(["help"]), runM31a(["--help"])]);
  assert.equal(help.code, 0);
  assert.match(help.stdout, /^Usage: m31a /);
  assert.deepEqual(help, flag);
});

Deno.test("m31a help session show prints the help of session show", async () => {
  const ended = await Promise.all([
    runM31a(["help", "session", "show"]),
    runM31a(["session", "show", "--help"]),
    runM31a(["help", "session", "nonsense"]),
  ]);
  assert.deepEqual(ended.map(({ code }) => code), [0, 0, 2]);
  assert.equal(ended[0]?.stdout, ended[1]?.stdout);
  assert.equal(
    ended[2]?.stderr,
    "m31a: m31a session has no command 'nonsense'\n(`m31a help session` lists the commands)\n",
  );
});

Deno.test("m31a after wrong use names the help of the command that was used", async () => {
  const { stderr } = await runM31a(["session", "fork"]);
  assert.match(stderr, /\n\(`m31a help session fork` tells how it is used\)\n$/);
});

Deno.test("m31a --version prints the version of deno.json", async () => {
  const { code, stdout } = await runM31a(["--version"]);
  assert.deepEqual({ code, stdout }, { code: 0, stdout: `m31a ${denoJson.version}\n` });
});

Deno.test("m31a with an unknown command suggests the nearest and ends with 2", async () => {
  const { code, stdout, stderr } = await runM31a(["completion"]);
  assert.equal(code, 2);
  assert.equal(stdout, "");
  assert.match(stderr, /^m31a: unknown command 'completion'\n\(Did you mean completions\?\)/);
});

Deno.test("withCommand() takes words with a blank and options in front for a conversation, one word for a command", () => {
  const cases: [string[], string[]][] = [
    [["two words", "--json"], ["converse", "two words", "--json"]],
    [["-p", "hello"], ["converse", "-p", "hello"]],
    [["--continue"], ["converse", "--continue"]],
    [["status", "--json"], ["status", "--json"]],
    [["statsu"], ["statsu"]],
    [["fix", "the", "tests"], ["fix", "the", "tests"]],
    [["--help"], ["--help"]],
    [["-V"], ["-V"]],
  ];
  for (const [args, full] of cases) assert.deepEqual(withCommand(args, false), full);
  assert.deepEqual(withCommand([], true), ["chat"]);
  assert.deepEqual(withCommand([], false), []);
});

Deno.test("messageIn() takes several words and no single one", () => {
  assert.equal(messageIn(["two words"]), "two words");
  assert.equal(messageIn(["two", "words"]), "two words");
  assert.equal(messageIn([]), undefined);
  assert.throws(() => messageIn(["statsu"]), /"statsu" is no command.*m31a -p statsu/);
});

Deno.test("m31a with words that are not in quotes says what quotes would do", async () => {
  const { code, stderr } = await runM31a(["fix", "the", "tests"]);
  assert.equal(code, 2);
  assert.match(stderr, /unknown command 'fix'\n.*\n\(In quotes, words begin a conversation/);
});

Deno.test("m31a with an unknown option or a wrong argument ends with 2", async () => {
  const ended = await Promise.all([
    runM31a(["--nonsense"]),
    runM31a(["completions", "tcsh"]),
    runM31a([]),
  ]);
  assert.deepEqual(ended.map(({ code }) => code), [2, 2, 2]);
  assert.match(ended[1]?.stderr ?? "", /Allowed choices are bash, zsh, fish/);
});

Deno.test("m31a into a pipe that nobody reads ends quietly", async () => {
  const script = '"$0" run -A --no-check scripts/m31a.ts help | true; echo "${PIPESTATUS[0]}"';
  const { stdout, stderr } = await runProgram("bash", ["-c", script, Deno.execPath()]);
  assert.deepEqual({ stdout, stderr }, { stdout: "0\n", stderr: "" });
});
